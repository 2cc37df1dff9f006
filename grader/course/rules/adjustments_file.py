"""Read `adjustments.yaml`, decisions about single students; `example/adjustments.yaml` explains it.

What it has in common with `course.yaml`, which `policy_file` reads, is read here, too.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from grader.catalog.tasks import registry
from grader.catalog.yaml_file import Entry, read_entry
from grader.course.rules.grades import REGRADES, ZERO, Adjustment, Place
from grader.errors import InputError, unknown

SCHEMA = "peg-adjustments/v1"
FIELDS = ("student", "tasks", "reason", "excused", "score", "plus", "minus", "hold", "regrade")
POINTS = ("excused", "score", "plus", "minus")  # at most one of them in an adjustment
_HELP = "grader/course/rules/example/adjustments.yaml shows what it may say"
_MOST = 1000  # points
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,2})?", re.ASCII)


def read_adjustments(path: Path) -> tuple[Adjustment, ...]:
    """Return the adjustments in a file, which may have none."""
    fields = read_fields(path, SCHEMA, ("schema", "adjustments"), _HELP)
    listed = fields["adjustments"].entries() if "adjustments" in fields else []
    found = [(entry, _adjustment(entry)) for entry in listed]
    _check_once(found)
    return tuple(each for _, each in found)


def _adjustment(entry: Entry) -> Adjustment:
    fields = entry.fields(FIELDS)
    student = words(entry, fields, "student", "an id or an e-mail address")
    made = Adjustment(
        student=student,
        where=place_of(entry),
        reason=" ".join(words(entry, fields, "reason", "the student reads it, too").split()),
        tasks=names(fields["tasks"], registry().tasks) if "tasks" in fields else (),
        excused="excused" in fields and fields["excused"].flag(),
        score=number(fields["score"], _MOST) if "score" in fields else None,
        hold="hold" in fields and fields["hold"].flag(),
        regrade=one_of(fields["regrade"], REGRADES) if "regrade" in fields else "",
    )
    given = [name for name in POINTS if name in fields and (name != "excused" or made.excused)]
    if len(given) > 1:
        raise fields[given[1]].fault(f"{given[0]} is set, too", "keep one of the two")
    if "plus" in given or "minus" in given:
        more = number(fields[given[0]], _MOST)
        made = replace(made, more=more if given == ["plus"] else ZERO - more)
    if not (given or made.hold or made.regrade):
        raise entry.fault("decides nothing", f"add one of {', '.join((*POINTS, 'hold', 'regrade'))}")
    if made.excused and not made.tasks:
        made = replace(made, tasks=tuple(registry().tasks))
    if not made.tasks and (given or made.regrade):
        raise entry.fault("expected tasks, found nothing", "add tasks: peg1, say, or tasks: [peg1, peg2]")
    if made.regrade == "granted" and not given:
        raise fields["regrade"].fault("changes no points", "add plus, minus or score; or write declined")
    if made.regrade in ("requested", "declined") and given:
        raise fields[given[0]].fault(f"regrade is {made.regrade}", "write regrade: granted, or take it out")
    return made


def _check_once(found: Sequence[tuple[Entry, Adjustment]]) -> None:
    """Raise InputError if two adjustments of a task contradict each other."""
    settled: dict[tuple[str, str], Adjustment] = {}
    for entry, each in found:
        for task in each.tasks if each.excused or each.score is not None else ():
            key = (each.student.lower(), task)
            if key in settled:
                other = settled[key]
                raise entry.fault(
                    f"{task} of {each.student} is settled already ({other.where})",
                    "keep one of the two; plus and minus may be added to a score",
                )
            settled[key] = each


# ---- what the files with a course's rules have in common -------------------------------------------


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
