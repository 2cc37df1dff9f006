"""The results as one HTML file: tables, messages, boards, and each solution to step through.

The file is self-contained and loads nothing: style and script are inline, and the content security policy
has their digests, so that no others are allowed. Every text is escaped where it is inserted.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from framework.board import Board
from framework.jumps import format_jump, moves_of
from framework.verify import verify
from grader.catalog.boards import find_board
from grader.catalog.tasks import Task
from grader.errors import InputError
from grader.judging import kinds
from grader.messages.phrases import count
from grader.reports import content
from grader.reports.card import card
from grader.reports.report import Report
from grader.result import Result, Verdict
from grader.web import html_page
from grader.web.positions import format_cells

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (*html_page.FILE_STYLES, TEMPLATES / "report.css")
MODULES = ("position", "drawing", "drag", "board", "game", "stepper")
SCRIPTS = (*(html_page.STATIC / f"{name}.js" for name in MODULES), TEMPLATES / "report.js")
MOST_JUMPS = 64  # written out as text; a game on any board has fewer


def format_report(report: Report) -> str:
    """Return the text of the HTML file."""
    report = replace(report, color=False)
    sections = [_section(number, task, report) for number, task in enumerate(report.tasks)]
    return html_page.page(
        TEMPLATES / "report.html",
        STYLES,
        SCRIPTS,
        report=report,
        sections=sections,
        failures_first=sorted(sections, key=lambda section: not section["told"]),
        notes=[*content.notes(report), *filter(None, [content.made_line(report)])],
        all_full=all(result.full for result in report.results) and report.max_score > 0,
        next_step=content.next_step(report) if report.results else "",
    )


def _section(number: int, task: Task, report: Report) -> dict[str, Any]:
    """Return the values with which the template shows a task."""
    results, shown = report.of(task), content.columns(task, report.of(task), report)
    points, max_points = report.points(task)
    found = content.causes(results)
    told_of = {id(result) for cause in found for result in (cause.first, *cause.alike, *cause.others)}
    entries: list[dict[str, Any]] = [
        {
            "id": f"t{number}-{place}",  # the target of links
            "result": result,
            # The replay of an illegal move begins on the board of the message.
            "card": card(replace(result, pictures=()) if result.verdict == Verdict.ILLEGAL_MOVE else result),
            "printed": content.printed(result),
            "again": content.command_again(result, report),
            "drawn": _drawn(result, _board(task, result)),
            "jumps": [format_jump(jump) for jump in result.jumps[:MOST_JUMPS]],
            "length": f"{count(len(result.jumps), 'jump')}, {count(len(moves_of(result.jumps)), 'move')}",
            "cells": [column.cell(result) for column in shown],
        }
        for place, result in enumerate(results)
    ]
    by_id = {id(entry["result"]): entry for entry in entries}
    told = [
        {
            "entry": by_id[id(cause.first)],
            "folded": cause.folded(),
            "alike": [by_id[id(each)] for each in cause.alike],
            "others": [by_id[id(each)] for each in cause.others],
        }
        for cause in found
    ]
    rest = [entry for entry in entries if id(entry["result"]) not in told_of and _has_more(entry)]
    return {
        "id": f"t{number}",
        "task": task,
        "points": points,
        "max_points": max_points,
        "cpu": content.cpu_sum(results),
        "columns": shown,
        "entries": entries,
        "told": told,
        "passed": [entry for entry in rest if entry["result"].full],
        "others": [entry for entry in rest if not entry["result"].full],
        "has_more": [each for one in told for each in (one["entry"], *one["alike"], *one["others"])] + rest,
        "board_set": report.board_set.strip() if kinds.of(task).takes_boards else "",
    }


def _has_more(entry: dict[str, Any]) -> bool:
    """Return whether a check has more to show than its row in the table."""
    return bool(entry["drawn"] or entry["jumps"] or entry["printed"])


def _board(task: Task, result: Result) -> Board | None:
    """Return the board of a check; None if it has none or if it is hidden.

    A hidden board may have the name of a course board, so it is not looked up; turned boards are looked up.
    """
    kind = kinds.of(task)
    if result.hidden or not kind.takes_boards:
        return None
    try:
        return find_board(kind.board_of(result.board)[0]).board
    except InputError:
        return None


def _drawn(result: Result, board: Board | None) -> dict[str, str] | None:
    """Return a board and its game as data for board.js.

    `jumps` are the legal jumps of the solution; `illegal` is the illegal jump after them, if any.
    """
    if board is None or (result.pictures and not result.jumps):
        return None  # the message has a board of its own
    seen = verify(board, result.jumps)
    fault = seen.fault if result.jumps else None
    return {
        "cells": format_cells(board),
        "jumps": json.dumps(result.jumps[: seen.legal]),
        "illegal": "" if fault is None else json.dumps(result.jumps[seen.legal]),
        "reason": "" if fault is None else fault.reason,
    }
