"""Boards made at random, or like another board; for instructors only, as `grader.oracle` is."""
