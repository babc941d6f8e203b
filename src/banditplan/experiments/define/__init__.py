"""What an experiment is: its definition, from a file or ready-made, and the suites of instances it runs on."""
