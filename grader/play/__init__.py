"""The page of `grade play`: boards to play on, hints from the student's own programs, and replays."""
