"""Lay out a class's feedback as course platforms and mail programs take it.

Each format is from the platform's own source or manual:

- Moodle, *Upload multiple feedback files in a zip*: mod/assign/feedback/file/importziplib.php. A name begins
  with the student's name, the participant's number and the plugin's two names, with `_` between them.
- Canvas, *Grades*, *Import*: lib/gradebook_importer.rb; one column per assignment.
- Canvas, `POST /api/v1/courses/:course/assignments/:assignment/submissions/update_grades`: comments.
- Brightspace, *Import Grades*: columns `NAME Points Grade`; a line ends with `#`. It takes no comments.
- Blackboard, *Work offline*, *Upload*: after a column of points, those of notes and of feedback.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from grader import paths
from grader.course.csv_text import Cell, as_csv
from grader.course.records import Student, file_name_of
from grader.course.reports import compare, feedback
from grader.course.reports.gradebook import ASSIGNMENT, as_canvas
from grader.course.rules.grades import AFTER_RULES, EXCUSED
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.release.packing import zip_bytes
from grader.reports.markdown import in_line
from grader.safe_text import one_line

_DIGITS = re.compile(r"\d+")
MOST_TEXT = 20_000  # characters of a comment
SUBJECT = f"{ASSIGNMENT}: your feedback"
TEXTS = ("table", "markdown")  # the formats that are plain text

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


# ---- what each student is told ------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What one student is told."""

    student: Student
    points: Mapping[str, str]
    total: str  # the total after the course's rules; empty if nothing was handed in, or if it is not final
    account: Sequence[str]
    text: str
    page: str


@dataclass(frozen=True)
class ToldClass:
    """What a class is told."""

    most: Mapping[str, str]
    of: str
    students: Sequence[Told]


def read_told(folder: Path) -> ToldClass:
    """Return what the class is told after its last run."""
    with ClassStore(folder) as store:
        kept = json.loads(store.noted(compare.KEY) or "{}")
        tasks, students = store.tasks, store.students()
        formats = json.loads(store.noted(feedback.FORMATS) or "[]")
    if "totals" not in kept:
        raise InputError(
            f"{paths.shown(folder)}: expected a finished run, found no totals in its store",
            "run the same `grade class` again: nothing is graded twice",
        )
    most = dict.fromkeys(tasks, "0")
    told = []
    for student in students:
        kept_of = kept["students"].get(student.id, {})
        grades = {task: compare.record(*grade) for task, grade in kept_of.items()}
        most |= {task: str(max(int(most[task]), grade.points[1])) for task, grade in grades.items()}
        texts = _texts(folder, student.id, formats) if grades else {}
        if grades and not texts.keys() & TEXTS:
            raise InputError(
                f"{paths.shown(folder)}: expected feedback as text, found {', '.join(texts) or 'none'}",
                "write `feedback: [table, html]` in course.yaml, and run the same command again: nothing is "
                "graded twice",
            )
        told.append(
            Told(
                student,
                {task: grade.adjusted for task, grade in grades.items() if grade.adjusted != EXCUSED},
                kept["totals"]["of_each"].get(student.id, ""),
                [_account(task, grade) for task, grade in grades.items()],
                next((texts[format] for format in TEXTS if format in texts), ""),
                texts.get("html", ""),
            )
        )
    return ToldClass(most, kept["totals"]["of"], told)


def _account(task: str, grade: compare.TaskRecord) -> str:
    rules = "; ".join(map(str, grade.rules))
    return f"{task}: {grade.points[0]} / {grade.points[1]}" + (
        f", {grade.adjusted} {AFTER_RULES}: {rules}" if rules else ""
    )


def _texts(folder: Path, student: str, formats: Sequence[str]) -> dict[str, str]:
    """Return a student's feedback by format; files of earlier runs in other formats are out of date."""
    name = folder / "feedback" / file_name_of(student)
    files = {format: Path(f"{name}.{feedback.ENDINGS[format]}") for format in formats}
    return {format: file.read_text("utf-8") for format, file in files.items() if file.is_file()}


# ---- for platforms -------------------------------------------------------------------------------


def feedback_files(told: ToldClass, sender: Address | None = None) -> dict[str, str | bytes]:
    """Return the files for all platforms and the messages, by name, and a README.

    Args:
        sender: of the messages.

    Raises:
        InputError: there is a sender, and nobody to send to.
    """
    with_text = [each for each in told.students if each.text]
    without = [each for each in told.students if not each.text]
    addressed = [(each, read_address(each.student.name, each.student.email)) for each in with_text]
    reached = [(each, address) for each, address in addressed if address is not None]
    if sender is not None and not reached:
        raise InputError("--from: nobody has an e-mail address", "name a `roster` with the column email")
    unreached = [each for each, address in addressed if address is None]
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
        **_mail_files(reached, sender),
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


# ---- by mail -------------------------------------------------------------------------------------


def _mail_files(to: Sequence[tuple[Told, Address]], origin: Address | None) -> dict[str, str | bytes]:
    """Return a message for each of some students, and mail.csv for a mail merge; no files for nobody."""
    if not to:
        return {}
    rows = [[address.addr_spec, each.student.name, SUBJECT, each.text] for each, address in to]
    return {
        **{
            f"mail/{file_name_of(each.student.id)}.eml": _message(each, address, origin)
            for each, address in to
        },
        "mail.csv": as_csv([["email", "name", "subject", "text"], *rows], lines=True),
    }


def read_address(name: str, text: str) -> Address | None:
    """Return an address; None if the text is not one, or has a domain that is not written as mail needs it.

    The library decodes an encoded word in a name, line breaks and all, as if it were its own.
    """
    try:
        address = Address(one_line(name).replace("=?", "= ?"), addr_spec=text.strip())
    except (ValueError, IndexError, HeaderParseError):
        return None
    return address if address.username and "." in address.domain and address.domain.isascii() else None


def _message(told: Told, to: Address, origin: Address | None) -> bytes:
    """Return a message as an .eml file, which mail programs open as a draft that is not sent yet."""
    message = EmailMessage(SMTP)
    message["X-Unsent"] = "1"
    if origin is not None:
        message["From"] = origin
    message["To"] = to
    message["Subject"] = SUBJECT
    message.set_content(told.text)
    if told.page:
        message.add_attachment(told.page, subtype="html", filename="feedback.html")
        # The library draws one; the same feedback is to give the same bytes.
        message.set_boundary(hashlib.sha256((told.text + told.page).encode()).hexdigest())
    # A long name keeps its quotes only where its line is not folded.
    return message.as_bytes(policy=SMTP.clone(max_line_length=998))
