"""The planner as tools for language models: a server of the Model Context Protocol."""
