"""The words of a failing check: what went wrong, where, and what to do about it."""
