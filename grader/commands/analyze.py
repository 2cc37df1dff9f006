"""`grade analyze`: prove facts about a board."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from framework.board import EMPTY
from framework.jumps import format_jump
from framework.rules import EVERY_CELL_WINS, is_goal
from grader.catalog.boards import NamedBoard, find_board
from grader.commands.options import TABLE_OR_JSON, progress_line
from grader.errors import FULL_MARKS, InputError
from grader.messages.phrases import count
from grader.oracle import class_ends
from grader.oracle.analysis import TOO_MANY, Analysis, analyse, analyse_problems, different_goals, peak_mib
from grader.oracle.problem import OracleError
from grader.oracle.shape import Hole
from grader.reports.content import plain_table

BAR = 24  # characters
EVERY_S = 0.1  # between two updates of the bar

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
def analyze(board_name: str, goal_text: str | None, all_problems: bool, format_: str) -> int:
    """Prove whether a board is solvable; find the fewest pegs and moves, and the winning positions."""
    board = find_board(board_name)
    goal = None if goal_text is None else _read_goal(goal_text)
    if all_problems and goal is not None:
        raise InputError("--all: covers every goal", "leave out --goal, or --all")
    started = time.monotonic()
    try:
        with progress_line(EVERY_S) as show:
            analyses = _every_problem(board, show) if all_problems else _one_board(board, goal, show)
    except OracleError as error:
        raise InputError(f"board {board.name}: {error.message}", error.help) from None
    if format_ == "json":
        text = as_json(analyses, all_problems)
    else:
        table = problem_table(board, analyses) if all_problems else board_table(board, analyses)
        text = f"{table}\n{cost(time.monotonic() - started)}\n"
    click.echo(text, nl=False)
    return FULL_MARKS


def _read_goal(text: str) -> Hole:
    row, comma, col = text.partition(",")
    if not (comma and row.strip().isdecimal() and col.strip().isdecimal()):
        raise InputError(f"--goal {text!r}: expected ROW,COL", "for example: --goal 3,3")
    return int(row), int(col)


def _one_board(board: NamedBoard, goal: Hole | None, show: Show) -> list[Analysis]:
    """Return a board's analysis and, if no goal is given, an analysis for each single goal up to symmetry."""
    goals = different_goals(board.board) if goal is None else []
    if len(goals) == 1:  # the same problem as the whole board
        goals = []
    problems = 1 + len(goals)
    bar = _bar(show, f"1/{problems}  {board.name}")
    found = [analyse(board.name, board.board, goal, progress=bar)]
    is_proved = found[0].solvable and found[0].status == "proved"
    for number, each in enumerate(goals if is_proved else []):
        bar = _bar(show, f"{number + 2}/{problems}  {board.name} to {each[0]},{each[1]}")
        found.append(analyse(board.name, board.board, each, count_reachable=False, progress=bar))
    return found


def _every_problem(board: NamedBoard, show: Show) -> list[Analysis]:
    """Return the analysis of each pair of vacancy and goal up to symmetry, in the order of the holes."""
    found: list[Analysis] = []

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


SCHEMA = "peg-analysis/v1"
LEVELS = """\
positions after each jump: all that can be reached, then those from which a single peg can still be left at
the goal; "up to sym." counts a position and its images once if the question does not tell them apart.\
"""


def as_json(analyses: list[Analysis], all_problems: bool) -> str:
    """Return the analyses as JSON: those of single goals inside the first; if `all_problems`, one list."""
    records = [_record(each) for each in analyses]
    if all_problems:
        data = {"schema": SCHEMA, "analyses": records}
    else:
        data = {"schema": SCHEMA, **records[0], "by_goal": records[1:]}
    return json.dumps(data) + "\n"


