"""Show the class as one HTML file: what went wrong, points, outcomes, states and CPU time, a row per student.

Like the HTML report, it is self-contained and loads nothing. Its links lead to the students' feedback.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.course.records import file_name_of
from grader.course.reports.class_mistakes import FrequentMessage, Mistake
from grader.course.reports.class_numbers import Numbers
from grader.course.reports.class_plots import OUTCOMES, outcomes, scatter, spread
from grader.course.reports.class_summary import lists
from grader.course.reports.feedback import ENDINGS
from grader.course.reports.gradebook import assignment
from grader.course.reports.leaderboard import places
from grader.course.reports.standings import COMMAND, Standing, Standings
from grader.course.rules.decimals import ZERO, plain
from grader.course.rules.grades import TaskGrade
from grader.messages.phrases import count
from grader.safe_text import one_line
from grader.web import html_page

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (html_page.PAGE_STYLE, TEMPLATES / "class.css")
SCRIPTS = tuple(TEMPLATES / name for name in ("class.js", "class_filter.js", "class_map.js"))
MOST_TEXT = 120  # characters of a cell; gradebook.csv has the full text
LISTED = 50  # lines of a list, as in summary.md
MOST_ROWS = 300  # of a table of messages or mistakes
NAMED = 20  # students listed for one message; the filter shows all of them
IN_THE_TABLE = ("Not graded yet", "Nothing handed in", "Not on the roster")  # shown in each student's row


def format_page(
    standings: Standings, numbers: Numbers, formats: Sequence[str] = ("table",), made: datetime | None = None
) -> str:
    """Return the text of the HTML file.

    Args:
        standings: the class.
        numbers: the class in numbers.
        formats: the formats of the students' feedback; the page links to HTML, or else to the first.
        made: when the page is made; None to leave that out.
    """
    page, glance = _Page(standings, numbers, formats), _glance(standings, numbers)
    found = [each for each in lists(numbers, one_line) if each[0] not in IN_THE_TABLE]
    contents = [
        ("glance", "At a glance", glance),
        ("mistakes", "Mistakes", numbers.mistakes),
        ("messages", "Messages", numbers.messages),
        ("sections", "Sections", numbers.sections),
        ("points", "Points", any(task.points for task in numbers.tasks)),
        ("checks", "Who got what", page.map["paths"]),
        ("boards", "Boards", page.map["paths"]),
        *((_id(title), title, lines) for title, _, lines in found),
        ("students", "Students", True),
    ]
    text = html_page.environment(TEMPLATES).get_template("class.html").render(
        numbers=numbers,
        title=assignment(standings.tasks),
        made=f"{made.astimezone(standings.zone):%Y-%m-%d %H:%M %Z}" if made else "",
        command=standings.store.noted(COMMAND),
        contents=[(id, name) for id, name, there in contents if there],
        glance=glance,
        spreads=[spread(task) for task in numbers.tasks if task.points],
        map=page.map,
        outcomes=OUTCOMES,
        mistakes=[page.mistake(each) for each in numbers.mistakes if len(each.who) > 1][:MOST_ROWS],
        reasons=page.reasons,
        alone=sum(len(each.who) == 1 for each in numbers.mistakes),
        messages=[page.message(each) for each in numbers.messages[:MOST_ROWS]],
        scatters=[scatter(task.name, ranked) for task, ranked in places(standings) if ranked],
        tasks=standings.tasks,
        rows=[page.row(standing) for standing in standings.students],
        sections=sorted({each.student.section for each in standings.students} - {""}),
        most=plain(max((each.grade.max_total for each in standings.students), default=ZERO)),
        listed=LISTED,
        some=count,
        lists=[(_id(title), title, said, lines) for title, said, lines in found],
        **html_page.inside(STYLES, SCRIPTS),
    )  # fmt: skip
    return text + "\n"


class _Page:
    """Makes the values of the page's tables, in which students are known by their row."""

    def __init__(self, standings: Standings, numbers: Numbers, formats: Sequence[str]) -> None:
        self.map = outcomes(standings)
        self._checks = Counter(board.task for board in numbers.boards)
        self._tasks = [task.name for task in standings.tasks]
        self._row_of = {each.student.id: row for row, each in enumerate(standings.students)}
        self._links = {each.student.id: _link(each, formats) for each in standings.students}
        self._ranks = {student: rank for rank, student in enumerate(self.map["codes"])}
        self.reasons = list(dict.fromkeys(mistake.text for mistake in numbers.mistakes))
        number_of = {text: number for number, text in enumerate(self.reasons)}
        self._why: dict[str, dict[str, int]] = defaultdict(dict)  # by student and task, the reason's number
        for mistake in numbers.mistakes:
            for student in mistake.who:
                self._why[student][mistake.task] = number_of[mistake.text]

    def row(self, standing: Standing) -> dict[str, Any]:
        """Return the texts of a student's row in the table."""
        student, why = standing.student, self._why[standing.student.id]
        grades = {task.task: task for task in standing.shown}
        found = [grades.get(task) for task in self._tasks]
        short = [each is None or (each.raw < each.max and not each.excused) for each in found]
        return {
            "link": self._links[student.id],
            "who": [*map(_short, (student.id, student.name, student.section)), standing.which_attempt],
            "points": [points_shown(each) for each in found],
            "short": " ".join(name for name, lacks in zip(self._tasks, short, strict=True) if lacks),
            "why": " ".join(f"{task}:{number}" for task, number in why.items()),
            "rank": self._ranks.get(student.id, ""),
            "cells": self.map["codes"].get(student.id, ""),
            "total": plain(standing.grade.total),
            "late": standing.grade.late,
            "notes": _short("; ".join([*standing.problems, *_rules(standing)])),
        }

    def mistake(self, mistake: Mistake) -> dict[str, Any]:
        """Return the values of a group of students who failed alike."""
        whole = len(mistake.checks) == self._checks[mistake.task]
        checks = "every check" if whole else _listed(mistake.checks)
        return {"it": mistake, "checks": checks, **self._who(mistake.who)}

    def message(self, message: FrequentMessage) -> dict[str, Any]:
        """Return the values of a message."""
        return {"it": message, **self._who(message.who)}

    def _who(self, students: Sequence[str]) -> dict[str, Any]:
        return {
            "rows": " ".join(str(self._row_of[each]) for each in students),
            "named": [(_short(each), self._links[each]) for each in students[:NAMED]],
            "more": max(0, len(students) - NAMED),
        }


