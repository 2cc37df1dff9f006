"""`grade export gradescope|autolab|github|feedback|similarity`: write the files for a platform."""

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from grader import paths
from grader.catalog.tasks import chosen_tasks
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.commands.similarity import similarity
from grader.course.told import read_told
from grader.errors import FULL_MARKS, InputError
from grader.exports import platforms
from grader.exports.feedback_files import feedback_files
from grader.exports.platforms import Assignment

REPOSITORY = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")
REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
OUT = click.argument("out", metavar="OUT", type=PATH)
TASKS = click.option(
    "--task", "tasks", multiple=True, default=("all",), metavar="TASK",
    help="Grade only this task (repeatable).",
)  # fmt: skip
PRIVATE_BOARDS = click.option(
    "--boards", type=PATH, metavar="DIR", help="Also grade on this private set of boards."
)


def minutes_option(default: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return the option for the time limit of a run, with this default."""
    return click.option(
        "--minutes", type=click.IntRange(2, 120), default=default, show_default=True, metavar="N",
        help="The platform's time limit in minutes; a run stops one minute before it.",
    )  # fmt: skip


@click.group(commands=[similarity])
def export() -> None:
    """Make the files to upload to a course platform."""


@export.command("gradescope")
@OUT
@TASKS
@PRIVATE_BOARDS
@minutes_option(10)
@click.option(
    "--show-private", type=click.Choice(["after_due_date", "after_published", "hidden"]), metavar="WHEN",
    default="after_due_date", show_default=True,
    help="When students see the checks on private boards: after_due_date, after_published or hidden.",
)  # fmt: skip
def export_gradescope(
    out: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int, show_private: str
) -> int:
    """Make Gradescope's zip in the new folder OUT."""
    new_folder.check(out)
    files = platforms.gradescope(Assignment(chosen_tasks(tasks), boards, minutes), show_private)
    return _write(out, files, "autograder.zip")


@export.command("autolab")
@OUT
@TASKS
@PRIVATE_BOARDS
@minutes_option(14)
def export_autolab(out: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int) -> int:
    """Make Autolab's tar and Makefile in the new folder OUT."""
    new_folder.check(out)
    return _write(out, platforms.autolab(Assignment(chosen_tasks(tasks), boards, minutes)), "autograde.tar")


@export.command("github")
@OUT
@TASKS
@click.option("--repository", required=True, metavar="OWNER/NAME", help="Repository that holds the grader.")
@click.option("--ref", required=True, metavar="TAG", help="Tag or commit of the grader to grade with.")
def export_github(out: Path, tasks: tuple[str, ...], repository: str, ref: str) -> int:
    """Make GitHub's workflows in the new folder OUT."""
    if not REPOSITORY.fullmatch(repository):
        raise InputError(
            f"--repository: expected OWNER/NAME, found {repository}", "name the repository of the grader"
        )
    if not REF.fullmatch(ref):
        raise InputError(f"--ref: expected a tag or a commit, found {ref}", "as in --ref v1")
    new_folder.check(out)
    return _write(out, platforms.github(chosen_tasks(tasks), repository, ref))


@export.command("feedback", short_help="Lay out a graded class's feedback for platforms.")
@click.argument("graded", metavar="GRADED", type=PATH)
@OUT
def export_feedback(graded: Path, out: Path) -> int:
    """Lay out a graded class's feedback, in the new folder OUT, for Moodle, Canvas and other platforms.

    GRADED is a folder that `grade class` made.
    """
    new_folder.check(out)
    return _write(out, feedback_files(read_told(graded)))


def _write(folder: Path, files: Mapping[str, str | bytes], archive: str = "") -> int:
    """Write the files to a new folder, and print what was written."""
    new_folder.write(folder, files)
    if archive:
        data = files[archive]
        assert isinstance(data, bytes)
        digest = hashlib.sha256(data).hexdigest()
        click.echo(f"{paths.shown(folder / archive)}: {len(data) / 1024:,.0f} KiB, sha256 {digest}")
    click.echo(f"{paths.shown(folder / 'README.md')}: what to do with {'it' if archive else 'the files'}")
    return FULL_MARKS
