"""What the runs of an experiment say: tables, plots, comparisons, files for others."""
