"""`grade doctor`: what this machine can hold a student's program to, each line proven by trying it."""

import json
import sys
import textwrap

import click
from tabulate import tabulate

from grader.errors import FULL_MARKS, POINTS_LOST
from grader.sandbox import doctor
from grader.sandbox.confine import tiers
from grader.sandbox.doctor import Diagnosis, Finding

SCHEMA = "peg-doctor/v1"
INDENT = " " * 8


def run(asked: int | None, format: str) -> int:
    """Print the diagnosis and return 0 when the asked tier holds, else 1.

    Args:
        asked: the tier; None for the one that course platforms ask for.
        format: table or json.
    """
    if asked is None:
        asked = 2 if sys.platform.startswith("linux") else 1
    diagnosis = doctor.diagnose(asked)
    click.echo(_json(diagnosis) if format == "json" else _table(diagnosis))
    return FULL_MARKS if diagnosis.holds else POINTS_LOST


def _json(diagnosis: Diagnosis) -> str:
    data = {
        "schema": SCHEMA,
        "asked": diagnosis.asked,
        "holds": diagnosis.holds,
        "tiers": [
            {
                "tier": tier.number,
                "title": tier.title,
                "missing": diagnosis.missing.get(tier.number, ""),
                "help": tier.help if tier.number in diagnosis.missing else "",
            }
            for tier in tiers.TIERS
        ],
        "control_group_missing": diagnosis.no_group,
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
    lines = [tabulate(rows, head, tablefmt="plain"), ""]
    for tier in tiers.TIERS:
        why = diagnosis.missing.get(tier.number)
        lines.append(f"tier {tier.number}  {tier.title}" + (f"\n        cannot be had: {why}" if why else ""))
        if why:
            lines += textwrap.wrap(f"help: {tier.help}", 80, initial_indent=INDENT, subsequent_indent=INDENT)
    group = f"cannot be had: {diagnosis.no_group}" if diagnosis.no_group else "can be had"
    lines += ["", f"a control group behind them, for memory taken together: {group}"]
    if diagnosis.no_group:
        help = (
            "help: tiers 1 to 3 hold without one; docker run --privileged and systemd-run --user "
            "-p Delegate=yes give one"
        )
        lines += textwrap.wrap(help, 80, initial_indent=INDENT, subsequent_indent=INDENT)
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
        return f"tier {asked} cannot be had: {diagnosis.missing[asked]}"
    broken = [each.promise.what for each in diagnosis.findings if each.broken(asked)]
    return f"tier {asked} does not hold: a program can {', '.join(broken)}"
