"""The results as one HTML file: points, the next step, a card a cause with its board, and the rest folded.

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
from grader.reports.json_report import card
from grader.reports.report import Report
from grader.result import Result, Verdict
from grader.web import html_page
from grader.web.positions import format_cells

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (*html_page.FILE_STYLES, TEMPLATES / "report.css")
MODULES = ("position", "drawing", "drag", "board", "game", "stepper", "unfold")
SCRIPTS = (*(html_page.STATIC / f"{name}.js" for name in MODULES), TEMPLATES / "report.js")
MOST_CARDS, MOST_NOTES = 2, 6  # causes that are not folded; remarks above them
MOST_JUMPS = 64  # written out as text; a game on any board has fewer


def format_report(report: Report) -> str:
    """Return the text of the HTML file."""
    report = replace(report, color=False)
    sections = [_section(number, task, report) for number, task in enumerate(report.tasks)]
    entries = {id(entry["result"]): entry for section in sections for entry in section["entries"]}
    found = [_told(cause, entries) for cause in _alike_in_tasks(report)]
    for section in sections:
        section["calm"] = [
            _told(cause, entries) for cause in content.causes(report.of(section["task"])) if _is_calm(cause)
        ]
    shown = {entry["id"] for cause in found for entry in (cause["entry"], *cause["others"])}
    one = report.tasks[0] if len(report.tasks) == 1 else None
    return html_page.page(
        TEMPLATES / "report.html",
        STYLES,
        SCRIPTS,
        report=report,
        heading=report.name or (f"{one.name}: {one.title}" if one else "Peg Solitaire"),
        score=report.total or (report.score, report.max_score),
        sections=sections,
        shares=[_share(section, report) for section in sections],
        told_first=found[:MOST_CARDS],
        told_later=found[MOST_CARDS:],
        shown=shown,
        faults=content.faults(report),
        made=content.made_line(report),
        most_notes=MOST_NOTES,
        count=count,
        all_full=all(result.full for result in report.results) and report.max_score > 0,
        next_step=content.next_step(report) if report.results else "",
    )


def _is_calm(cause: content.Cause) -> bool:
    """Return whether nothing is wrong: work that is still to be done, or a remark on what is right."""
    return cause.first.full or cause.first.verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_RUN)


def _alike_in_tasks(report: Report) -> list[content.Cause]:
    """Return the causes of failures; one with the same message at the same place in several tasks is one."""
    found: dict[tuple[object, ...], content.Cause] = {}
    for cause in (cause for task in report.tasks for cause in content.causes(report.of(task))):
        if _is_calm(cause):
            continue
        first = cause.first
        where = first.place or first.task
        key = (first.verdict, first.code, where, "" if first.code else first.message)
        if before := found.get(key):
            alike = [*before.alike, first, *cause.alike]
            found[key] = before._replace(alike=alike, others=[*before.others, *cause.others])
        else:
            found[key] = cause
    return list(found.values())


def _told(cause: content.Cause, entries: dict[int, dict[str, Any]]) -> dict[str, Any]:
    return {
        "entry": entries[id(cause.first)],
        "folded": cause.folded(),
        "more": count(len(cause.alike) + len(cause.others), "more check")
        + ("" if cause.first.full else " without full marks"),
        "others": [entries[id(each)] for each in cause.others],
    }


def _share(section: dict[str, Any], report: Report) -> tuple[str, str, float | None, str]:
    points, most = report.points(section["task"])
    ended = {result.verdict for result in report.of(section["task"])}
    begun = not ended <= {Verdict.NOT_WRITTEN, Verdict.NOT_RUN}
    words = f"{points} / {most}" if begun or not ended else f"not written, {points} / {most}"
    return f"#{section['id']}", section["task"].name, 100 * points / most if most else None, words


def _section(number: int, task: Task, report: Report) -> dict[str, Any]:
    results, shown = report.of(task), content.columns(task, report.of(task), report)
    several = len(report.tasks) > 1
    entries: list[dict[str, Any]] = [
        {
            "id": f"t{number}-{place}",  # the target of links
            "result": result,
            "name": content.check_name(result) if several else result.board,
            "card": _card(result, several),
            "printed": content.printed(result),
            "again": content.command_again(result, report),
            "drawn": _drawn(result, _board(task, result, report)),
            "jumps": [format_jump(jump) for jump in result.jumps[:MOST_JUMPS]],
            "length": f"{count(len(result.jumps), 'jump')}, {count(len(moves_of(result.jumps)), 'move')}",
            "cells": [column.cell(result) for column in shown],
        }
        for place, result in enumerate(results)
    ]
    right = sum(result.full for result in results)
    return {
        "id": f"t{number}",
        "task": task,
        "checks": f"{right} of {count(len(results), 'check')} right",
        "cpu": content.cpu_sum(results),
        "columns": shown,
        "entries": entries,
        "board_set": report.board_set.strip() if kinds.of(task).takes_boards else "",
    }


def _card(result: Result, several: bool) -> dict[str, Any]:
    """Return the data of a result's card, with its task if the page has several.

    The replay of an illegal move begins on the board of the message, so that is not drawn twice.
    """
    said = card(replace(result, pictures=()) if _is_replayed(result) else result)
    return {**said, "head": f"{result.task} {said['head']}"} if several and said["head"] else said


def _is_replayed(result: Result) -> bool:
    return result.verdict == Verdict.ILLEGAL_MOVE and bool(result.jumps)


def _board(task: Task, result: Result, report: Report) -> Board | None:
    """Return the board of a check; None if it has none or if it is the staff's.

    A board of the staff's may have the name of a course board, so it is not looked up; turned ones are.
    """
    kind = kinds.of(task)
    of_staff = result.hidden or (result.task, result.board) in report.of_staff
    if of_staff or not kind.takes_boards:
        return None
    try:
        return find_board(kind.board_of(result.asked)[0]).board
    except InputError:
        return None


def _drawn(result: Result, board: Board | None) -> dict[str, str] | None:
    """Return a board and its game as data for board.js.

    `jumps` are the legal jumps of the solution; `illegal` is the illegal jump after them, if any.
    """
    if board is None or result.full or result.verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_RUN):
        return None
    if card(result)["pictures"] and not _is_replayed(result):
        return None  # the message has the board that it speaks of
    seen = verify(board, result.jumps)
    fault = seen.fault if result.jumps else None
    return {
        "cells": format_cells(board),
        "jumps": json.dumps(result.jumps[: seen.legal]),
        "illegal": "" if fault is None else json.dumps(result.jumps[seen.legal]),
        "reason": "" if fault is None else fault.reason,
    }
