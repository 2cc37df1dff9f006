"""Run a student's program and find out what its search does, for questions about it.

Nothing here judges a program, and no verdict depends on it.
"""
