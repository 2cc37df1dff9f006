"""Replace a text that a source has exactly once, at any indentation; for the mutants and the zoo."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where a text is in a source, and how far its first line is indented."""

    start: int
    end: int
    indent: int


def places(source: str, text: str) -> list[Place]:
    """Return the places of `text` in `source`, however it is indented there."""
    found = []
    for first in re.finditer(re.escape(text.split("\n")[0]), source):
        line = source[source.rfind("\n", 0, first.start()) + 1 :]
        indent = len(line) - len(line.lstrip(" "))
        whole = indented(text, indent)
        if source.startswith(whole, first.start()):
            found.append(Place(first.start(), first.start() + len(whole), indent))
    return found


def indented(text: str, indent: int) -> str:
    """Return `text` with every line after the first one indented further."""
    return re.sub(r"\n(?=.)", "\n" + " " * indent, text)


def changed(source: str, text: str, by: str) -> str:
    """Return `source` with `by` in place of `text`, which must occur in it exactly once."""
    (place,) = places(source, text)
    return source[: place.start] + indented(by, place.indent) + source[place.end :]
