"""Ask a program that failed more questions, to find the cause: its rules of a jump, its table or its search.

These questions come after all checks that students see. They change messages only, never a verdict. A cause
is reported only if it was seen to happen, and it never replaces a message that is as certain.
"""
