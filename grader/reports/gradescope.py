"""Gradescope's `results.json`: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""

import json
from typing import Any

from grader.catalog.tasks import Task
from grader.messages.phrases import count
from grader.reports import content, json_report
from grader.reports.report import Report
from grader.result import Result


def format_report(report: Report) -> str:
    """Return one JSON object; students see the checks on hidden boards only from `hidden_until` on.

    Until then, Gradescope does not show the total either, and all that it shows is about the visible checks.
    """
    visible, made = report.visible, filter(None, [content.made_line(report)])
    lines = [content.task_score(task, visible) for task in report.tasks if visible.of(task)]
    data = {
        "score": report.score,
        "execution_time": round(sum(result.wall_s for result in visible.results), 2),
        "output": "\n".join(
            [*lines, "", content.summary(visible), *_hidden_note(report), *content.notes(report), *made]
        ),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible" if visible.results else report.hidden_until,
        "stdout_visibility": "hidden",  # other output is for the instructor
        "extra_data": json_report.plain_data(report),
        "tests": [
            _test(f"{first}.{second}", task, result, report)
            for first, task in enumerate(report.tasks, 1)
            for second, result in enumerate(report.of(task), 1)
        ],
        "leaderboard": _leaderboard(visible) if visible.results else [],
    }
    return json.dumps(data, indent=2) + "\n"


def _hidden_note(report: Report) -> list[str]:
    hidden = sum(result.hidden for result in report.results)
    when = {"after_due_date": "until the due date", "after_published": "until grades are published"}
    return [f"{count(hidden, 'check')} not shown {when.get(report.hidden_until, 'here')}"] if hidden else []


def _test(number: str, task: Task, result: Result, report: Report) -> dict[str, Any]:
    return {
        "name": content.check_name(result),
        "number": number,
        "score": result.points,
        "max_score": result.max_points,
        "status": "passed" if result.full else "failed",
        "output": "\n".join(
            filter(None, [content.outcome(result), content.explanation(result, report.verbose)])
        ),
        "output_format": "text",
        "visibility": report.hidden_until if result.hidden else "visible",
        "tags": [task.name, str(result.verdict)],
    }


def _leaderboard(report: Report) -> list[dict[str, Any]]:
    """Return the leaderboard's entries: the points and, if every answer is right, states and CPU seconds."""
    board: list[dict[str, Any]] = [{"name": "Points", "value": report.score, "order": "desc"}]
    compared = content.competing(report)
    if compared is not None:
        states, cpu_s = compared
        if states is not None:
            board.append({"name": "Unsolvable states", "value": states, "order": "asc"})
        board.append({"name": "CPU seconds", "value": cpu_s, "order": "asc"})
    return board
