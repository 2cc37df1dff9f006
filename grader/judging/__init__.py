"""Decide verdicts and points: which checks run, on which boards, and what an answer earns."""
