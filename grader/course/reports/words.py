"""What the reports of a class say alike of a student's grade."""

from datetime import timedelta
from decimal import Decimal

from grader.course.reports.standings import Standing
from grader.course.rules.policies import Grade
from grader.messages.phrases import count
from grader.safe_text import one_line

MOST = 5_000  # characters of one text; a cell of Excel takes 32,767


def attempts(standing: Standing) -> str:
    """Return which attempt counts: its number, or one for each task where they differ."""
    numbers = {task.attempt for task in standing.counted}
    if len(numbers) == 1:
        return str(*numbers)
    return ", ".join(f"{task.task} {task.attempt}" for task in standing.counted)


def late(grade: Grade) -> str:
    """Return how late the latest task that counts was, in hours, minutes and seconds; empty where in time."""
    most = max((task.late for task in grade.tasks), default=timedelta(0))
    return lateness(most)


def lateness(late: timedelta) -> str:
    """Return a time in hours, minutes and seconds, as in 26:15:09; empty for none."""
    if late <= timedelta(0):
        return ""
    minutes, seconds = divmod(late // timedelta(seconds=1), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def problems(standing: Standing) -> list[str]:
    """Return what an instructor should know of a student's grade."""
    told = [] if standing.student.on_roster else ["not on the roster"]
    if not standing.attempts:
        return [*told, "nothing was handed in"]
    told += [
        f"{task} is not final: the grader could not run {count(number, 'check')}"
        for task, number in standing.ours.items()
    ]
    return [*told, *standing.grade.notes]


def account(standing: Standing, all_tasks: bool = True) -> list[str]:
    """Return a line a task: its points, and each rule that adjusted them.

    Args:
        standing: the student.
        all_tasks: whether tasks have one to which no rule was applied.
    """
    lines = []
    for task in standing.counted:
        if not (task.rules or all_tasks):
            continue
        line = f"{task.task}: {task.raw} / {task.max}"
        if task.rules:
            line += f", {plain(task.adjusted)} after the course's rules: {'; '.join(task.rules)}"
        lines.append(one_line(line, MOST))
    return lines


def plain(number: Decimal) -> str:
    """Return a number without zeros at the end of its decimals."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
