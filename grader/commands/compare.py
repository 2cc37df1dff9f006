"""`grade compare A B`: show how two class runs differ, for whom, and why."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from grader.commands.options import PATH, TABLE_OR_JSON
from grader.course.reports import compare as comparing
from grader.course.reports.compare import Change, CheckChange, Comparison, TaskRecord
from grader.course.rules.grades import AFTER_RULES
from grader.errors import FULL_MARKS, POINTS_LOST
from grader.messages.phrases import count
from grader.reports.table import wrapped
from grader.result import Verdict
from grader.safe_text import one_line


@click.command()
@click.argument("one", metavar="A", type=PATH)
@click.argument("other", metavar="B", type=PATH)
@TABLE_OR_JSON
def compare(one: Path, other: Path, format_: str) -> int:
    """Show the differences between two class runs, and their causes.

    A and B are folders that `grade class` made. The exit status is 0 if every
    student has the same points, verdicts, attempts and rules in both, and 1 if not.
    """
    comparison = comparing.compare(one, other)
    click.echo((format_json if format_ == "json" else format_table)(comparison), nl=False)
    return FULL_MARKS if comparison.is_same else POINTS_LOST


SCHEMA = "peg-compare/v1"


def format_table(comparison: Comparison) -> str:
    """Return the text: first what differs between the runs, then what differs for each student and task."""
    lines = [f"{comparison.folders[0]} -> {comparison.folders[1]}"]
    by_words: dict[str, list[str]] = {}
    for task, differences in comparison.settings.items():
        for words in differences:
            by_words.setdefault(words, []).append(task)
    lines += [f"{', '.join(tasks)}: {words}" for words, tasks in by_words.items()]
    for which, students in zip(("first", "second"), comparison.only, strict=True):
        if students:
            lines.append(f"only in the {which} run: {', '.join(map(one_line, students))}")
    for change in comparison.changes:
        lines += ["", f"{one_line(change.student)}  {change.task}: {'; '.join(_what(change))}"]
        lines += _checks(change.checks)
        lines += [f"  why: {one_line(why)}" for why in change.why]
    lines += ["", _verdict(comparison)]
    return "\n".join(lines) + "\n"


def _what(change: Change) -> list[str]:
    one, other = change.records
    if one is None or other is None:
        there = one or other
        assert there is not None
        points = f"{there.points[0]} / {there.points[1]}"
        return [f"nothing -> {points}" if one is None else f"{points} -> nothing"]
    what = []
    if one.attempt != other.attempt:
        what.append(f"attempt {one.attempt} -> {other.attempt}")
    if one.points != other.points:
        what.append(f"{one.points[0]} / {one.points[1]} -> {other.points[0]} / {other.points[1]} points")
    if one.adjusted != other.adjusted and (one.rules or other.rules):
        what.append(f"{one.adjusted} -> {other.adjusted} {AFTER_RULES}")
    what += [f"no more: {one_line(str(rule))}" for rule in one.rules if rule not in other.rules]
    what += [f"new: {one_line(str(rule))}" for rule in other.rules if rule not in one.rules]
    return what or ["the same points"]


def _checks(checks: Sequence[CheckChange]) -> list[str]:
    """Return one line for all checks that changed alike, or a line per check if time may be the cause."""
    alike: dict[str, list[CheckChange]] = {}
    for check in checks:
        alike.setdefault(_ended(check), []).append(check)
    lines = []
    for ended, those in alike.items():
        if Verdict.TIMEOUT in those[0].verdicts:
            lines += [
                f"  {one_line(each.board)}: {ended} ({each.cpu_s[0]:.2f} s -> {each.cpu_s[1]:.2f} s of CPU)"
                for each in those
            ]
        else:
            boards = ", ".join(one_line(each.board) for each in those)
            lines += wrapped(f"{ended}: {boards}", "  ", "    ")
    return lines


def _ended(check: CheckChange) -> str:
    if check.verdicts[0] == check.verdicts[1]:
        return f"{check.verdicts[0]}, {check.points[0]} -> {check.points[1]} points"
    before, after = (verdict.replace("-", " ") for verdict in check.verdicts)
    return f"{before or 'not checked'} -> {after or 'no longer checked'}"


def _verdict(comparison: Comparison) -> str:
    if comparison.is_same:
        return "nothing is different for any student"
    students = {change.student for change in comparison.changes}.union(*comparison.only)
    return f"{count(len(students), 'student')} with differences"


def _as_data(record: TaskRecord) -> dict[str, Any]:
    return {**asdict(record), "rules": list(map(str, record.rules))}


def format_json(comparison: Comparison) -> str:
    """Return one JSON object; each list of two has one value per run."""
    data = {
        "schema": SCHEMA,
        "runs": comparison.folders,
        "settings": comparison.settings,
        "only": comparison.only,
        "changes": [
            {**asdict(change), "records": [each and _as_data(each) for each in change.records]}
            for change in comparison.changes
        ],
    }
    return json.dumps(data, indent=2) + "\n"
