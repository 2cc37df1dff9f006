"""`grade export similarity GRADED OUT`: a graded class, laid out for compare50 and JPlag."""

import csv
import io
from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.course.similarity import base_files, folder_names, pseudonyms, similarity_files
from grader.course.store import ClassStore
from grader.errors import FULL_MARKS, InputError
from grader.release.release import release_files


def run(graded: Path, out: Path, best: bool = False, under_pseudonyms: bool = False) -> int:
    """Make the folder `out`.

    Args:
        graded: what `grade class` made.
        out: the folder to make, which must not exist or be empty.
        best: whether the attempt with the most points is taken; else the last one with a file in it.
        under_pseudonyms: whether the folders are called `student-1`, ...; who is who is written beside `out`.

    Raises:
        InputError: there is no class, or `out` is not empty or cannot be written; nothing is left behind.
    """
    key_file = new_folder.beside(out, "-key.csv")
    new_folder.check(out, *([key_file] if under_pseudonyms else []))
    with ClassStore(graded) as kept:
        all_sources = {student.id: _sources(kept, student.id, best) for student in kept.students()}
    sources = {student: files for student, files in all_sources.items() if files}
    if len(sources) < 2:
        raise InputError(
            f"{paths.shown(graded)}: expected the files of two students or more, found {len(sources)}",
            "there is nothing to compare",
        )
    names = pseudonyms(sources) if under_pseudonyms else folder_names(sources)
    layout = {names[student]: files for student, files in sources.items()}
    files = similarity_files(sorted(layout.items()), base_files(release_files()))
    new_folder.write(out, files, {key_file: _key(names)} if under_pseudonyms else None)
    without = len(all_sources) - len(sources)
    left_out = f"; {without} without a file left out" if without else ""
    click.echo(f"{paths.shown(out)}: the files of {len(sources)} students{left_out}")
    if under_pseudonyms:
        click.echo(f"{paths.shown(key_file)}: who is who; keep it to yourself")
    click.echo(f"what to type is in {paths.shown(out / 'README.md')}")
    return FULL_MARKS


def _sources(kept: ClassStore, student: str, best: bool) -> dict[str, str]:
    """Return the files of the attempt that is taken of a student."""
    points = {
        number: sum(earned for earned, _ in tasks.values()) for number, tasks in kept.points(student).items()
    }
    numbers = [attempt.number for attempt in kept.attempts(student)]
    if best:
        numbers.sort(key=lambda number: (points.get(number, 0), number))
    for number in reversed(numbers):
        files = kept.sources(student, number)
        if files:
            return files
    return {}


def _key(names: dict[str, str]) -> str:
    """Return who is who, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["pseudonym", "student"])
    for student, name in sorted(names.items(), key=lambda item: item[1]):
        formula = student.startswith(("=", "+", "-", "@", "\t", "\r"))  # a spreadsheet would compute it
        writer.writerow([name, f"'{student}" if formula else student])
    return text.getvalue()
