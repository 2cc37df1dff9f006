"""`grade TASK...`: grade, report, and say by the exit status whether points were lost."""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from grader import errors, last_results, paths
from grader.catalog.boards import unknown
from grader.catalog.tasks import Task, chosen_tasks, registry
from grader.errors import InputError
from grader.judging import calibration
from grader.judging.board_sets import GradedBoards
from grader.judging.grading import Choice, Grading
from grader.reports.report import Report, check_environment, render
from grader.result import Verdict
from grader.sandbox.confine import kernel, tiers
from grader.submissions import handed_out
from grader.submissions.submission import digest_of


def run(
    names: tuple[str, ...],
    student: Path | None,
    boards: tuple[str, ...],
    board_set: GradedBoards | None,
    set_options: str,
    debug: bool,
    reports: Sequence[tuple[str, Path | None]],
    tier: int | None,
    verbose: bool,
) -> int:
    """Grade the tasks called `names` and return the exit status.

    Args:
        names: tasks, or `all`.
        student: the folder with the student's files; None for the reference.
        boards: boards to run instead of the tasks' own.
        board_set: the boards that take the place of the tasks' own, or None.
        set_options: what to type to have the same set again, with a leading space.
        debug: plain Python with contracts.
        reports: names of `grader.reports.report.FORMATS`, each with its file or None for standard output.
        tier: what must hold the student's processes; None for the best that is had by itself.
        verbose: whether to show more.
    """
    tasks = chosen_tasks(names)
    for format, output in reports:
        check_environment(format, os.environ)
        if output is not None:
            check_writable(output)
    folder = student if student is not None else _reference()
    choice = Choice(
        folder,
        boards,
        board_set,
        debug,
        tier=tiers.best() if tier is None else tiers.require(tier),
        time_factor=calibration.factor(),
    )
    kernel.hide_memory()
    with_progress = sys.stderr.isatty()
    grading = Grading(
        choice,
        registry(),
        _show_progress if with_progress else _no_progress,
    )
    digests = {task.name: digest_of(folder, task.files) for task in tasks}
    try:
        results = grading.results(tasks)
    finally:
        if with_progress:
            click.echo("\r\x1b[K", nl=False, err=True)
    if not results and boards:
        known = [check.name for task in tasks for check in task.checks]
        raise unknown("check", boards[0], known, f"checks: {', '.join(known)}")
    if not results and (debug or board_set is None):
        raise InputError("no board to run", "name one with --board; -d runs only the small boards by itself")
    unjudged = [task.name for task in tasks if all(result.task != task.name for result in results)]
    if unjudged and board_set is not None and not debug and not boards:
        message = f"{set_options.strip()}: no board that {', '.join(unjudged)} can judge"
        if not results:
            raise InputError(message, "look at solvable, fewest, forced and tasks in its index.yaml")
        click.echo(message, err=True)
    ours = any(result.verdict == Verdict.GRADER_ERROR for result in results)
    if board_set is None:
        whole = not boards and not debug and not ours
        last_results.keep(folder, results, digests if whole else {})
    report = Report(
        tasks,
        results,
        paths.shown(folder),
        debug,
        verbose,
        boards="".join(f" --board {shlex.quote(board)}" for board in boards),
        after=task_after(tasks) if not boards and not debug else "",
        options=typed_options(student, set_options, debug),
        board_set=set_options,
        time_factor=choice.time_factor,
        about=[note] if (note := handed_out.note()) else [],
        environment=os.environ,
    )
    for format, output in reports:
        if output is None:
            color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
            click.echo(render(format, replace(report, color=color)), nl=False)
        else:
            last_results.write_whole(output, render(format, report))
            click.echo(f"{paths.shown(output)}: {report.score} / {report.max_score}", err=True)
    if ours:
        return errors.OUR_FAULT
    lost = any(not result.full for result in results)
    return errors.POINTS_LOST if lost else errors.FULL_MARKS


def paired(formats: Sequence[str], outputs: Sequence[Path]) -> list[tuple[str, Path | None]]:
    """Return each format with its file; the last may be without one, for standard output.

    Raises:
        InputError: they do not go together.
    """
    formats = formats or ("table",)
    if len(outputs) not in (len(formats), len(formats) - 1):
        raise InputError(
            f"expected an -o FILE for each --format but the last, found {len(formats)} --format and "
            f"{len(outputs)} -o",
            "as in: grade all --format markdown -o summary.md --format github",
        )
    return [(format, outputs[at] if at < len(outputs) else None) for at, format in enumerate(formats)]


def _reference() -> Path:
    if not paths.REFERENCE.is_dir():
        raise InputError("--reference: not part of this release", "leave the option out")
    return paths.REFERENCE


def task_after(tasks: list[Task]) -> str:
    """Return the task that is worked on after these, or nothing."""
    names = [name for name, task in registry().tasks.items() if not task.extra or task is tasks[-1]]
    return "".join(names[names.index(tasks[-1].name) + 1 :][:1])


def typed_options(student: Path | None, set_options: str, debug: bool) -> str:
    """Return what to type after `grade TASK` to grade the same code again, with a leading space."""
    options = ""
    if student is None:
        options += " --reference"
    elif student != Path("student"):
        options += f" --student {shlex.quote(paths.shown(student))}"
    return options + set_options + (" -d" if debug else "")


def check_writable(output: Path) -> None:
    """Raise InputError before the work is done if the report could not be written after it."""
    folder = output.parent
    if output.is_dir():
        problem = "it is a folder"
    elif not folder.is_dir():
        problem = f"there is no folder {paths.shown(folder)}"
    elif not os.access(output if output.exists() else folder, os.W_OK):
        problem = "permission denied"
    else:
        return
    raise InputError(f"{paths.shown(output)}: cannot be written: {problem}", "choose another -o FILE")


def _show_progress(name: str, done: int, total: int) -> None:
    click.echo(f"\r\x1b[K{done}/{total}  {name}", nl=False, err=True)


def _no_progress(name: str, done: int, total: int) -> None:
    pass
