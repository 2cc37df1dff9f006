"""Measurements for instructors and authors: `grade experiment` and its searches; never released."""
