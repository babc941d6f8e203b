"""Experiments: suites of instances × algorithms × seeds, run within limits, kept in a ledger, read as a report."""
