"""Text to syntax tree: reads and checks a PDDL domain and problem."""
