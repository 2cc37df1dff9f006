"""`grade analyze`: prove facts about a board."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader.catalog.boards import NamedBoard, find_board
from grader.commands.options import OUTPUT, TABLE_OR_JSON
from grader.commands.output import progress_line, write
from grader.errors import FULL_MARKS, InputError

BAR = 24  # characters
EVERY_S = 0.1  # between two updates of the bar

Hole = tuple[int, int]
Show = Callable[[str], None]


@click.command()
@click.argument("board_name", metavar="BOARD")
@click.option(
    "--goal", "goal_text", metavar="ROW,COL", help="Hole where the last peg must be left (default: any)."
)
@click.option(
    "--all", "all_problems", is_flag=True,
    help="Analyze every vacancy of the board with every goal, up to symmetry, and print one table.",
)  # fmt: skip
@TABLE_OR_JSON
@OUTPUT
def analyze(
    board_name: str,
    goal_text: str | None,
    all_problems: bool,
    format_: str,
    output: Path | None,
) -> int:
    """Prove whether a board is solvable; find the fewest pegs and moves, and the winning positions."""
    board = find_board(board_name)
    goal = None if goal_text is None else _goal(goal_text)
    if all_problems and goal is not None:
        raise InputError("--all: covers every goal", "leave out --goal, or --all")
    from grader.commands import analysis_report as report
    from grader.oracle.problem import OracleError

    started = time.monotonic()
    try:
        with progress_line(EVERY_S) as show:
            analyses = _every_problem(board, show) if all_problems else _one_board(board, goal, show)
    except OracleError as error:
        raise InputError(f"board {board.name}: {error.message}", error.help) from None
    if format_ == "json":
        text = report.as_json(analyses, all_problems)
    else:
        table = report.problem_table(board, analyses) if all_problems else report.board_table(board, analyses)
        text = f"{table}\n{report.cost(time.monotonic() - started)}\n"
    write(text, output)
    return FULL_MARKS


def _goal(text: str) -> Hole:
    row, comma, col = text.partition(",")
    if not (comma and row.strip().isdecimal() and col.strip().isdecimal()):
        raise InputError(f"--goal {text!r}: expected ROW,COL", "for example: --goal 3,3")
    return int(row), int(col)


def _one_board(board: NamedBoard, goal: Hole | None, show: Show) -> list[Any]:
    """Return a board's analysis and, if no goal is given, an analysis for each single goal up to symmetry."""
    from grader.oracle.analysis import analyse, different_goals

    goals = different_goals(board.board) if goal is None else []
    if len(goals) == 1:  # the same problem as the whole board
        goals = []
    count = 1 + len(goals)
    bar = _bar(show, f"1/{count}  {board.name}")
    found = [analyse(board.name, board.board, goal, progress=bar)]
    is_proved = found[0].solvable and found[0].status == "proved"
    for number, each in enumerate(goals if is_proved else []):
        bar = _bar(show, f"{number + 2}/{count}  {board.name} to {each[0]},{each[1]}")
        found.append(analyse(board.name, board.board, each, count_reachable=False, progress=bar))
    return found


def _every_problem(board: NamedBoard, show: Show) -> list[Any]:
    """Return the analysis of each pair of vacancy and goal up to symmetry, in the order of the holes."""
    from grader.oracle.analysis import analyse_problems

    found: list[Any] = []

    def progress(what: str, done: int, steps: int) -> None:
        _bar(show, f"problem {len(found) + 1}")(what, done, steps)

    found.extend(analyse_problems(board.name, board.board, progress))
    if not found:
        raise InputError(
            f"board {board.name}: the classes of its holes exclude every vacancy with every goal",
            "try it without --all",
        )
    return sorted(found, key=lambda each: (each.board, each.goal))


def _bar(show: Show, title: str) -> Callable[[str, int, int], None]:
    """Return a function that draws a progress bar: how many steps of the current activity are done."""

    def progress(what: str, done: int, steps: int) -> None:
        filled = BAR * done // max(1, steps)
        show(f"{title}  [{'#' * filled}{'.' * (BAR - filled)}] {what}")

    return progress
