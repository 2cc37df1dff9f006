"""Recognize what only a newer Python can run, so that it is not told as a mistake."""

import re
import sys

from grader.messages.compile_table import Said

# The first version that has it, and a pattern for the line of code.
_SYNTAX: tuple[tuple[tuple[int, int], str], ...] = (
    ((3, 12), r"\s*type\s+\w+\s*(\[.*\])?\s*="),
    ((3, 12), r"\s*((async\s+)?def|class)\s+\w+\s*\["),
    ((3, 12), r""".*\b[fF][rR]?(["'])(?:(?!\1)[^{])*\{[^}"']*\1[^"'{}]*\1[^{}]*\}"""),
    ((3, 14), r"\s*except\*?\s+[\w.]+\s*,"),
    ((3, 14), r""".*(?<!\w)[tT][rR]?["']"""),
)


def syntax(line: str) -> Said | None:
    """Return the message about what a line of code has that only a newer Python than this can read."""
    for version, pattern in _SYNTAX:
        if version > sys.version_info and re.match(pattern, line):
            since, python = ("{}.{}".format(*each) for each in (version, sys.version_info))
            return "newer-python", {"since": since, "python": python}
    return None
