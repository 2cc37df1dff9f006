"""Recognize what only a newer Python can run, so that it is not told as a mistake."""

import re
import sys

# The first version that has it, a pattern for the line of code, what it is, and what earlier versions take.
_SYNTAX: tuple[tuple[tuple[int, int], str, str, str], ...] = (
    ((3, 12), r"\s*type\s+\w+\s*(\[.*\])?\s*=", "a type statement", "write Number = int"),
    ((3, 12), r"\s*(async\s+)?def\s+\w+\s*\[", "type parameters", "leave out the brackets after the name"),
    ((3, 12), r"\s*class\s+\w+\s*\[", "type parameters", "leave out the brackets after the name"),
    ((3, 12), r""".*\b[fF][rR]?(["'])(?:(?!\1)[^{])*\{[^}"']*\1[^"'{}]*\1[^{}]*\}""",
     "the same quotes inside an f-string", "use the other kind of quotes inside"),
    ((3, 14), r"\s*except\*?\s+[\w.]+\s*,", "several exceptions without parentheses", "write except (A, B):"),
    ((3, 14), r""".*(?<!\w)[tT][rR]?["']""", "a template string", "use an f-string"),
)  # fmt: skip
_NAMES: dict[tuple[str, str], tuple[int, int]] = {
    ("typing", "override"): (3, 12),
    ("typing", "TypeAliasType"): (3, 12),
    ("itertools", "batched"): (3, 12),
    ("collections.abc", "Buffer"): (3, 12),
    ("typing", "ReadOnly"): (3, 13),
    ("typing", "TypeIs"): (3, 13),
    ("warnings", "deprecated"): (3, 13),
    ("copy", "replace"): (3, 13),
}


def syntax(line: str) -> tuple[str, str] | None:
    """Return what a line of code has that only a newer Python than this can read, and what to do instead."""
    for version, pattern, what, instead in _SYNTAX:
        if version > sys.version_info and re.match(pattern, line):
            return f"{what}, which Python has since {_shown(version)}", f"{instead}; {_graded_with()}"
    return None


def name(module: str, name: str) -> tuple[str, str] | None:
    """Return since when a module of Python has a name that this one lacks, and what to do."""
    version = _NAMES.get((module, name), (0, 0))
    if version <= sys.version_info:
        return None
    return f"{module} has {name} since Python {_shown(version)}", f"do without it; {_graded_with()}"


def _shown(version: tuple[int, int]) -> str:
    return "{}.{}".format(*version)


def _graded_with() -> str:
    return f"this course is graded with Python {_shown(sys.version_info[:2])}"
