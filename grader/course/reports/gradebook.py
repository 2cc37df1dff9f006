"""Write the gradebook as CSV: for a spreadsheet, for Canvas and for Moodle.

Nothing in them depends on when or how fast the class was graded.

- gradebook.csv begins with a byte order mark; without it, Excel would read it in the machine's code page.
- Canvas (`lib/gradebook_importer.rb`): `Student` and `ID` first, then SIS columns, `Section` last, then one
  column per assignment, identified by its title if no `(ID)` follows; the next row has the points possible.
  A student is found by `ID`, or by the SIS columns if there is no `ID`.
- Moodle's grading worksheet (`mod/assign/feedback/offline/importgradeslib.php`): it needs the columns
  `Identifier`, `Grade` and `Last modified (grade)`, and takes `Feedback comments` as HTML. A grade above the
  assignment's maximum is skipped.
Canvas and Moodle keep their own grade where a cell is empty. The total's cell is left empty if nothing was
handed in, or if the total is not final.
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from grader.catalog.tasks import Task, registry
from grader.course.csv_text import AsGiven, Cell, as_csv
from grader.course.handins.worksheet import Worksheet
from grader.course.records import Student
from grader.course.reports.standings import Standing, Standings
from grader.course.rules.grades import plain

BYTE_ORDER_MARK = "\ufeff"
ASSIGNMENT = "Peg Solitaire"
_NUMBER = re.compile(r"[0-9]+")


def format_gradebook(standings: Standings) -> str:
    """Return a row per student, by id, including those who handed in nothing or are not on the roster."""
    tasks = [task.name for task in standings.tasks]
    head = ["id", "name", "email", "section", "roster", "attempt", *tasks, *(f"{task} raw" for task in tasks)]
    head += ["total", "of", "raw total", "late", "rules", "problems"]
    return BYTE_ORDER_MARK + as_csv([head, *(_row(standing, tasks) for standing in standings.students)])


def _row(standing: Standing, tasks: Sequence[str]) -> list[Cell]:
    student, grade = standing.student, standing.grade
    counted = {task.task: task for task in standing.shown}
    who: list[Cell] = [student.id, student.name, student.email, student.section]
    return [
        *who,
        "yes" if student.on_roster else "no",
        standing.which_attempt,
        *(counted[task].shown if task in counted else "" for task in tasks),
        *(counted[task].raw if task in counted else "" for task in tasks),
        grade.total,
        grade.max_total,
        grade.raw_total,
        grade.late,
        "; ".join(grade.told_rules),
        "; ".join(standing.problems),
    ]


def format_canvas(standings: Standings) -> str:
    """Return the total as one assignment of Canvas's gradebook."""
    most = standings.most
    totals = ((each.student, [_final(each, most)]) for each in standings.students)
    return as_canvas({assignment(standings.tasks): most}, totals)


def as_canvas(most: Mapping[str, Cell], points: Iterable[tuple[Student, Sequence[Cell]]]) -> str:
    """Return Canvas's gradebook; `most` has the points possible of each assignment, by its title."""
    rows: list[list[Cell]] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *most],
        ["Points Possible", "", "", "", "", *most.values()],
    ]
    for student, cells in points:
        number = student.platform_id if _NUMBER.fullmatch(student.platform_id) else ""
        sis = "" if number else student.id  # what the id is at the university, only the roster knows
        rows.append([student.name, number, sis, sis, student.section, *cells])
    return as_csv(rows)


def format_moodle(standings: Standings, worksheet: Worksheet | None = None) -> str:
    """Return the total as Moodle's grading worksheet of one assignment, with points by task as feedback.

    If Moodle's own worksheet is given, it is that, with the grades and the feedback of those whose grade is
    final. All else stays as it is, in Moodle's words and language, by which Moodle finds the columns again.
    """
    if worksheet is not None:
        by_id = {standing.student.id: standing for standing in standings.students}
        most = standings.most
        whose = zip(worksheet.ids, worksheet.rows, strict=True)
        rows = [_filled(worksheet, row, by_id.get(id), most) for id, row in whose]
        return as_csv([[*map(AsGiven, worksheet.header)], *rows])
    head: list[Cell] = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
    head += ["Last modified (grade)", "Feedback comments"]
    return as_csv([head, *(_moodle_row(standing) for standing in standings.students)])


def other_maximum(standings: Standings, worksheet: Worksheet | None) -> str:
    """Return that the assignment in Moodle has another maximum than the course; empty if it has not."""
    most = standings.most
    if worksheet is None or not most or worksheet.maximum == most:
        return ""
    maximum, total = plain(worksheet.maximum), plain(most)
    return (
        f"moodle.csv: the worksheet's maximum grade is {maximum}, the course's total {total}: in Moodle set "
        f"the assignment's maximum to {total}, and download the worksheet again"
    )


def _moodle_row(standing: Standing) -> list[Cell]:
    student = standing.student
    status = "Submitted for grading" if standing.attempts else "No submission"
    feedback = _feedback(standing) if standing.is_final else ""
    number = _NUMBER.fullmatch(student.platform_id)  # as a roster may have it
    identifier = f"Participant {number[0]}" if number else student.platform_id
    who: list[Cell] = [identifier, student.name, student.email, status]
    return [*who, _final(standing, standing.grade.max_total), standing.grade.max_total, "", feedback]


def _filled(
    worksheet: Worksheet, row: Sequence[str], standing: Standing | None, most: Decimal
) -> Sequence[Cell]:
    """Return a row of Moodle's worksheet with the student's grade, if it is final."""
    cells: list[Cell] = [*map(AsGiven, row)]
    if standing is None or not standing.is_final:
        return cells
    cells[worksheet.grade] = _final(standing, most)
    if worksheet.feedback is not None:
        cells[worksheet.feedback] = _feedback(standing)
    return cells


def _feedback(standing: Standing) -> str:
    return "<br>".join(html.escape(line) for line in standing.account())


def assignment(tasks: Sequence[Task]) -> str:
    """Return the assignment's title; it lists the tasks, unless the run has every task that is not extra."""
    names = [task.name for task in tasks]
    whole = [task.name for task in registry().tasks.values() if not task.extra]
    return ASSIGNMENT if set(whole) <= set(names) else f"{ASSIGNMENT}: {', '.join(names)}"


def _final(standing: Standing, most: Decimal) -> Cell:
    total = standing.total_of(most)
    return "" if total is None else total
