"""Compute the coordinates of the class page's plots, which the template draws.

All marks of one kind are one SVG path; otherwise a page for 1,000 students would be many times larger.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

from grader.course.reports.class_numbers import TaskNumbers
from grader.course.reports.leaderboard import Place
from grader.course.reports.standings import Standings
from grader.result import Verdict

Plot = dict[str, Any]  # values for the template; `words` describe the plot in text

# ---- points ------------------------------------------------------------------------------------

SPREAD_WIDTH, LEFT, RIGHT, TOP = 280, 8, 8, 16
BARS_BOTTOM, DOTS_MIDDLE, DOTS_HEIGHT = 110, 136, 26  # y of the bars' feet and of the middle of the dots
DOTS_SPREAD = 0.7  # of the room between two numbers of points, so that dots of the same number do not overlap
# The fractional parts of their multiples fill a square evenly, as inverse powers of the plastic number.
ACROSS, UP = 0.7548777, 0.5698403


def spread(numbers: TaskNumbers) -> Plot:
    """Return the plot of a task's points: a histogram by tenths, and below it a box plot and dots.

    The last bar is for full marks. The box goes from the lower to the upper quartile, with the median.
    """
    tenths = numbers.tenths
    width = (SPREAD_WIDTH - LEFT - RIGHT) / len(tenths)
    unit = (BARS_BOTTOM - TOP) / max(*tenths, 1)
    bars = [
        {
            "x": round(LEFT + width * place + 1, 1),
            "y": round(BARS_BOTTOM - number * unit, 1),
            "width": round(width - 2, 1),
            "height": round(number * unit, 1),
            "number": number,
            "label": "all points" if place == 10 else f"{10 * place} to {10 * place + 9} % of the points",
        }
        for place, number in enumerate(tenths)
    ]

    def x_of(points: float) -> float:
        """Return the x coordinate for points: below their tenth's bar, or below the last for full marks."""
        share = points / numbers.most if numbers.most else 1.0
        return round(LEFT + width * (10.5 if share >= 1 else share * 10), 1)

    apart = min(1.0, 10 / max(1, numbers.most)) * width * DOTS_SPREAD
    dots = [
        f"M{max(2, x_of(points) + apart * (number * ACROSS % 1 - 0.5)):.1f} "
        f"{DOTS_MIDDLE + DOTS_HEIGHT * (number * UP % 1 - 0.5):.1f}h0"
        for number, points in enumerate(numbers.points)
    ]
    first, middle, third = numbers.quartiles
    words = (
        f"{numbers.full:,} of {len(numbers.points):,} have all {numbers.most} points; "
        f"quartiles {first:g}, {middle:g}, {third:g}"
    )
    ticks = [(x_of(numbers.most * share / 100), f"{share} %") for share in (0, 50)]
    ticks.append((round(LEFT + width * 10.5, 1), "all"))
    box = [x_of(quartile) for quartile in numbers.quartiles]
    return {
        "numbers": numbers, "bars": bars, "box": box, "dots": "".join(dots), "ticks": ticks, "words": words,
    }  # fmt: skip


# ---- outcomes -----------------------------------------------------------------------------------

CELL, MOST_ROW, LEAST_ROW, MAP_HEIGHT = 13, 13, 0.6, 600
MAP_TOP, MAP_BOTTOM, MAP_LEFT, MAP_RIGHT, GAP = 190, 8, 8, 40, 8
OUTCOMES = {  # the CSS class of a cell, in words
    "ok": "right",
    "part": "right, but not all points",
    "fail": "wrong, illegal or crashed",
    "slow": "too slow",
    "todo": "not written",
    "none": "not run",
    "ours": "the grader's own fault",
}
_OUTCOME = {
    Verdict.TIMEOUT: "slow",
    Verdict.NOT_WRITTEN: "todo",
    Verdict.NOT_RUN: "none",
    Verdict.GRADER_ERROR: "ours",
}


