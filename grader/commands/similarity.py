"""`grade export similarity GRADED OUT`: lay out a graded class's files for compare50, JPlag and Dolos."""

from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.course.csv_text import as_csv
from grader.course.similarity import base_files, folder_names, pseudonyms, similarity_files
from grader.course.store import ClassStore
from grader.errors import FULL_MARKS, InputError
from grader.release.release import release_files


@click.command(short_help="Lay out a graded class's files for compare50, JPlag and Dolos.")
@click.argument("graded", metavar="GRADED", type=PATH)
@click.argument("out", metavar="OUT", type=PATH)
@click.option(
    "--attempt", type=click.Choice(["latest", "best"]), default="latest", show_default=True,
    help="Which attempt of a student to take: the last that has a file, or the one with the most points.",
)  # fmt: skip
@click.option(
    "--pseudonyms", "under_pseudonyms", is_flag=True,
    help="Name the folders student-1, student-2 and so on; OUT-key.csv, next to OUT, says who is who.",
)  # fmt: skip
def similarity(graded: Path, out: Path, attempt: str, under_pseudonyms: bool) -> int:
    """Lay out a graded class's files, in the new folder OUT, for compare50, JPlag and Dolos.

    GRADED is a folder that `grade class` made.
    """
    key_file = new_folder.beside(out, "-key.csv")
    new_folder.check(out, *([key_file] if under_pseudonyms else []))
    with ClassStore(graded) as kept:
        all_sources = {
            student.id: _sources(kept, student.id, attempt == "best") for student in kept.students()
        }
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
    """Return the files of a student's best or last attempt that has files; empty if no attempt has any."""
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
    """Return, as CSV, which student is behind each pseudonym."""
    return as_csv([("pseudonym", "student"), *sorted((name, student) for student, name in names.items())])