def _record(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain data; counts that may get large are decimal strings."""
    record = asdict(analysis)
    for name in ("reachable", "winning"):
        counts = getattr(analysis, name)
        record[name] = None if counts is None else counts._asdict()
    for name in ("solutions", "optimal_solutions"):
        record[name] = None if record[name] is None else str(record[name])
    return record


def board_table(board: NamedBoard, analyses: list[Analysis]) -> str:
    """Return the tables for a board: the analysis for any goal first, then those of single goals."""
    whole = analyses[0]
    holes = int((board.board >= EMPTY).sum())
    size = f"{count(board.pegs, 'peg')} on {count(holes, 'hole')}"
    parts = [f"{board.name}: {size}", _verdict(board, whole)]
    if whole.reachable is not None or (whole.winning is not None and whole.winning.raw):
        parts.append(f"{LEVELS}\n\n{_level_table(board, analyses)}")
    if whole.solvable:
        parts.append(_tabulated([_figures(each) for each in analyses], ["last peg at", *FIGURES]))
        parts.append(_game(min(analyses, key=lambda each: len(each.moves) if each.solvable else 1 << 30)))
    return "\n\n".join(parts) + "\n"


def problem_table(board: NamedBoard, analyses: list[Analysis]) -> str:
    """Return a table with a row for each pair of vacancy and goal."""
    rows = [[each.board.rpartition("@")[2], *_figures(each)] for each in analyses]
    title = f"{board.name}: every vacancy to every goal, {len(analyses)} problems up to symmetry"
    return f"{title}\n\n{_tabulated(rows, ['vacancy', 'last peg at', *FIGURES])}\n"


def cost(wall_s: float) -> str:
    """Return the cost of the run: wall time, CPU time and peak memory."""
    return f"{wall_s:.1f} s, {time.process_time():.1f} CPU s, {peak_mib():,.0f} MiB"


def _verdict(board: NamedBoard, whole: Analysis) -> str:
    anywhere = "" if EVERY_CELL_WINS else " on a goal"
    where = anywhere if whole.goal is None else f" at {_hole(whole.goal)}"
    ends = [end for end in class_ends(board.board) if is_goal(*end)]
    if whole.status == "refuted by class":
        allows = f"allows it only at {_holes(ends)}" if ends else "rules it out everywhere"
        verdict = f"no single peg can be left{where}: the class of this board {allows}"
    elif whole.solvable:
        at = f" at {_holes(whole.goals)}" if whole.goals else ""
        verdict = f"solvable, {whole.status}: a single peg can be left{at}"
        others = [end for end in ends if end not in whole.goals]
        if others and whole.goal is None and whole.status == "proved":
            verdict += f"; not at {_holes(others)}, which its class allows"
        if whole.status == "found":
            verdict += f"\n{TOO_MANY}"
    elif whole.status == "solved elsewhere":
        verdict = f"solved elsewhere: the only peg is not{where or ' on a goal'}"
    else:
        verdict = f"not solvable, proved: no sequence of jumps leaves a single peg{where}"
    if whole.fewest_pegs is not None:
        verdict += f"\nfewest pegs that can be left: {whole.fewest_pegs}"
    return verdict


def _level_table(board: NamedBoard, analyses: list[Analysis]) -> str:
    """Return a table of how many positions are reachable, and how many can win, after each jump."""
    whole = analyses[0]
    columns = []
    if whole.reachable is not None:
        columns.append(("reachable\nup to sym.", whole.reachable.canonical))
        columns.append(("\nall", whole.reachable.raw))
    for each in analyses:
        if each.winning is not None and each.winning.raw:
            columns.append((f"to {_goal(each)}\nup to sym.", each.winning.canonical))
            columns.append(("\nall", each.winning.raw))
    rows = [
        [
            str(jumps),
            str(board.pegs - jumps),
            *(f"{counts[jumps]:,}" if jumps < len(counts) else "-" for _, counts in columns),
        ]
        for jumps in range(max(len(counts) for _, counts in columns))
    ]
    rows.append(["in all", "", *(f"{sum(counts):,}" for _, counts in columns)])
    return _tabulated(rows, ["\njumps", "\npegs", *(head for head, _ in columns)])


FIGURES = (
    "\nsolvable", "winning\nup to sym.", "\nall", "\nsolutions", "fewest\nmoves",
    "solutions with\nfewest moves", "CPU\ns",
)  # fmt: skip


def _figures(analysis: Analysis) -> list[str]:
    """Return the table row of an analysis, as a list of cells that begins with the goal."""
    return [
        _goal(analysis),
        f"{'yes' if analysis.solvable else 'no'}, {analysis.status}",
        *("-" if counts is None else _count(sum(counts)) for counts in analysis.winning or (None, None)),
        _count(analysis.solutions),
        _count(analysis.fewest_moves),
        _count(analysis.optimal_solutions),
        f"{analysis.cpu_s:.1f}",
    ]


def _count(figure: int | None) -> str:
    return "-" if figure is None else f"{figure:,}"


def _game(analysis: Analysis) -> str:
    """Return the moves of the best solution, one per line."""
    if not analysis.moves:
        return "the board is solved already"
    end = _hole(analysis.moves[-1][-1][2:])
    lines = [f"a solution in {count(len(analysis.moves), 'move')}, ending at {end}:"]
    for number, move in enumerate(analysis.moves, 1):
        text = format_jump(move[0]) + "".join(f" -> {row}:{col}" for _, _, row, col in move[1:])
        lines.append(f"  {number:2}  {text}")
    return "\n".join(lines)


def _goal(analysis: Analysis) -> str:
    anywhere = "any hole" if EVERY_CELL_WINS else "any goal"
    return anywhere if analysis.goal is None else _hole(analysis.goal)


def _hole(hole: Hole) -> str:
    return f"{hole[0]},{hole[1]}"


def _holes(holes: list[Hole]) -> str:
    return "  ".join(map(_hole, holes))


def _tabulated(rows: list[list[str]], heads: list[str]) -> str:
    heads = [head if "\n" in head else f"\n{head}" for head in heads]
    return plain_table(rows, heads, ["right"] * len(heads))
