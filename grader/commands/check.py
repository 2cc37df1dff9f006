"""`grade TASK...`: grade and report; the exit status shows whether points were lost.

`grade --help` imports this module for its options, so the modules that grade are imported inside functions.
"""

import os
import shlex
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader import errors, paths
from grader.commands import listed, options
from grader.commands.output import progress_line, space_notes
from grader.errors import InputError, unknown
from grader.reports.formats import FORMATS

if TYPE_CHECKING:
    from grader.catalog.tasks import Task
    from grader.judging.board_sets import GradedBoards
    from grader.judging.grading import Choice
    from grader.reports.report import Report
    from grader.result import Result
    from grader.sandbox.parent.sandbox import Sandbox


class _Check(click.Command):
    """The command that runs if the first word is no command; so that word may be a misspelt command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args`; report a word that is no task rather than its options, which are unknown here."""
        words = list(takewhile(lambda word: not word.startswith("-"), args))
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            if words:
                from grader.catalog.tasks import chosen_tasks

                chosen_tasks(words, listed())
            raise


@click.command(cls=_Check)
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.submission("Grade the course's own solution.")
@options.BOARD
@options.other_boards
@options.DEBUG
@click.option(
    "--format", "formats", type=click.Choice(list(FORMATS)), multiple=True, metavar="NAME",
    help=f"Format of the report: {', '.join(FORMATS)} (default: table; repeatable, see -o).",
)  # fmt: skip
@options.OUTPUTS
@options.TIER
@click.option("-v", "verbose", is_flag=True, help="Also show wall time, memory and the program's output.")
def check(
    tasks: tuple[str, ...],
    student: Path,
    boards: tuple[str, ...],
    others: options.OtherBoards,
    debug: bool,
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    tier: int | None,
    verbose: bool,
) -> int:
    """Grade tasks."""
    reports = paired(formats, outputs)
    from grader.sandbox.confine import kernel, tiers
    from grader.sandbox.parent.sandbox import Sandbox

    kernel.hide_memory()
    with Sandbox(tiers.chosen(tier, others.hidden, others.hidden), debug, threading.Event()) as sandbox:
        for note in space_notes():
            click.echo(note, err=True)
        sandbox.warm()  # now: it takes longer than all that is imported and read below
        report = _graded(sandbox, tasks, student, boards, others, [format for format, _ in reports])
    return _tell(replace(report, verbose=verbose, environment=os.environ), reports)


def _graded(
    sandbox: "Sandbox",
    tasks: tuple[str, ...],
    student: Path,
    boards: tuple[str, ...],
    others: options.OtherBoards,
    formats: Sequence[str],
) -> "Report":
    """Grade tasks in a sandbox, keep the results for `grade`, and return the report."""
    from grader import last_results
    from grader.catalog import example_file
    from grader.catalog.boards import course_boards
    from grader.catalog.tasks import COMPARED, chosen_tasks, registry
    from grader.judging import board_sets, calibration
    from grader.judging.grading import Choice, Grading
    from grader.reports.report import check_environment
    from grader.result import any_fault
    from grader.submissions import handed_out
    from grader.submissions.submission import digest_of

    chosen = chosen_tasks(tasks, listed())
    debug = sandbox.debug
    board_set, set_options = board_sets.chosen(*others)
    for format in formats:
        check_environment(format, os.environ)
    if not debug and not boards:
        _check_judged(chosen, board_set, set_options)
    if board_set is None:
        checks = {name for task in chosen for check in task.checks for name in (check.name, check.board)}
        known = checks | set(course_boards().names)
        boards = tuple(example_file.full_name(name, student, known) for name in boards)
    choice = Choice(student, boards, board_set, debug, sandbox.tier, calibration.factor())
    digests = {task.name: digest_of(student, task.files) for task in chosen}
    with progress_line() as show:

        def say(name: str, done: int, total: int) -> None:
            if not sandbox.stop.is_set():  # else what is left is counted, but not run
                show(f"{done}/{total}  {name}")

        results = Grading(choice, registry(), say, sandbox).results(chosen)
    if not results and boards:
        names = [check.name for task in chosen for check in task.checks]
        raise unknown("check", boards[0], names, f"checks: {', '.join(names)}")
    if not results and (debug or board_set is None):
        raise no_board()
    last_states = last_results.states_of(student, COMPARED) if board_set is None else {}
    if board_set is None:
        whole = not boards and not debug and not any_fault(results)
        last_results.keep(student, results, digests if whole else {})
    report = report_of(choice, chosen, results, set_options)
    told = "table" in formats and board_set is None and not boards and not debug
    return replace(
        report,
        about=[*report.about, *filter(None, [handed_out.note()])],
        last_states=last_states,
        with_contracts=_with_contracts(report, student, sandbox) if told else {},
    )


