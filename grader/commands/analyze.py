"""`grade analyze`: what is true of a board, proved."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from grader import last_results, paths
from grader.catalog.boards import NamedBoard, find_board
from grader.commands.check import check_writable
from grader.errors import FULL_MARKS, InputError

BAR = 24  # characters
OFTEN_S = 0.1  # between two looks of the bar

Hole = tuple[int, int]


def run(
    name: str,
    goal_text: str | None,
    all_problems: bool,
    seconds: float | None,
    format: str,
    output: Path | None,
) -> int:
    """Analyse a board, or every vacancy and goal of its holes, and show what was found.

    Raises:
        InputError: there is no such board or goal, the engine cannot take the board, or there is no engine.
    """
    if not paths.ORACLE.is_dir():
        raise InputError("analyze: not part of this release", "it needs the course's exact engine")
    board = find_board(name)
    goal = None if goal_text is None else _goal(goal_text)
    if all_problems and goal is not None:
        raise InputError("--all: takes every goal", "leave out --goal, or --all")
    if output is not None:
        check_writable(output)
    from grader.commands import analysis_report as report
    from grader.oracle.errors import OracleError

    started = time.monotonic()
    try:
        analyses = _every_problem(board, seconds) if all_problems else _one_board(board, goal, seconds)
    except OracleError as error:
        raise InputError(f"board {board.name}: {error.message}", error.help) from None
    if format == "json":
        text = report.as_json(analyses, all_problems)
    else:
        table = report.problem_table(board, analyses) if all_problems else report.board_table(board, analyses)
        text = f"{table}\n{report.cost(time.monotonic() - started)}\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        last_results.write_whole(output, text)
    return FULL_MARKS


def _goal(text: str) -> Hole:
    row, comma, col = text.partition(",")
    if not (comma and row.strip().isdecimal() and col.strip().isdecimal()):
        raise InputError(f"--goal {text!r}: expected ROW,COL", "for example: --goal 3,3")
    return int(row), int(col)


def _one_board(board: NamedBoard, goal: Hole | None, seconds: float | None) -> list[Any]:
    """Return what is true of a board, and of each goal by itself, up to symmetry, when none was given."""
    from grader.oracle.analysis import analyse, different_goals

    goals = different_goals(board.board) if goal is None else []
    if len(goals) == 1:  # then it is the question itself
        goals = []
    with _bar(1 + len(goals)) as bar:
        bar.start(board.name)
        found = [analyse(board.name, board.board, goal, seconds=seconds, progress=bar.show)]
        for each in goals if found[0].solvable is not False else []:
            bar.start(f"{board.name} to {each[0]},{each[1]}")
            found.append(
                analyse(
                    board.name, board.board, each,
                    count_reachable=False, seconds=seconds, progress=bar.show,
                )
            )  # fmt: skip
    return found


def _every_problem(board: NamedBoard, seconds: float | None) -> list[Any]:
    """Return what is true of each vacancy and goal of the board's holes, up to symmetry, in their order."""
    from grader.oracle.analysis import analyse_problems

    found = []
    with _bar() as bar:
        bar.start("a first problem")
        for each in analyse_problems(board.name, board.board, seconds, bar.show):
            found.append(each)
            bar.start(f"after {each.board} to {each.goal[0]},{each.goal[1]}" if each.goal else each.board)
    if not found:
        raise InputError(
            f"board {board.name}: the classes of its holes exclude every vacancy with every goal",
            "try it without --all",
        )
    return sorted(found, key=lambda each: (each.board, each.goal))


class _Bar:
    """A line on a terminal that shows how far the work is; nothing where there is no terminal."""

    def __init__(self, problems: int | None) -> None:
        self._of = "" if problems is None else f"/{problems}"
        self._number = 0
        self._name = ""
        self._shown_at = 0.0

    def start(self, name: str) -> None:
        """Go on to the next problem."""
        self._number += 1
        self._name = name

    def show(self, what: str, done: int, steps: int) -> None:
        """Show how many steps of a part of it are done."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._shown_at >= OFTEN_S:
            self._shown_at = now
            filled = BAR * done // max(1, steps)
            bar = "#" * filled + "." * (BAR - filled)
            line = f"{self._number}{self._of}  {self._name}  [{bar}] {what}"
            click.echo(f"\r\x1b[K{line}", nl=False, err=True)


@contextmanager
def _bar(problems: int | None = None) -> Iterator[_Bar]:
    try:
        yield _Bar(problems)
    finally:
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)
