"""Decide verdicts and points: which checks are run, on which boards, and what an answer earns."""
