"""Apply a course's rules after grading: due dates, lateness, extensions, weights."""
