"""`grade`: show where you stand on every task, and the one thing to do next."""

from pathlib import Path

import click
from tabulate import tabulate

from grader import last_results, paths
from grader.catalog.tasks import Task, registry
from grader.commands.options import STUDENT
from grader.errors import FULL_MARKS, POINTS_LOST
from grader.submissions.cutting import is_stub
from grader.submissions.source_file import SubmissionFault, read_raw
from grader.submissions.submission import check_folder, digest_of


@click.command()
@STUDENT
def status(student: Path) -> int:
    """Show where you stand on every task, from the last results, without grading again."""
    check_folder(student)
    kept = last_results.load(student)
    rows, next_step, score = [], "", 0
    tasks = list(registry().tasks.values())
    for task in tasks:
        state, points, todo = _state(task, student, kept.get(task.name, {}))
        if not task.extra:
            score += points or 0
            next_step = next_step or todo
        state += " (extra)" if task.extra else ""
        rows.append(
            [task.name, task.title, state, f"{'-' if points is None else points} / {task.max_points}"]
        )
    most = sum(task.max_points for task in tasks if not task.extra)
    heads, aligned = ["task", "", "", "points"], ["left", "left", "left", "right"]
    click.echo(tabulate(rows, heads, tablefmt="plain", colalign=aligned, disable_numparse=True))
    click.echo(f"\n{score} / {most}   {f'next: {next_step}' if next_step else 'all points'}")
    return FULL_MARKS if score == most else POINTS_LOST


def _state(task: Task, student: Path, kept: dict[str, object]) -> tuple[str, int | None, str]:
    """Return a task's state in words, its points if known, and the next step."""
    path = student / task.file
    shown = f"{paths.shown(student)}/{task.file}"
    if not path.is_file():
        return "no such file", None, f"put {task.file} back; for a fresh stub: grade start ."
    try:
        missing = is_stub((read_raw(path, shown) or b"").decode("utf-8", "replace"), path.name)
    except SubmissionFault as fault:
        return "cannot be read", None, f"{fault.help} ({fault.message})"
    score, todo = kept.get("score"), f"grade {task.name}"
    if missing:
        todo = f"open {shown} ({task.handout}), then: {todo}"
        if not score:
            return "not written yet", None, todo
    if not isinstance(score, int):
        return "not graded yet", None, todo
    if kept.get("digest") != digest_of(student, task):
        return f"changed since graded ({score} / {task.max_points} then)", None, todo
    if score < task.max_points:
        return "partly written" if missing else "graded", score, todo
    return "full marks", score, ""
