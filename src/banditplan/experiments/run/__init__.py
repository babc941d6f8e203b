"""How the runs of an experiment are made: handed to slots, within limits, on this machine or a cluster."""
