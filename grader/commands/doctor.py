"""`grade doctor`: try out what the sandbox can enforce on this machine, and report each result.

`grade doctor --course`, also run by `make check`, lists everything that the course lacks.
"""

import json
import sys
import textwrap

import click
from tabulate import tabulate

from grader.commands import IN_RELEASE
from grader.commands.options import TABLE_OR_JSON
from grader.errors import FULL_MARKS, POINTS_LOST, USAGE, InputError
from grader.sandbox.confine import tiers
from grader.sandbox.doctor import Diagnosis, Finding, diagnose

SCHEMA = "peg-doctor/v1"
INDENT = " " * 8
MARKS = {  # in the table
    "held": "a program tried it just now and was stopped",
    "-": "not stopped, and that tier does not promise to stop it",
    "BROKEN": "not stopped, though that tier promises to stop it",
    "?": "not tried: the tier is not available here",
}


@click.command()
@click.option(
    "--tier", type=click.IntRange(0, 3), metavar="0-3",
    help="Tier that this machine must support (default: 2 on Linux, else 1).",
)  # fmt: skip
@TABLE_OR_JSON
@click.option(
    "--course", is_flag=True, hidden=IN_RELEASE,
    help="Check the course instead (for instructors): list missing pages, hints, board facts and more.",
)  # fmt: skip
def doctor(tier: int | None, format_: str, course: bool) -> int:
    """Check what the sandbox can enforce on this machine.

    The exit status is 0 if this machine can enforce the tier, and 1 if not.
    """
    if course:
        return _check_course()
    if tier is None:
        tier = 2 if sys.platform.startswith("linux") else 1
    diagnosis = diagnose(tier)
    click.echo(_json(diagnosis) if format_ == "json" else _table(diagnosis))
    return FULL_MARKS if diagnosis.holds else POINTS_LOST


def _check_course() -> int:
    """Print the faults of the course and of its release; return 0 if there are none, else 2."""
    if IN_RELEASE:
        raise InputError("--course: not part of this release", "leave the option out")
    from grader.release.course_check import Course, check_course
    from grader.release.release import release_files
    from grader.release.release_check import faults

    checked = check_course(Course())
    files: dict[str, str] = {}
    found = checked.faults
    try:
        files = release_files()
        found += faults(files)
    except InputError as error:
        found.append(error)
    different = dict.fromkeys((each.message, each.help) for each in found)  # both report a missing stub
    for message, help in different:
        click.echo(f"{message}\n  help: {help}")
    if different:
        click.echo(f"\n{len(different)} to fix; then again: grade doctor --course")
        return USAGE
    click.echo(
        f"nothing is missing: {checked.tasks} tasks with {checked.checks} checks, {checked.boards} boards, "
        f"a release of {len(files)} files"
    )
    click.echo("before you grade a class: grade generate SET --like peg4; see docs/private-boards.md")
    return FULL_MARKS


def _json(diagnosis: Diagnosis) -> str:
    data = {
        "schema": SCHEMA,
        "asked": diagnosis.asked,
        "holds": diagnosis.holds,
        "tiers": [
            {
                "tier": tier.number,
                "title": tier.title,
                "missing": why,
                "help": help,
            }
            for tier in tiers.TIERS
            for why, help in [diagnosis.missing.get(tier.number, ("", ""))]
        ],
        "promises": [
            {
                "what": finding.promise.what,
                "from_tier": finding.promise.tier,
                "held": {str(tier): held for tier, held in finding.held.items()},
            }
            for finding in diagnosis.findings
        ],
    }
    return json.dumps(data, indent=2)


def _table(diagnosis: Diagnosis) -> str:
    numbers = [tier.number for tier in tiers.TIERS]
    rows = [
        [finding.promise.what, *(_cell(finding, number, diagnosis) for number in numbers)]
        for finding in diagnosis.findings
    ]
    head = ["what a program cannot do", *(f"tier {number}" for number in numbers)]
    cells = {cell for _, *marks in rows for cell in marks}
    lines = [tabulate(rows, head, tablefmt="plain"), ""]
    lines += [f"{mark:<8}{meaning}" for mark, meaning in MARKS.items() if mark in cells] + [""]
    for tier in tiers.TIERS:
        lines.append(f"tier {tier.number}  {tier.title}")
        if tier.number in diagnosis.missing:
            why, help = diagnosis.missing[tier.number]
            lines.append(f"{INDENT}not available here: {why}")
            lines += textwrap.wrap(f"help: {help}", 80, initial_indent=INDENT, subsequent_indent=INDENT)
    lines += ["", _verdict(diagnosis)]
    return "\n".join(lines)


def _cell(finding: Finding, number: int, diagnosis: Diagnosis) -> str:
    if number in diagnosis.missing:
        return "?"
    if finding.broken(number):
        return "BROKEN"
    return "held" if finding.held[number] else "-"


def _verdict(diagnosis: Diagnosis) -> str:
    asked = diagnosis.asked
    if diagnosis.holds:
        return f"tier {asked} holds: each line was tried just now by a program like a student's"
    if asked in diagnosis.missing:
        return f"tier {asked} is not available here: {diagnosis.missing[asked][0]}"
    broken = [each.promise.what for each in diagnosis.findings if each.broken(asked)]
    return f"tier {asked} does not hold: a program can {', '.join(broken)}"
