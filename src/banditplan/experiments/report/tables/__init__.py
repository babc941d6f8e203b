"""Results → tables. A file is a table."""
