"""Read from a folder that `grade class` made what each student is told: grades, and the feedback's text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader import paths
from grader.course.records import Student, file_name_of
from grader.course.reports import compare, feedback
from grader.course.rules.grades import AFTER_RULES, EXCUSED
from grader.course.store import ClassStore
from grader.errors import InputError

TEXTS = ("table", "markdown")  # the formats that are plain text


@dataclass(frozen=True)
class Told:
    """What one student is told.

    Attributes:
        total: the total after the course's rules; empty if nothing was handed in, or if it is not final.
    """

    student: Student
    points: Mapping[str, str]
    total: str
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
