"""Ask a program more questions, after all visible checks, to find a cause: they change messages only.

A cause is reported only if it was seen to happen, and it never replaces a message that is just as certain.
"""
