"""Ask more of a program that failed, to find the cause: of its rules of a jump, its table, its search.

These questions come after all checks that students see, and change messages only, never a verdict. A cause
is told only if it was seen to happen, and never in place of one that is as certain.
"""