def _with_contracts(report: "Report", student: Path, sandbox: "Sandbox") -> "dict[str, Result]":
    """Return the failures with -d of the tasks with full marks, by task."""
    from grader.judging.with_contracts import failure_with_contracts
    from grader.sandbox.parent.sandbox import Sandbox
    from grader.sandbox.parent.zygote import Fault
    from grader.submissions.source_file import SubmissionFault
    from grader.submissions.submission import read_submission

    full = [task for task in report.tasks if all(result.full for result in report.of(task))]
    found: dict[str, Result | None] = {}
    if full:
        with Sandbox(sandbox.tier, True, sandbox.stop) as plain, suppress(SubmissionFault, Fault):
            if plain.forks:
                plain.zygote()  # before the time for the boards begins
            for task in full:
                program = read_submission(student, task.files)
                found[task.name] = failure_with_contracts(task, program, plain, plain.tier, 1 / len(full))
    return {task: result for task, result in found.items() if result is not None}


def _tell(report: "Report", reports: list[tuple[str, Path | None]]) -> int:
    """Write the report in each format, and return the exit status."""
    from grader import folders
    from grader.reports.provenance import here
    from grader.reports.report import render
    from grader.result import any_fault

    for format, output in reports:
        made = here() if format != "table" or report.verbose else None
        if output is None:
            click.echo(render(format, replace(report, made=made, color=in_color())), nl=False)
        else:
            folders.write_whole(output, render(format, replace(report, made=made)))
            click.echo(f"{paths.shown(output)}: {report.score} / {report.max_score}", err=True)
    if any_fault(report.results):
        return errors.OUR_FAULT
    lost = any(not result.full for result in report.results)
    return errors.POINTS_LOST if lost else errors.FULL_MARKS


def _check_judged(tasks: "Sequence[Task]", board_set: "GradedBoards | None", options: str) -> None:
    """Name the tasks that the chosen boards are not for, before anything is graded."""
    from grader.judging import board_sets

    lines = board_sets.not_judged(tasks, board_set, options)
    if board_set is not None and not any(board_sets.checks_of(task, board_set) for task in tasks):
        raise InputError(lines[0], "look at solvable, fewest, forced and tasks in its index.yaml")
    for line in lines:
        click.echo(line, err=True)


def paired(formats: Sequence[str], outputs: Sequence[Path]) -> list[tuple[str, Path | None]]:
    """Return each format with its file; the last file may be None, which means standard output."""
    formats = formats or ("table",)
    if len(outputs) not in (len(formats), len(formats) - 1):
        raise InputError(
            f"expected an -o FILE for each --format but the last, found {len(formats)} --format and "
            f"{len(outputs)} -o",
            "as in: grade all --format markdown -o summary.md --format github",
        )
    return [(format, outputs[at] if at < len(outputs) else None) for at, format in enumerate(formats)]


def report_of(
    choice: "Choice", tasks: "Sequence[Task]", results: "Sequence[Result]", set_options: str = ""
) -> "Report":
    """Return the report of a run, including the options that repeat the run.

    Args:
        set_options: the options that choose `choice.board_set`, with a leading space.
    """
    from grader.catalog.tasks import task_after
    from grader.reports.report import Report
    from grader.sandbox.confine import offers, tiers

    student = " --reference" if choice.student == paths.REFERENCE else options.typed(choice.student)
    return Report(
        tasks,
        results,
        paths.shown(choice.student),
        choice.debug,
        boards="".join(f" --board {shlex.quote(board)}" for board in choice.boards),
        after=task_after(tasks) if not choice.boards and not choice.debug else "",
        options=student + set_options + (" -d" if choice.debug else ""),
        board_set=set_options,
        about=list(filter(None, [tiers.note(choice.tier), "" if offers.compiles() else options.PLAIN])),
        time_factor=choice.time_factor,
    )


def in_color() -> bool:
    """Return whether standard output shows colours."""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def no_board() -> InputError:
    """Return the error for a run that has no board to grade on."""
    return InputError("no board to run", "name one with --board; without --board, -d runs only small boards")
