"""Results as data: as JSON for programs, schema `peg-grade/v1`, and for the card that every page shows."""

import json
from dataclasses import asdict
from typing import Any

from framework.board import SIZE
from grader.reports.content import word
from grader.reports.provenance import Provenance
from grader.reports.report import Report
from grader.result import Picture, Result

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


def card(result: Result) -> dict[str, Any]:
    """Return what the card of a result shows; its head is empty if the page has said which board it is.

    grader/web/templates/card.html and static/card.js draw it.
    """
    headline, *more = result.message.splitlines() or [""]
    boards = {name: cells for name, value in result.values if (cells := _cells_in(value))}
    drawn = {each.cells for each in result.pictures}
    others = (_picture(*each) for each in boards.items() if each[1] not in drawn)
    return {
        "board": result.board,
        "head": result.shown_on,
        "word": word(result),
        "headline": headline,
        "help": result.help,
        "command": result.command,
        "place": result.place,
        "source": result.source,
        "more": more,
        "values": [each for each in result.values if each[0] not in boards],
        "pictures": [each._asdict() for each in (*result.pictures, *others)],
    }


def _cells_in(value: str) -> str:
    """Return the 64 cells of a value that is a board, which is drawn; else empty."""
    cells = "".join(value.split())
    return cells if len(cells) == SIZE * SIZE and {*cells} <= {*".*o"} else ""


def _picture(name: str, cells: str) -> Picture:
    return Picture(cells, caption=f"`{name}`")
