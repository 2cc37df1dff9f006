"""The results as JSON, schema `peg-grade/v1`, for programs."""

import json
from dataclasses import asdict
from typing import Any

from grader.reports.provenance import Provenance
from grader.reports.report import Report

SCHEMA = "peg-grade/v1"


def format_report(report: Report) -> str:
    """Return one JSON object.

    It has `boards` if boards other than the tasks' own were graded, `about` if the report has such lines, and
    `made` if it is known by what it was graded.
    """
    return json.dumps(plain_data(report), indent=2) + "\n"


def plain_data(report: Report) -> dict[str, Any]:
    """Return the content of the JSON object."""
    return {
        "schema": SCHEMA,
        "score": report.score,
        "max_score": report.max_score,
        **({"made": _made(report, report.made)} if report.made else {}),
        **({"about": list(report.about)} if report.about else {}),
        "time_factor": report.time_factor,
        **({"boards": report.board_set.strip()} if report.board_set else {}),
        "results": [result.as_plain_data() for result in report.results],
    }


def _made(report: Report, made: Provenance) -> dict[str, Any]:
    tiers = sorted({result.tier for result in report.results})
    return {**asdict(made), "tiers": tiers, "time_factor": report.time_factor}
