"""What a course consists of: its tasks and boards, and the YAML files that list them."""
