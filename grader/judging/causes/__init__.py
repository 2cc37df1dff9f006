"""Ask a failed program further questions to find the cause: its rules for jumps, its table or its search.

These questions come after all checks that students see. They change messages only, never a verdict. A cause
is reported only if it was seen to happen, and it never replaces a message that is just as certain.
"""
