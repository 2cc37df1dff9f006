"""Show the class as one HTML file: points, outcomes, states and CPU time, and a row per student.

Like the HTML report, it is self-contained and loads nothing.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any

from grader.course.reports.class_numbers import Numbers
from grader.course.reports.class_plots import OUTCOMES, outcomes, scatter, spread
from grader.course.reports.class_summary import lists
from grader.course.reports.leaderboard import places
from grader.course.reports.standings import Standing, Standings
from grader.course.rules.decimals import ZERO, plain
from grader.messages.phrases import count
from grader.safe_text import one_line
from grader.web import html_page

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (html_page.PAGE_STYLE, TEMPLATES / "class.css")
SCRIPTS = (TEMPLATES / "class.js",)
MOST_TEXT = 120  # characters of a cell; gradebook.csv has the full text
LISTED = 50  # lines of a list, as in summary.md
IN_THE_TABLE = ("Not graded yet", "Nothing handed in", "Not on the roster")  # shown in each student's row


def format_page(standings: Standings, numbers: Numbers) -> str:
    """Return the text of the HTML file."""
    names = [task.name for task in standings.tasks]
    text = html_page.environment(TEMPLATES).get_template("class.html").render(
        numbers=numbers,
        spreads=[spread(task) for task in numbers.tasks if task.points],
        map=outcomes(standings),
        outcomes=OUTCOMES,
        scatters=[scatter(task.name, ranked) for task, ranked in places(standings) if ranked],
        tasks=standings.tasks,
        rows=[_row(standing, names) for standing in standings.students],
        most=plain(max((each.grade.max_total for each in standings.students), default=ZERO)),
        listed=LISTED,
        some=count,
        lists=[each for each in lists(numbers, one_line) if each[0] not in IN_THE_TABLE],
        **html_page.inside(STYLES, SCRIPTS),
    )  # fmt: skip
    return text + "\n"


def _row(standing: Standing, tasks: list[str]) -> dict[str, Any]:
    """Return the texts of a student's row in the table."""
    student = standing.student
    points = {task.task: plain(task.adjusted) for task in standing.counted}
    return {
        "who": [*map(_short, (student.id, student.name, student.section)), standing.which_attempt],
        "points": [points.get(task, "") for task in tasks],
        "total": plain(standing.grade.total),
        "late": standing.grade.late,
        "notes": _short("; ".join([*standing.problems, *_rules(standing)])),
    }


def _rules(standing: Standing) -> list[str]:
    """Return each applied rule once, with its tasks."""
    tasks: dict[str, list[str]] = defaultdict(list)
    for task in standing.grade.tasks:
        for rule in task.rules:
            tasks[rule].append(task.task)
    return [f"{', '.join(of)}: {rule}" for rule, of in tasks.items()]


def _short(text: str) -> str:
    return one_line(text, MOST_TEXT)
