"""`grade variant DIR --seed N`: make a course from this one that its public solution does not solve."""

import tempfile
from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.commands.options import PATH, progress_line
from grader.errors import FULL_MARKS, InputError
from grader.variant import course

ALL = 100  # points, not counting extra tasks
TRIES = 3  # a board may lie so that the reference is too slow for it: then all are moved elsewhere
MOST = 30  # points of 100 for this course's own solution


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, metavar="N",
    help="What is drawn depends on it alone; keep it to yourself.",
)  # fmt: skip
def variant(folder: Path, seed: int) -> int:
    """Make a course of its own from this one: other goals, other integers for moves, other boards.

    The course is called as its new folder DIR, and is tried before it is kept: its own reference earns all
    points, and the solution of this course, which is public, at most 30 of 100.
    """
    new_folder.check(folder)
    folder.resolve().parent.mkdir(parents=True, exist_ok=True)
    drawn = course.draw(seed)
    with (
        progress_line() as show,
        tempfile.TemporaryDirectory(dir=folder.resolve().parent, prefix=".variant.") as made,
    ):
        for attempt in range(1, TRIES + 1):
            draft = Path(made, str(attempt))
            show("writing the course")
            new_folder.write(draft, course.files_of(drawn, folder.resolve().name))
            show("moving the boards, and proving what is true of them")
            course.renew(draft, f"{seed}/{attempt}")
            show("looking for what the course lacks")
            course.check(draft)
            show("grading its reference")
            own = course.points(draft, "--reference")
            if own == ALL:
                break
        show("grading the solution of the course that it was made from")
        copied = course.points(draft, "--student", str(paths.REFERENCE))
        show("")
        if own != ALL or copied > MOST:
            raise InputError(
                f"seed {seed}: expected {ALL} points for the reference, found {own}; at most {MOST} for "
                f"the public solution, found {copied}",
                "take another seed",
            )
        if folder.is_dir():
            folder.rmdir()
        draft.rename(folder)
    click.echo(
        f"{paths.shown(folder)}: its reference has {own} of {ALL} points, the public solution {copied}"
    )
    click.echo(f"go on there: cd {paths.shown(folder)} && make && .venv/bin/grade release DIR --zip")
    return FULL_MARKS
