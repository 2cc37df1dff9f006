"""Show the class as one HTML file: five answers, the map of all checks, and the rest folded below.

Like the HTML report, it is self-contained and loads nothing. Its links lead to the students' feedback.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from grader.course.records import file_name_of
from grader.course.reports.answers import (
    COUNTED,
    Reason,
    fallen,
    nobody_to_talk_to,
    other_answers,
    shortened,
    whom_to_talk_to,
)
from grader.course.reports.class_mistakes import Mistake
from grader.course.reports.class_numbers import Numbers
from grader.course.reports.class_summary import BEGUN, WORTH_A_LOOK, lists
from grader.course.reports.compare import points_before, since_before
from grader.course.reports.feedback import ENDINGS
from grader.course.reports.gradebook import assignment
from grader.course.reports.standings import COMMAND, Standing, Standings
from grader.course.rules.grades import plain
from grader.messages.phrases import count
from grader.result import Verdict
from grader.safe_text import one_line
from grader.web import html_page

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (*html_page.FILE_STYLES, TEMPLATES / "class.css")
SCRIPTS = (
    html_page.STATIC / "unfold.js",
    *(TEMPLATES / name for name in ("class.js", "class_filter.js", "class_map.js")),
)
TALKED = 3  # students of one reason who are named; of more a link tells, so that all is read in 20 seconds
MOST_ROWS = 200  # of a table of mistakes, and of a list
LISTED = 6  # checks named for one message
NAMED = 20  # students listed for one message; the filter shows all of them


def format_page(
    standings: Standings, numbers: Numbers, formats: Sequence[str] = ("table",), made: datetime | None = None
) -> str:
    """Return the text of the HTML file."""
    talk = whom_to_talk_to(standings, numbers)
    page = _Page(standings, numbers, formats, talk)
    listed = lists(numbers, _escaped, page.who)
    return html_page.page(
        TEMPLATES / "class.html",
        STYLES,
        SCRIPTS,
        numbers=numbers,
        title=assignment(standings.tasks),
        made=f"{made.astimezone(standings.zone):%Y-%m-%d %H:%M %Z}" if made else "",
        command=standings.store.noted(COMMAND),
        talk=[
            {
                "said": each.said,
                "students": [(Markup(page.who(who)), points) for who, points in each.points.items()],
                "rows": page.rows([*each.points]),
            }
            for each in talk
        ],
        talked=TALKED,
        look=[(title, len(lines)) for title, _, lines in listed if title in WORTH_A_LOOK],
        nobody=nobody_to_talk_to(numbers),
        answers=[(each, page.rows(each.students)) for each in other_answers(standings, numbers)],
        shares=[
            (
                "",
                task.task.name,
                task.share,
                "-" if task.share is None else f"{task.share:.0f} % (n = {len(task.ready):,})",
            )
            for task in numbers.tasks
        ],
        map=page.map,
        outcomes=OUTCOMES,
        mistakes=[page.mistake(each) for each in numbers.mistakes if len(each.who) > 1][:MOST_ROWS],
        alone=sum(len(each.who) == 1 for each in numbers.mistakes),
        tasks=standings.tasks,
        rows=[page.row(standing) for standing in standings.students],
        most=plain(standings.most),
        counted=COUNTED,
        begun=BEGUN,
        listed=MOST_ROWS,
        some=count,
        lists=[(title, said, list(map(Markup, lines))) for title, said, lines in listed],
    )


def compile_template() -> None:
    """Compile the page's template."""
    html_page.environment(TEMPLATES).get_template("class.html")


class _Page:
    """Makes the values of the page's tables, in which students are known by their row."""

    def __init__(
        self, standings: Standings, numbers: Numbers, formats: Sequence[str], talk: Sequence[Reason]
    ) -> None:
        self.map = outcomes(standings)
        self._checks = Counter(board.task for board in numbers.boards)
        self._tasks = [task.name for task in standings.tasks]
        self._row_of = {each.student.id: row for row, each in enumerate(standings.students)}
        self._links = {each.student.id: _link(each, formats) for each in standings.students}
        self._ranks = {student: rank for rank, student in enumerate(self.map["codes"])}
        self._student = {each.student.id: each.student for each in standings.students}
        self._why: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for mistake in numbers.mistakes:
            for task, said in mistake.said.items():
                for student, text in said.items():
                    self._why[student][text].append(task)
        since, fell = since_before(standings), fallen(standings, numbers)
        self._changed = {
            who: f"{before} \u2192 {now} points{since}"
            for who, (before, now) in points_before(standings).items()
            if before != now
        }
        self._reason = {who: each.said for each in talk for who in each.points if who not in fell}
        self._copies: dict[str, list[str]] = defaultdict(list)  # by student, of whom or what
        for group in numbers.alike:
            for student in group.students if group.same_files else ():
                others = _listed([each for each in group.students if each != student])
                self._copies[student].append(f"{', '.join(group.tasks)}: identical to the files of {others}")
        for student, tasks in numbers.references.items():
            self._copies[student].append(f"{', '.join(tasks)}: a copy of the course's own solution")

    def who(self, student: str) -> str:
        """Return the HTML of a student in a list: the id, a link to the row, and the name."""
        name, row = self._student[student].name, self._row_of[student]
        link = f'<a href="#row-{row}">{_escaped(student)}</a>'
        return f"{link} {_escaped(name)}" if name not in ("", student) else link

    def rows(self, students: Sequence[str]) -> str:
        """Return the rows of students, as the page's script reads them."""
        return " ".join(str(self._row_of[each]) for each in students)

    def row(self, standing: Standing) -> dict[str, Any]:
        """Return the texts of a student's row in the table."""
        student = standing.student
        grades = {task.task: task for task in standing.shown}
        found = [grades.get(task) for task in self._tasks]
        short = [each is None or (each.raw < each.max and not each.excused) for each in found]
        why = [f"{', '.join(tasks)}: {text}" for text, tasks in self._why[student.id].items()]
        notes = [notes[student.id] for notes in (self._changed, self._reason) if student.id in notes]
        notes += [*why, *self._copies[student.id], *standing.problems, *standing.grade.told_rules]
        return {
            "link": self._links[student.id],
            "who": [*map(shortened, (student.id, student.name, student.section)), standing.which_attempt],
            "points": [each.shown if each else "" for each in found],
            "short": " ".join(name for name, lacks in zip(self._tasks, short, strict=True) if lacks),
            "rank": self._ranks.get(student.id, ""),
            "cells": self.map["codes"].get(student.id, ""),
            "total": plain(standing.grade.total),
            "late": standing.grade.late,
            "notes": "; ".join(map(shortened, notes)),
        }

    def mistake(self, mistake: Mistake) -> dict[str, Any]:
        """Return the values of a mistake's row."""
        whole = all(len(failed) == self._checks[task] for task, failed in mistake.checks.items())
        told = [
            _listed(failed) if len(mistake.checks) == 1 else f"{task}: {_listed(failed)}"
            for task, failed in mistake.checks.items()
        ]
        return {
            "it": mistake,
            "checks": "every check" if whole else "; ".join(told),
            "rows": self.rows(mistake.who),
            "named": [(shortened(each), self._links[each]) for each in mistake.who[:NAMED]],
            "more": max(0, len(mistake.who) - NAMED),
        }


