"""Tables → text. A file is a format."""
