"""Lay out a class's feedback as course platforms and mail programs take it.

Each format is from the platform's own source or manual:

- Moodle, *Upload multiple feedback files in a zip*: mod/assign/feedback/file/importziplib.php. A name begins
  with the student's name, the participant's number and the plugin's two names, with `_` between them.
- Canvas, *Grades*, *Import*: lib/gradebook_importer.rb; one column per assignment.
- Canvas, `POST /api/v1/courses/:course/assignments/:assignment/submissions/update_grades`: comments.
- Brightspace, *Import Grades*: columns `NAME Points Grade`; a line ends with `#`. It takes no comments.
- Blackboard, *Work offline*, *Upload*: after a column of points, those of notes and of feedback.
"""

import json
import re
from collections.abc import Sequence
from email.headerregistry import Address

from grader.course.csv_text import Cell, as_csv
from grader.course.reports.gradebook import ASSIGNMENT, as_canvas
from grader.course.told import Told, ToldClass
from grader.errors import InputError
from grader.exports import mail
from grader.release.packing import zip_bytes
from grader.reports.markdown import in_line

_DIGITS = re.compile(r"\d+")
MOST_TEXT = 20_000  # characters of a comment

README = """\
# A class's feedback, for platforms and by mail

What students read is as it was in the class's last run. Nothing has been sent anywhere.

| file | what to do with it |
|---|---|
| `moodle-feedback.zip` | Moodle: the assignment, *Submissions*, *Upload multiple feedback files in a zip*. The assignment must have the feedback type *Feedback files*. Students need Moodle's number, or the file is not made: give Moodle's download or worksheet to `grade class` |
| `canvas-tasks.csv` | Canvas: *Grades*, *Import*. A column for each task; Canvas asks which assignments they are, or makes new ones. `canvas.csv`, which `grade class` makes, has the total alone |
| `canvas-comments.json` | Canvas: the body of one request: `curl -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" -d @canvas-comments.json https://CANVAS/api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions/update_grades` sets each student's total and comment |
| `brightspace.csv` | Brightspace: *Grades*, *Enter grades*, *Import*. Grade items must have the names in the first line; ids are taken as user names. It takes no comments |
| `blackboard.csv` | Blackboard: *Gradebook*, *Upload gradebook* (*Work offline* in older courses). Change the third column's heading to what a download of your column has. Ids are taken as user names |
| `mail/` | A message for each student whom the roster gives an e-mail address, as an .eml file: a draft, which any mail program opens and sends |
| `mail.csv` | The same for a mail merge |

Gradescope takes results only from its own run of the autograder, whose `results.json` is the feedback there: see
`grade export gradescope`. A grade that is absent or not final is an empty cell, and platforms leave theirs alone.

Students without feedback here: {without}. With feedback, but no e-mail address that can be used: {unreached}.
"""  # noqa: E501 - a page is not wrapped for this file


def feedback_files(told: ToldClass, sender: Address | None = None) -> dict[str, str | bytes]:
    """Return the files for all platforms and the messages, by name, and a README.

    Args:
        sender: of the messages.

    Raises:
        InputError: there is a sender, and nobody to send to.
    """
    without = [each for each in told.students if not each.text]
    reached = mail.reached(told)
    if sender is not None and not reached:
        raise InputError("--from: nobody has an e-mail address", "name a `roster` with the column email")
    with_address = {each.student.id for each, _ in reached}
    unreached = [each for each in told.students if each.text and each.student.id not in with_address]
    moodle = _moodle(told)
    return {
        **({"moodle-feedback.zip": zip_bytes(moodle)} if moodle else {}),
        "canvas-tasks.csv": as_canvas(
            {f"{ASSIGNMENT} {task}": most for task, most in told.most.items()},
            ((each.student, _points(each, told)) for each in told.students),
        ),
        "canvas-comments.json": _canvas_comments(told),
        "brightspace.csv": _brightspace(told),
        "blackboard.csv": _blackboard(told),
        **mail.mail_files(reached, sender),
        "README.md": README.format(without=_named(without), unreached=_named(unreached)),
    }


def _named(students: Sequence[Told]) -> str:
    return ", ".join(in_line(each.student.id) for each in students) or "none"


def _moodle(told: ToldClass) -> dict[str, str]:
    """Return the feedback files; a student whose participant's number is not known gets none."""
    files = {}
    for each in told.students:
        numbers = _DIGITS.findall(each.student.platform_id)
        if each.text and len(numbers) == 1:
            name = re.sub(r"[^\w .-]|_", "", each.student.name).strip(" .") or "student"
            begin = f"{name}_{int(numbers[0])}_assignfeedback_file_"
            files[f"{begin}feedback.{'html' if each.page else 'txt'}"] = each.page or each.text
    return files


def _canvas_comments(told: ToldClass) -> str:
    data = {}
    for each in told.students:
        if each.text:
            number = each.student.platform_id
            key = number if _DIGITS.fullmatch(number) else f"sis_user_id:{each.student.id}"
            grade = {"posted_grade": each.total} if each.total else {}
            data[key] = {**grade, "text_comment": each.text[:MOST_TEXT]}
    return json.dumps({"grade_data": data}, indent=1) + "\n"


def _brightspace(told: ToldClass) -> str:
    names = [ASSIGNMENT, *(f"{ASSIGNMENT} {task}" for task in told.most)]
    rows: list[list[Cell]] = [
        ["Username", *(f"{name} Points Grade" for name in names), "End-of-Line Indicator"]
    ]
    rows += [[each.student.id, each.total, *_points(each, told), "#"] for each in told.students]
    return as_csv(rows)


def _blackboard(told: ToldClass) -> str:
    title = f"{ASSIGNMENT} [Total Pts: {told.of} Score]"
    rows: list[list[Cell]] = [
        ["Username", "Name", title, "Grading Notes", "Notes Format", "Feedback to Learner", "Feedback Format"]
    ]
    for each in told.students:
        feedback = "; ".join(each.account) if each.total else ""
        rows.append(
            [each.student.id, each.student.name, each.total, "", "SMART_TEXT", feedback, "SMART_TEXT"]
        )
    return as_csv(rows)


def _points(each: Told, told: ToldClass) -> list[Cell]:
    """Return the points of each task; empty cells unless the total is final."""
    return [each.points.get(task, "") if each.total else "" for task in told.most]