def outcomes(standings: Standings) -> Plot:
    """Return the plot of outcomes: a row per student, most points first; a column per check, task by task.

    The cells of each outcome form one path, in which consecutive cells of a column are one line. `codes` has,
    by student, a digit for each column: the outcome's number in OUTCOMES, or `-` where nothing was handed in.
    From them the page's script tells whose cell is under the pointer.
    """
    columns: dict[tuple[int, int], str] = {}
    cells: dict[str, dict[tuple[int, int], str]] = defaultdict(dict)
    for student, _, task, check, board, verdict, points, most in standings.checks:
        columns[task, check] = board
        cells[student][task, check] = _outcome(verdict, points, most)
    ranked = sorted(
        (each for each in standings.students if each.student.id in cells), key=lambda each: -each.grade.total
    )
    row = max(LEAST_ROW, min(MOST_ROW, MAP_HEIGHT / max(1, len(ranked))))
    x_of = {
        column: MAP_LEFT + CELL * (number + 0.5) + GAP * column[0]
        for number, column in enumerate(sorted(columns))
    }
    runs: dict[str, list[str]] = defaultdict(list)
    open_runs: dict[tuple[int, int], tuple[str, int]] = {}  # by column: the outcome and its first row

    def end(column: tuple[int, int], at: int) -> None:
        outcome, begun = open_runs.pop(column)
        runs[outcome].append(f"M{x_of[column]:g} {MAP_TOP + begun * row:.6g}v{(at - begun) * row:.6g}")

    for number, standing in enumerate(ranked):
        here = cells[standing.student.id]
        for column in [each for each in open_runs if here.get(each) != open_runs[each][0]]:
            end(column, number)
        for column, outcome in here.items():
            open_runs.setdefault(column, (outcome, number))
    for column in list(open_runs):
        end(column, len(ranked))
    bottom = MAP_TOP + row * len(ranked)
    number_of = {outcome: str(number) for number, outcome in enumerate(OUTCOMES)}
    in_order = sorted(columns)
    codes = {
        who: "".join(number_of[cells[who][column]] if column in cells[who] else "-" for column in in_order)
        for who in (each.student.id for each in ranked)
    }
    names = {number: task.name for number, task in enumerate(standings.tasks)}
    first = {task: column for column in reversed(in_order) for task in [column[0]]}
    return {
        "width": int(max(x_of.values(), default=0) + CELL / 2 + MAP_RIGHT),
        "height": int(bottom + MAP_BOTTOM),
        "paths": {outcome: "".join(runs[outcome]) for outcome in OUTCOMES if outcome in runs},
        "tasks": [(x_of[column] - CELL / 2, names[task]) for task, column in sorted(first.items())],
        "boards": [(x_of[column], board, names[column[0]]) for column, board in sorted(columns.items())],
        "stroke": CELL - 1,  # the width of a column
        "top": MAP_TOP,  # where the cells begin
        "bottom": bottom,  # and end
        "row": row,  # the height of a row
        "codes": codes,  # in the order of the rows
    }


@cache
def _outcome(verdict: str, points: int, most: int) -> str:
    if verdict == Verdict.ACCEPTED:
        return "ok" if points == most else "part"
    return _OUTCOME.get(Verdict(verdict), "fail")


# ---- states and time -----------------------------------------------------------------------------

SCATTER_WIDTH, SCATTER_HEIGHT = 330, 260
SCATTER_LEFT, SCATTER_RIGHT, SCATTER_TOP, SCATTER_BOTTOM = 52, 26, 12, 42
TICKS_APART, FEWEST_TICKS = 0.22, 3  # on an axis: so far apart, by its length, that their labels do not touch
JITTER = 7  # how far equal programs are moved apart at most


def scatter(task: str, places: Sequence[Place]) -> Plot:
    """Return the plot of a leaderboard's places: states against CPU seconds, on logarithmic axes.

    The axes reach from the least to the most, so that the dots spread; those of equal programs are moved
    apart a little, evenly.
    """
    states = [max(1, place.states) for place in places]
    seconds = [max(0.01, place.cpu_s) for place in places]
    x_range, y_range = _range(states), _range(seconds)
    wide, bottom = SCATTER_WIDTH - SCATTER_LEFT - SCATTER_RIGHT, SCATTER_HEIGHT - SCATTER_BOTTOM

    def x_of(value: float) -> float:
        return SCATTER_LEFT + wide * _share(value, x_range)

    def y_of(value: float) -> float:
        return bottom - (bottom - SCATTER_TOP) * _share(value, y_range)

    dots = []
    for number, (x, y) in enumerate(zip(states, seconds, strict=True)):
        right, up = ((number * step % 1 - 0.5) * JITTER for step in (ACROSS, UP))
        dots.append(f"M{x_of(x) + right:.1f} {y_of(y) + up:.1f}h0")
    return {
        "title": task,
        "dots": "".join(dots),
        "across": [(round(x_of(tick), 1), _shown(tick)) for tick in _ticks(x_range)],
        "up": [(round(y_of(tick), 1), f"{_shown(tick)} s") for tick in _ticks(y_range)],
        "words": f"{len(places):,} programs: {min(states):,} to {max(states):,} states, "
        f"{min(seconds):.2f} to {max(seconds):.2f} CPU seconds",
    }


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a logarithmic axis on which all values lie, with some room at both ends."""
    low, high = min(values), max(values)
    room = max((high / low) ** 0.06, 1.1)
    return low / room, high * room


def _share(value: float, ends: tuple[float, float]) -> float:
    """Return where a value lies on a logarithmic axis, from 0 to 1."""
    low, high = ends
    return math.log(value / low) / math.log(high / low)


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Return the round numbers at which an axis has ticks, the roundest of which there are enough."""
    low, high = ends
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found: list[float] = []
    for tenths in ((10,), (10, 30), (10, 20, 50), (10, 15, 20, 30, 50, 70), range(10, 100)):
        found = []
        for tick in (tenth * 10.0 ** (power - 1) for power in powers for tenth in tenths):
            apart = not found or _share(tick, ends) - _share(found[-1], ends) >= TICKS_APART
            if low <= tick <= high and apart:
                found.append(tick)
        if len(found) >= FEWEST_TICKS:
            break
    return found


def _shown(number: float) -> str:
    if number >= 1e6:
        return f"{number / 1e6:g} M"
    return f"{round(number):,}" if number >= 100 else f"{number:.3g}"