def _id(title: str) -> str:
    """Return the id of a section with a title."""
    return title.lower().replace(" ", "-").replace("'", "")


def points_shown(grade: TaskGrade | None) -> str:
    """Return a task's points after the rules, or that the student is excused; empty where there are none."""
    if grade is None:
        return ""
    return "excused" if grade.excused else plain(grade.adjusted)


def _link(standing: Standing, formats: Sequence[str]) -> str:
    """Return the address of a student's feedback beside the page; empty if there is none."""
    if not (standing.shown or standing.grade.held) or not formats:
        return ""
    ending = ENDINGS["html" if "html" in formats else formats[0]]
    return f"feedback/{quote(file_name_of(standing.student.id))}.{ending}"


def _glance(standings: Standings, numbers: Numbers) -> list[tuple[str, str, str]]:
    """Return what a teacher asks first: each question, its answer, and the id of the section with more."""
    found = []
    below = [
        each for each in standings.students if each.attempts and each.grade.total * 2 < each.grade.max_total
    ]
    if below:
        said = f"{len(below):,} of {count(numbers.handed_in, 'student')}"
        found.append(("Handed in, and below half of the points", said, "students"))
    wrong = [each for each in numbers.mistakes if each.wrong and len(each.who) > 1]
    if wrong:
        first = wrong[0]
        lost = f"{count(len(first.who), 'student')}, {count(first.lost, 'point')}"
        said = f"{first.task}, {_short(first.text)}: {lost}"
        found.append(("The common mistake that costs most", said, "mistakes"))
    rated = [(board.separates, board) for board in numbers.boards if board.separates is not None]
    if rated:
        value, board = max(rated, key=lambda each: each[0])
        name = f"{board.task} {_short(board.board)}"
        found.append(("The board that separates most", f"{name}, {value:.2f} of 1", "boards"))
    behind = [(each.behind[1], each) for each in numbers.sections if each.behind]
    if behind:
        by, section = max(behind, key=lambda each: each[0])
        task = section.behind[0] if section.behind else ""
        said = f"{_short(section.name) or 'none'}: {by:.0f} % of the points below the class in {task}"
        found.append(("The section furthest behind", said, "sections"))
    if same := [each for each in numbers.alike if each.same_files]:
        students = len({student for each in same for student in each.students})
        said = f"{count(len(same), 'group')}, {count(students, 'student')}"
        found.append(("The same files", said, _id("The same files")))
    return found


def _rules(standing: Standing) -> list[str]:
    """Return each applied rule once, with its tasks."""
    tasks: dict[str, list[str]] = defaultdict(list)
    for task in standing.grade.tasks:
        for rule in task.rules:
            tasks[rule].append(task.task)
    return [f"{', '.join(of)}: {rule}" for rule, of in tasks.items()]


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(_short(name) for name in names[:most]) + more


def _short(text: str) -> str:
    return one_line(text, MOST_TEXT)
