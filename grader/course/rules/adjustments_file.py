"""Read `adjustments.yaml`, decisions about single students; `example/adjustments.yaml` explains it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.catalog.tasks import registry
from grader.catalog.yaml_file import Entry
from grader.course.rules.fields import names, number, one_of, place_of, read_fields, words
from grader.course.rules.grades import REGRADES, ZERO, Adjustment

SCHEMA = "peg-adjustments/v1"
FIELDS = ("student", "tasks", "reason", "excused", "score", "plus", "minus", "hold", "regrade")
POINTS = ("excused", "score", "plus", "minus")  # at most one of them in an adjustment
_HELP = "grader/course/rules/example/adjustments.yaml shows what it may say"
_MOST = 1000  # points


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
