"""`grade doctor --course`, which is `make check`: what the course forgot, all of it."""

import click

from grader.errors import FULL_MARKS, USAGE, InputError
from grader.release.course_check import Course, check_course
from grader.release.release import release_files
from grader.release.release_check import faults


def run() -> int:
    """Print what is wrong with the course and with its release, and return 0 where nothing is, else 2."""
    checked = check_course(Course())
    files: dict[str, str] = {}
    found = checked.faults
    try:
        files = release_files()
        found += faults(files)
    except InputError as error:
        found.append(error)
    told = dict.fromkeys((fault.message, fault.help) for fault in found)  # a missing stub is no release, too
    for message, help in told:
        click.echo(f"{message}\n  help: {help}")
    if told:
        click.echo(f"\n{len(told)} to mend; then again: grade doctor --course")
        return USAGE
    click.echo(
        f"nothing is missing: {checked.tasks} tasks with {checked.checks} checks, {checked.boards} boards, "
        f"a release of {len(files)} files"
    )
    return FULL_MARKS
