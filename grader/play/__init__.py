"""Serve the page of `grade play`: boards to play on, hints from the student's programs, and replays."""
