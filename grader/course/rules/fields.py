"""Read what the files with a course's rules have in common."""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from grader.catalog.yaml_file import Entry, read_entry
from grader.course.rules.grades import Place
from grader.errors import InputError, unknown

_NUMBER = re.compile(r"\d{1,6}(\.\d{1,2})?", re.ASCII)


def read_fields(path: Path, schema: str, known: Sequence[str], help: str) -> Mapping[str, Entry]:
    """Return the fields of a file, which may have none.

    Raises:
        InputError: the file cannot be read, or has a field that is not known, or another schema.
    """
    root = read_entry(path, help)
    fields = {} if root is None else root.fields(known)
    if "schema" in fields and fields["schema"].text() != schema:
        raise fields["schema"].wrong(schema, "use a file of this version")
    return fields


def place_of(entry: Entry) -> Place:
    """Return the place of a field."""
    return Place(entry.where, entry.file.name, entry.line)


def missing(entry: Entry, name: str, help: str) -> InputError:
    """Return the error for an entry without a field that it needs."""
    return entry.fault(f"expected {name}, found nothing", f"add {name}: {help}")


def words(entry: Entry, fields: Mapping[str, Entry], name: str, help: str) -> str:
    """Return the text of a field that an entry needs, without spaces around it."""
    text = fields[name].text().strip() if name in fields else ""
    if not text:
        raise missing(entry, name, help)
    return text


def one_of(entry: Entry, known: Collection[str]) -> str:
    """Return a text that is one of several."""
    expected = f"one of {', '.join(known)}"
    text = entry.text(expected)
    if text not in known:
        raise entry.wrong(expected)
    return text


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


def whole(entry: Entry, most: int) -> int:
    """Return a whole number from 0 to `most`."""
    expected = f"a whole number from 0 to {most}"
    text = entry.text(expected)
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= most):
        raise entry.wrong(expected)
    return int(text)


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
