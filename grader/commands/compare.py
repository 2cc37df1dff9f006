"""`grade compare A B`: show how two class runs differ, for whom, and why."""

from pathlib import Path

import click

from grader.commands.options import OUTPUT, PATH, TABLE_OR_JSON
from grader.commands.output import write
from grader.course.reports import compare as comparing
from grader.course.reports.compare_text import format_json, format_table
from grader.errors import FULL_MARKS, POINTS_LOST


@click.command()
@click.argument("one", metavar="A", type=PATH)
@click.argument("other", metavar="B", type=PATH)
@TABLE_OR_JSON
@OUTPUT
def compare(one: Path, other: Path, format_: str, output: Path | None) -> int:
    """Show the differences between two class runs, and their causes.

    A and B are folders that `grade class` made. The exit status is 0 if every
    student has the same points, verdicts, attempts and rules in both, and 1 if not.
    """
    comparison = comparing.compare(one, other)
    write((format_json if format_ == "json" else format_table)(comparison), output)
    return FULL_MARKS if comparison.is_same else POINTS_LOST
