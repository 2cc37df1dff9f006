"""`grade analyze`: what is true of a board, proved."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from framework.board import EMPTY, Board
from framework.jumps import format_jump
from grader import paths, store
from grader.boards import NamedBoard, find_board
from grader.commands.check import check_writable
from grader.errors import FULL_MARKS, InputError

SCHEMA = "peg-analysis/v1"
BAR = 24  # characters
OFTEN_S = 0.1  # between two looks of the bar

Hole = tuple[int, int]


def run(name: str, goal_text: str | None, all_problems: bool, format: str, output: Path | None) -> int:
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
    from grader.oracle.errors import OracleError

    started = time.monotonic()
    try:
        if all_problems:
            analyses = _every_problem(board)
            text = _json_of({"analyses": [_record(each) for each in analyses]})
            table = _problem_table(board, analyses)
        else:
            whole, by_goal = _one_board(board, goal)
            text = _json_of({**_record(whole), "by_goal": [_record(each) for each in by_goal]})
            table = _board_table(board, whole, by_goal)
    except OracleError as error:
        raise InputError(f"board {board.name}: {error.message}", error.help) from None
    if format == "table":
        text = f"{table}\n{_cost(time.monotonic() - started)}\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        store.write_whole(output, text)
    return FULL_MARKS


def _goal(text: str) -> Hole:
    row, comma, col = text.partition(",")
    if not (comma and row.strip().isdecimal() and col.strip().isdecimal()):
        raise InputError(f"--goal {text!r}: expected ROW,COL", "for example: --goal 3,3")
    return int(row), int(col)


def _one_board(board: NamedBoard, goal: Hole | None) -> tuple[Any, list[Any]]:
    """Return what is true of a board, and of each goal by itself when none was given, up to symmetry."""
    from grader.oracle import class_ends
    from grader.oracle.analysis import analyse, different_goals

    goals = different_goals(board.board) if goal is None and len(class_ends(board.board)) > 1 else []
    with _bar(1 + len(goals)) as bar:
        bar.start(board.name if goal is None else f"{board.name} to {_hole(goal)}")
        whole = analyse(board.name, board.board, goal, progress=bar.show)
        by_goal = []
        for each in goals if whole.solvable else []:
            bar.start(f"{board.name} to {_hole(each)}")
            by_goal.append(analyse(board.name, board.board, each, count_reachable=False, progress=bar.show))
    return whole, by_goal


def _every_problem(board: NamedBoard) -> list[Any]:
    """Return what is true of each vacancy and goal of the board's holes, up to symmetry."""
    from grader.oracle.analysis import analyse, problems_of
    from grader.oracle.shape import shape_of

    shape = shape_of(board.board)
    problems = list(problems_of(shape))
    if not problems:
        raise InputError(
            f"board {board.name}: its classes exclude every vacancy and goal",
            "try grade analyze without --all",
        )
    found = []
    with _bar(len(problems)) as bar:
        for vacancy, goal in problems:
            bar.start(f"{_hole(vacancy)} to {_hole(goal)}")
            full: Board = shape.board(shape.full)
            full[vacancy] = EMPTY
            name = f"{board.name}@{_hole(vacancy)}"
            found.append(analyse(name, full, goal, count_reachable=False, progress=bar.show))
    return found


# ---- progress ----------------------------------------------------------------------------------


class _Bar:
    """A line on a terminal that shows how far the work is; nothing where there is no terminal."""

    def __init__(self, problems: int) -> None:
        self._problems = problems
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
            line = f"{self._number}/{self._problems}  {self._name}  [{bar}] {what}"
            click.echo(f"\r\x1b[K{line}", nl=False, err=True)


@contextmanager
def _bar(problems: int) -> Iterator[_Bar]:
    try:
        yield _Bar(problems)
    finally:
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)


# ---- reports -----------------------------------------------------------------------------------


def _record(analysis: Any) -> dict[str, Any]:
    """Return an analysis as plain data; counts that may be large are decimal strings."""
    record = asdict(analysis)
    for name in ("reachable", "winning"):
        counts = getattr(analysis, name)
        record[name] = None if counts is None else counts._asdict()
    for name in ("solutions", "optimal_solutions"):
        record[name] = None if record[name] is None else str(record[name])
    return record


def _json_of(record: dict[str, Any]) -> str:
    return json.dumps({"schema": SCHEMA, **record}) + "\n"


def _board_table(board: NamedBoard, whole: Any, by_goal: list[Any]) -> str:
    parts = [f"{board.name}: {board.pegs} pegs on {int((board.board >= EMPTY).sum())} holes"]
    parts.append(_verdict(board, whole))
    if whole.reachable is not None:
        parts.append(_level_table(board, whole, by_goal))
    if whole.solvable:
        parts.append(_solution_table([whole, *by_goal]))
        best = min([whole, *by_goal], key=lambda each: each.fewest_moves or 0)
        parts.append(_game(best))
    return "\n\n".join(parts) + "\n"


