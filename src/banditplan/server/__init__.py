"""The local page and the HTTP interface: `banditplan serve`. Needs the extra `banditplan[serve]`."""
