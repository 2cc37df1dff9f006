"""The whole class as one HTML file: points, who has what right, states and time, and a row a student.

Like the HTML report it holds all it needs and asks nobody for anything.
"""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.course.reports.class_numbers import Numbers
from grader.course.reports.class_plots import OUTCOMES, outcomes, scatter, spread
from grader.course.reports.class_summary import alike_line, flag_line
from grader.course.reports.leaderboard import places
from grader.course.reports.standings import Standing, Standings
from grader.course.reports.words import attempts, late, plain, problems
from grader.messages.phrases import count
from grader.safe_text import one_line
from grader.web import html_page

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (html_page.PAGE_STYLE, TEMPLATES / "class.css")
SCRIPTS = (TEMPLATES / "class.js",)
MOST_TEXT = 120  # characters of a cell; gradebook.csv has all of it
LISTED = 50  # lines of a list; summary.md has the same


@dataclass(frozen=True)
class Row:
    """A student's row: the texts of its cells from the id on, the points by task, and what else to know."""

    who: tuple[str, str, str, str]
    points: tuple[str, ...]
    total: str
    late: str
    notes: str


def format_page(standings: Standings, numbers: Numbers) -> str:
    """Return the file's text."""
    names = [task.name for task in standings.tasks]
    text = html_page.environment(TEMPLATES).get_template("class.html").render(
        numbers=numbers,
        spreads=[spread(task) for task in numbers.tasks if task.points],
        map=outcomes(standings),
        outcomes=OUTCOMES,
        scatters=[scatter(task.name, ranked) for task, ranked in places(standings) if ranked],
        tasks=standings.tasks,
        rows=[_row(standing, names) for standing in standings.students],
        most=plain(max((each.grade.max_total for each in standings.students), default=Decimal(0))),
        listed=LISTED,
        some=count,
        flags=[flag_line(flag) for flag in numbers.flags],
        same=[alike_line(group) for group in numbers.alike if group.same_files],
        alike=[alike_line(group) for group in numbers.alike if not group.same_files],
        ours=[f"{student}: {count(checks, 'check')}" for student, checks in numbers.ours],
        **html_page.inside(STYLES, SCRIPTS),
    )  # fmt: skip
    return text + "\n"


def _row(standing: Standing, tasks: list[str]) -> Row:
    student = standing.student
    points = {task.task: plain(task.adjusted) for task in standing.counted}
    who = (student.id, student.name, student.section, attempts(standing))
    return Row(
        (_short(who[0]), _short(who[1]), _short(who[2]), who[3]),
        tuple(points.get(task, "") for task in tasks),
        plain(standing.grade.total),
        late(standing.grade),
        _short("; ".join([*problems(standing), *_rules(standing)])),
    )


def _rules(standing: Standing) -> list[str]:
    """Return each rule that was applied, once, with its tasks."""
    tasks: dict[str, list[str]] = defaultdict(list)
    for task in standing.grade.tasks:
        for rule in task.rules:
            tasks[rule].append(task.task)
    return [f"{', '.join(of)}: {rule}" for rule, of in tasks.items()]


def _short(text: str) -> str:
    return one_line(text, MOST_TEXT)
