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
_NAMES = dict.fromkeys(
    ("typing.override", "typing.TypeAliasType", "itertools.batched", "collections.abc.Buffer"), (3, 12)
)
_NAMES |= dict.fromkeys(("typing.ReadOnly", "typing.TypeIs", "warnings.deprecated", "copy.replace"), (3, 13))


def syntax(line: str) -> Said | None:
    """Return the message about what a line of code has that only a newer Python than this can read."""
    newer = [
        version for version, pattern in _SYNTAX if version > sys.version_info and re.match(pattern, line)
    ]
    return _newer(newer[0], "") if newer else None


def name(module: str, name: str) -> Said | None:
    """Return the message about a name that a module of Python has since a version newer than this one."""
    version = _NAMES.get(f"{module}.{name}", (0, 0))
    return _newer(version, f"{module}.{name}") if version > sys.version_info else None


def _newer(version: tuple[int, int], name: str) -> Said:
    since, python = ("{}.{}".format(*each) for each in (version, sys.version_info))
    return "newer-python", {"name": name, "since": since, "python": python}
