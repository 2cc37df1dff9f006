"""`grade compare A B`: what is different between two class runs, for whom, and why."""

from pathlib import Path

import click

from grader import last_results
from grader.commands.check import check_writable
from grader.course.reports.compare import compare
from grader.course.reports.compare_text import format_json, format_table
from grader.errors import FULL_MARKS, POINTS_LOST

FORMATS = {"table": format_table, "json": format_json}


def run(one: Path, other: Path, format: str, output: Path | None) -> int:
    """Compare two folders that `grade class` made; return 0 when nothing is different for anybody, else 1.

    Raises:
        InputError: a folder is none of `grade class`, or the report cannot be written.
    """
    if output is not None:
        check_writable(output)
    comparison = compare(one, other)
    text = FORMATS[format](comparison)
    if output is None:
        click.echo(text, nl=False)
    else:
        last_results.write_whole(output, text)
    return FULL_MARKS if comparison.is_same else POINTS_LOST
