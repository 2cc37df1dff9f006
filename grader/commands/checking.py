"""Grade tasks for `grade TASK...`, and make the reports of its runs and of `grade watch`."""

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from grader import errors, folders, last_results, paths
from grader.catalog import example_file
from grader.catalog.boards import course_boards
from grader.catalog.tasks import COMPARED, Task, chosen_tasks, registry, task_after
from grader.commands import listed, options
from grader.commands.options import progress_line
from grader.errors import InputError, unknown
from grader.judging import board_sets, calibration
from grader.judging.board_choice import BoardChoice
from grader.judging.board_sets import GradedBoards
from grader.judging.grading import Choice, Grading
from grader.judging.with_contracts import failure_with_contracts
from grader.reports import provenance
from grader.reports.report import Report, check_environment, render
from grader.result import Result, Verdict, any_fault
from grader.sandbox.confine import offers, tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.parent.zygote import Fault
from grader.submissions import handed_out
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import digest_of, read_submission


def graded(
    sandbox: Sandbox,
    tasks: tuple[str, ...],
    student: Path,
    boards: tuple[str, ...],
    others: BoardChoice | None,
    formats: Sequence[str],
) -> Report:
    """Grade tasks in a sandbox, keep the results for `grade`, and return the report."""
    chosen = chosen_tasks(tasks, listed())
    debug = sandbox.debug
    board_set = board_sets.boards_of(others) if others else None
    set_options = others.options if others else ""
    for format in formats:
        check_environment(format, os.environ)
    if not debug and not boards:
        _check_judged(chosen, board_set, set_options)
    if board_set is None:
        checks = {name for task in chosen for check in task.checks for name in (check.name, check.board)}
        known = checks | set(course_boards().names)
        boards = tuple(example_file.full_name(name, student, known) for name in boards)
    choice = Choice(student, boards, board_set, debug, sandbox.tier, calibration.factor())
    digests = {task.name: digest_of(student, task) for task in chosen}
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


def _with_contracts(report: Report, student: Path, sandbox: Sandbox) -> dict[str, Result]:
    """Return the failures with -d of the tasks with full marks, by task.

    Where something is told of a task already, that is enough, unless -d fails on the same board.
    """
    full = [task for task in report.tasks if all(each.points == each.max_points for each in report.of(task))]
    told = {
        task.name: {each.board: each.verdict for each in report.of(task) if each.message} for task in full
    }
    full = [task for task in full if Verdict.ACCEPTED not in told[task.name].values()]
    found: dict[str, Result | None] = {}
    if full:
        with Sandbox(sandbox.tier, True, sandbox.stop) as plain, suppress(SubmissionFault, Fault):
            if plain.forks:
                plain.zygote()  # before the time for the boards begins
            for task in full:
                program = read_submission(student, task.files)
                found[task.name] = failure_with_contracts(task, program, plain, plain.tier, 1 / len(full))
    return {
        task: result
        for task, result in found.items()
        if result is not None and (not told[task] or result.board in told[task])
    }


def tell(report: Report, reports: list[tuple[str, Path | None]], began: str) -> int:
    """Write the report in each format, and return the exit status.

    Args:
        began: the date that it tells; that of its end would tell how long hidden checks took.
    """
    for format, output in reports:
        made = replace(provenance.here(), date=began) if format != "table" or report.verbose else None
        if output is None:
            click.echo(render(format, replace(report, made=made, color=in_color())), nl=False)
        else:
            folders.write_whole(output, render(format, replace(report, made=made)))
            click.echo(f"{paths.shown(output)}: {report.score} / {report.max_score}", err=True)
    if any_fault(report.results):
        return errors.OUR_FAULT
    lost = any(not result.full for result in report.results)
    return errors.POINTS_LOST if lost else errors.FULL_MARKS


def _check_judged(tasks: Sequence[Task], board_set: GradedBoards | None, options: str) -> None:
    """Name the tasks that the chosen boards are not for, before anything is graded."""
    lines = board_sets.not_judged(tasks, board_set, options)
    if board_set is not None and not any(board_sets.checks_of(task, board_set) for task in tasks):
        raise InputError(lines[0], "look at solvable, fewest, forced and tasks in its index.yaml")
    for line in lines:
        click.echo(line, err=True)


def report_of(
    choice: Choice, tasks: Sequence[Task], results: Sequence[Result], set_options: str = ""
) -> Report:
    """Return the report of a run, including the options that repeat the run.

    Args:
        set_options: the options that choose `choice.board_set`, with a leading space.
    """
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
