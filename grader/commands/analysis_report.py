"""Format the findings of `grade analyze` as tables or as JSON."""

import json
import time
from dataclasses import asdict
from typing import Any

from tabulate import tabulate

from framework.board import EMPTY
from framework.jumps import format_jump
from framework.rules import EVERY_CELL_WINS, is_goal
from grader.catalog.boards import NamedBoard
from grader.oracle import class_ends
from grader.oracle.analysis import TOO_MANY, Analysis, peak_mib
from grader.oracle.shape import Hole

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
    size = f"{_number(board.pegs, 'peg')} on {_number(holes, 'hole')}"
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
        [str(jumps), str(board.pegs - jumps), *(_at(counts, jumps) for _, counts in columns)]
        for jumps in range(max(len(counts) for _, counts in columns))
    ]
    rows.append(["in all", "", *(f"{sum(counts):,}" for _, counts in columns)])
    return _tabulated(rows, ["\njumps", "\npegs", *(head for head, _ in columns)])


def _at(counts: list[int], jumps: int) -> str:
    return f"{counts[jumps]:,}" if jumps < len(counts) else "-"


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


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _game(analysis: Analysis) -> str:
    """Return the moves of the best solution, one per line."""
    if not analysis.moves:
        return "the board is solved already"
    end = _hole(analysis.moves[-1][-1][2:])
    lines = [f"a solution in {_number(len(analysis.moves), 'move')}, ending at {end}:"]
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
    return tabulate(rows, heads, tablefmt="plain", colalign=["right"] * len(heads), disable_numparse=True)
