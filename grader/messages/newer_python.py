"""Recognize what only a newer Python can run, so that it is not told as a mistake."""

import re
import sys

from grader.messages.compile_table import Said
from grader.messages.message import Fact

# The first version that has it, a pattern for the line of code, and the message's identity.
_SYNTAX: tuple[tuple[tuple[int, int], str, str], ...] = (
    ((3, 12), r"\s*type\s+\w+\s*(\[.*\])?\s*=", "newer-type-statement"),
    ((3, 12), r"\s*((async\s+)?def|class)\s+\w+\s*\[", "newer-type-parameters"),
    ((3, 12), r""".*\b[fF][rR]?(["'])(?:(?!\1)[^{])*\{[^}"']*\1[^"'{}]*\1[^{}]*\}""", "newer-quotes"),
    ((3, 14), r"\s*except\*?\s+[\w.]+\s*,", "newer-except"),
    ((3, 14), r""".*(?<!\w)[tT][rR]?["']""", "newer-template-string"),
)
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


def syntax(line: str) -> Said | None:
    """Return the message about what a line of code has that only a newer Python than this can read."""
    for version, pattern, id in _SYNTAX:
        if version > sys.version_info and re.match(pattern, line):
            return id, _since(version)
    return None


def name(module: str, name: str) -> Said | None:
    """Return the message about a name that a module of Python has since a version newer than this one."""
    version = _NAMES.get((module, name), (0, 0))
    if version <= sys.version_info:
        return None
    return "newer-name", {"module": module, "name": name, **_since(version)}


def _since(version: tuple[int, int]) -> dict[str, Fact]:
    return {"since": "{}.{}".format(*version), "python": "{}.{}".format(*sys.version_info)}
