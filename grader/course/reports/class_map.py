"""Compute the coordinates of the class page's map of outcomes, which the template draws.

All marks of one kind are one SVG path; otherwise a page for 1,000 students would be many times larger.
"""

from collections import defaultdict
from functools import cache
from typing import Any

from grader.course.reports.standings import Standings
from grader.result import Verdict

Plot = dict[str, Any]  # values for the template

MOST_CELL, LEAST_CELL, MAP_WIDTH = 26, 13, 1050
MOST_ROW, LEAST_ROW, MAP_HEIGHT = 13, 0.6, 600
MAP_TOP, MAP_BOTTOM, MAP_LEFT, MAP_RIGHT, GAP = 190, 8, 8, 40, 8
OUTCOMES = {  # the CSS class of a cell, in words
    "ok": "right",
    "part": "right, but not all points",
    "fail": "wrong, illegal or crashed",
    "slow": "too slow",
    "todo": "not written or not run",
    "ours": "the grader's own fault",
}
_OUTCOME = {
    Verdict.TIMEOUT: "slow",
    Verdict.NOT_WRITTEN: "todo",
    Verdict.NOT_RUN: "todo",
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
    for each in standings.checks:
        columns[each.at] = each.board
        cells[each.student][each.at] = _outcome(each.verdict, each.points, each.most)
    ranked = sorted(
        (each for each in standings.students if each.student.id in cells), key=lambda each: -each.grade.total
    )
    row = max(LEAST_ROW, min(MOST_ROW, MAP_HEIGHT / max(1, len(ranked))))
    cell = max(LEAST_CELL, min(MOST_CELL, MAP_WIDTH // max(1, len(columns))))
    x_of = {
        column: MAP_LEFT + cell * (number + 0.5) + GAP * column[0]
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
    number_of = {outcome: str(number) for number, outcome in enumerate(OUTCOMES)}
    in_order = sorted(columns)
    codes = {
        who: "".join(number_of[cells[who][column]] if column in cells[who] else "-" for column in in_order)
        for who in (each.student.id for each in ranked)
    }
    names = {number: task.name for number, task in enumerate(standings.tasks)}
    first = {task: column for column in reversed(in_order) for task in [column[0]]}
    return {
        "width": int(max(x_of.values(), default=0) + cell / 2 + MAP_RIGHT),
        "height": int(MAP_TOP + row * len(ranked) + MAP_BOTTOM),
        "paths": {outcome: "".join(runs[outcome]) for outcome in OUTCOMES if outcome in runs},
        "tasks": [(x_of[column] - cell / 2, names[task]) for task, column in sorted(first.items())],
        "boards": [(x_of[column], board, names[column[0]]) for column, board in sorted(columns.items())],
        "stroke": cell - 1,  # the width of a column
        "top": MAP_TOP,  # where the cells begin
        "row": row,  # the height of a row
        "codes": codes,  # in the order of the rows
    }


@cache
def _outcome(verdict: Verdict, points: int, most: int) -> str:
    if verdict == Verdict.ACCEPTED:
        return "ok" if points == most else "part"
    return _OUTCOME.get(verdict, "fail")
