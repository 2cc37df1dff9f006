"""Read single fields that several of a course's files have."""

import re
from collections.abc import Collection
from decimal import Decimal

from grader.catalog.yaml_file import Entry
from grader.errors import unknown

_NUMBER = re.compile(r"\d{1,6}(\.\d{1,2})?", re.ASCII)


def number(entry: Entry, most: int) -> Decimal:
    """Return a number of at least 0.

    Raises:
        InputError: it is none, is above `most`, or has more than two decimals.
    """
    expected = f"a number from 0 to {most} with at most two decimals"
    text = entry.text(expected)
    if not _NUMBER.fullmatch(text) or Decimal(text) > most:
        raise entry.wrong(expected)
    return Decimal(text)


def names(entry: Entry, known: Collection[str]) -> tuple[str, ...]:
    """Return the names of one task or of a list of tasks; `known` are those of the course."""
    listed = entry.entries() if entry.is_list else [entry]
    if not listed:
        raise entry.wrong("names of tasks", "take it out where all tasks are meant")
    for each in listed:
        name = each.text("the name of a task")
        if name not in known:
            error = unknown("task", name, known, f"tasks: {', '.join(known)}")
            raise each.fault(error.message, error.help)
    return tuple(each.text() for each in listed)
