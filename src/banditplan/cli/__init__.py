"""The command line: the Python API in words, a module per command."""