def _link(standing: Standing, formats: Sequence[str]) -> str:
    """Return the address of a student's feedback beside the page; empty if there is none."""
    if not (standing.shown or standing.grade.held) or not formats:
        return ""
    ending = ENDINGS["html" if "html" in formats else formats[0]]
    return f"feedback/{quote(file_name_of(standing.student.id))}.{ending}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(shortened, names[:LISTED])) + more


def _escaped(text: str) -> str:
    return str(escape(one_line(text)))


# ---- the map -------------------------------------------------------------------------------------

MOST_CELL, LEAST_CELL, MAP_WIDTH = 26, 13, 1050
MOST_ROW, LEAST_ROW, MAP_HEIGHT = 13, 0.6, 600
MAP_TOP, MAP_BOTTOM, MAP_LEFT, MAP_RIGHT, GAP = 190, 8, 8, 40, 8
OUTCOMES = {  # the CSS class of a cell, in words
    "ok": "all points",
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


def outcomes(standings: Standings) -> dict[str, Any]:
    """Return the plot of outcomes: a row per student, most points first; a column per check, task by task.

    The cells of each outcome form one SVG path, in which consecutive cells of a column are one line: with a
    mark for each cell a page for 1,000 students would be many times larger. `codes` has, by student, a digit
    for each column: the outcome's number in OUTCOMES, or `-` where nothing was handed in. From them the
    page's script tells whose cell is under the pointer.
    """
    boards: dict[tuple[int, int], str] = {}
    cells: dict[str, dict[tuple[int, int], str]] = defaultdict(dict)
    for each in standings.checks:
        boards[each.at] = each.board
        cells[each.student][each.at] = _outcome(each.verdict, each.points, each.most)
    columns = sorted(boards)
    by_points = sorted(standings.students, key=lambda each: -each.grade.total)
    ranked = [each.student.id for each in by_points if each.student.id in cells]
    row = max(LEAST_ROW, min(MOST_ROW, MAP_HEIGHT / max(1, len(ranked))))
    cell = max(LEAST_CELL, min(MOST_CELL, MAP_WIDTH // max(1, len(columns))))
    x_of = {at: MAP_LEFT + cell * (number + 0.5) + GAP * at[0] for number, at in enumerate(columns)}
    paths: dict[str, str] = dict.fromkeys(OUTCOMES, "")
    for column in columns:
        begun = 0
        for outcome, alike in groupby(cells[who].get(column) for who in ranked):
            length = len(list(alike))
            if outcome:
                paths[outcome] += f"M{x_of[column]:g} {MAP_TOP + begun * row:.6g}v{length * row:.6g}"
            begun += length
    number_of = {outcome: str(number) for number, outcome in enumerate(OUTCOMES)}
    first = {task: column for column in reversed(columns) for task in [column[0]]}
    names = [task.name for task in standings.tasks]
    return {
        "width": int(max(x_of.values(), default=0) + cell / 2 + MAP_RIGHT),
        "height": int(MAP_TOP + row * len(ranked) + MAP_BOTTOM),
        "paths": {outcome: path for outcome, path in paths.items() if path},
        "tasks": [(x_of[column] - cell / 2, names[task]) for task, column in sorted(first.items())],
        "boards": [(x_of[at], boards[at], names[at[0]]) for at in columns],
        "stroke": cell - 1,  # the width of a column
        "top": MAP_TOP,  # where the cells begin
        "row": row,  # the height of a row
        "codes": {  # in the order of the rows
            who: "".join(number_of.get(cells[who].get(at, ""), "-") for at in columns) for who in ranked
        },
    }


@cache
def _outcome(verdict: Verdict, points: int, most: int) -> str:
    if verdict == Verdict.ACCEPTED:
        return "ok" if points == most else "part"
    return _OUTCOME.get(verdict, "fail")
