"""A course's rules: due dates, lateness, extensions, weights; applied after grading, never in it."""