def _verdict(board: NamedBoard, whole: Any) -> str:
    from grader.oracle import class_ends

    where = "" if whole.goal is None else f" at {_hole(whole.goal)}"
    ends = class_ends(board.board)
    if whole.status == "refuted by class":
        allowed = f"only at {_holes(ends)}" if ends else "nowhere"
        verdict = f"no single peg can be left{where}: the class of this board allows one {allowed}"
    elif whole.solvable:
        verdict = f"solvable, proved: a single peg can be left at {_holes(whole.goals)}"
        if others := [end for end in ends if end not in whole.goals and whole.goal is None]:
            verdict += f"; not at {_holes(others)}, which the class allows"
    else:
        verdict = f"not solvable, proved: no way leaves a single peg{where}"
    return f"{verdict}\nfewest pegs that can be left: {whole.fewest_pegs}"


def _level_table(board: NamedBoard, whole: Any, by_goal: list[Any]) -> str:
    """Return the positions by jump: those that can be reached, and those that win."""
    columns = {"reachable\nall": whole.reachable.raw, "\nup to sym.": whole.reachable.canonical}
    for each in [whole, *by_goal]:
        where = "any hole" if each.goal is None else _hole(each.goal)
        if each.winning.raw:
            columns[f"winning\n{where}"] = each.winning.raw
            columns[f"\n{where}, up to sym."] = each.winning.canonical
    columns = {f"{head}": counts for head, counts in columns.items()}
    rows = [
        [str(jumps), str(board.pegs - jumps), *(_at(counts, jumps) for counts in columns.values())]
        for jumps in range(len(whole.reachable.raw))
    ]
    rows.append(["all", "", *(f"{sum(counts):,}" for counts in columns.values())])
    return _tabulated(rows, ["\njumps", "\npegs", *columns])


def _at(counts: list[int], jumps: int) -> str:
    return f"{counts[jumps]:,}" if jumps < len(counts) else "-"


def _solution_table(analyses: list[Any]) -> str:
    rows = [
        ["any hole" if each.goal is None else _hole(each.goal), *_solution_figures(each)] for each in analyses
    ]
    return _tabulated(rows, ["\nlast peg at", *SOLUTION_HEADS])


def _problem_table(board: NamedBoard, analyses: list[Any]) -> str:
    rows = [
        [
            each.board.partition("@")[2],
            _hole(each.goal),
            each.status
            if each.status == "refuted by class"
            else "yes, proved"
            if each.solvable
            else "no, proved",
            f"{sum(each.winning.canonical):,}",
            f"{sum(each.winning.raw):,}",
            *_solution_figures(each),
            f"{each.cpu_s:.1f}",
        ]
        for each in analyses
    ]
    heads = ["\nvacancy", "\ngoal", "\nsolvable", "winning\nup to sym.", "\nall", *SOLUTION_HEADS, "CPU\ns"]
    title = f"{board.name}: every vacancy to every goal, {len(analyses)} problems up to symmetry"
    return f"{title}\n\n{_tabulated(rows, heads)}\n"


SOLUTION_HEADS = ("\nsolutions", "fewest\nmoves", "solutions with\nfewest moves")


def _solution_figures(analysis: Any) -> list[str]:
    return [
        "-" if figure is None else f"{figure:,}"
        for figure in (analysis.solutions, analysis.fewest_moves, analysis.optimal_solutions)
    ]


def _game(analysis: Any) -> str:
    """Return the moves of a best solution, a line each."""
    title = (
        f"a solution in {analysis.fewest_moves} moves, ending at {_hole(analysis.moves[-1][-1][2:])}:"
        if analysis.moves
        else "it is solved already"
    )
    lines = []
    for number, move in enumerate(analysis.moves, 1):
        text = format_jump(move[0]) + "".join(f" -> {row}:{col}" for _, _, row, col in move[1:])
        lines.append(f"  {number:2}  {text}")
    return "\n".join([title, *lines])


def _cost(wall_s: float) -> str:
    from grader.oracle.analysis import peak_mib

    cpu_s = time.process_time()
    return f"{wall_s:.1f} s, {cpu_s:.1f} CPU s, {peak_mib():,.0f} MiB"


def _hole(hole: Hole) -> str:
    return f"{hole[0]},{hole[1]}"


def _holes(holes: list[Hole]) -> str:
    return "  ".join(map(_hole, holes))


def _tabulated(rows: list[list[str]], heads: list[str]) -> str:
    return tabulate(rows, heads, tablefmt="plain", colalign=["right"] * len(heads), disable_numparse=True)
