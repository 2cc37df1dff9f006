"""The tasks and boards of a course, and the YAML files that list them."""
