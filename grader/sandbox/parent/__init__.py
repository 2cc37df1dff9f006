"""Runs in the judge's process: starts, watches and ends the student's processes."""
