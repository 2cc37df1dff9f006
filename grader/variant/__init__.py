"""Make a course of its own from this one: other goals, moves and boards; see docs/variant.md."""
