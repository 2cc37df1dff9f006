"""Runs in the student's process: loads the submission, asks its functions, describes failures."""
