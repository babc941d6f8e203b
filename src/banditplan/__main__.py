from banditplan.cli import entry

entry()
