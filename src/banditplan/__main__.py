from banditplan.cli.main import entry

entry()
