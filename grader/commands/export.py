"""`grade export gradescope|autolab|github|feedback|similarity`: write the files for a platform."""

import hashlib
import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from grader import paths
from grader.catalog.tasks import chosen_tasks
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.course.csv_text import as_csv
from grader.course.records import file_name_of
from grader.course.store import ClassStore
from grader.errors import FULL_MARKS, InputError
from grader.exports import platforms
from grader.exports.feedback_files import feedback_files, read_address, read_told
from grader.exports.platforms import Assignment
from grader.messages.phrases import count
from grader.release.release import release_files
from grader.safe_text import one_line

OUT = click.argument("out", metavar="OUT", type=PATH)
GRADED = click.argument("graded", metavar="GRADED", type=PATH)
TASKS = click.option(
    "--task", "tasks", multiple=True, default=("all",), metavar="TASK",
    help="Grade only this task (repeatable).",
)  # fmt: skip
PRIVATE_BOARDS = click.option(
    "--boards", type=PATH, metavar="DIR", help="Also grade on this private set of boards."
)
SOURCE = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+@[A-Za-z0-9][A-Za-z0-9._/-]*")
AUTOLAB_MINUTES = 14  # the time limit of a run, which the instructor may change in what is made


@click.group()
def export() -> None:
    """Make the files to upload to a course platform."""


@export.command("gradescope")
@OUT
@TASKS
@PRIVATE_BOARDS
@click.option(
    "--minutes", type=click.IntRange(2, 120), default=10, show_default=True, metavar="N",
    help="Gradescope's time limit in minutes; a run stops one minute before it.",
)  # fmt: skip
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
def export_autolab(out: Path, tasks: tuple[str, ...], boards: Path | None) -> int:
    """Make Autolab's tar and Makefile in the new folder OUT."""
    new_folder.check(out)
    assignment = Assignment(chosen_tasks(tasks), boards, AUTOLAB_MINUTES)
    return _write(out, platforms.autolab(assignment), "autograde.tar")


@export.command("github")
@OUT
@click.argument("grader", metavar="OWNER/NAME@TAG")
@TASKS
def export_github(out: Path, grader: str, tasks: tuple[str, ...]) -> int:
    """Make GitHub's workflows in the new folder OUT.

    They grade with the grader in the repository OWNER/NAME at TAG, a tag or a commit.
    """
    if not SOURCE.fullmatch(grader):
        raise InputError(
            f"expected OWNER/NAME@TAG, found {grader}",
            "name the repository that holds the grader, and its tag or commit, as in cs/peg-grader@v1",
        )
    new_folder.check(out)
    repository, _, ref = grader.partition("@")
    return _write(out, platforms.github(chosen_tasks(tasks), repository, ref))


@export.command("feedback", short_help="Lay out a graded class's feedback for platforms and as mail.")
@GRADED
@OUT
@click.option("--from", "sender", metavar="ADDRESS", help="Your address, for the messages' From.")
def export_feedback(graded: Path, out: Path, sender: str | None) -> int:
    """Lay out a graded class's feedback, in the new folder OUT, for Moodle, Canvas and others, and as mail.

    GRADED is a folder that `grade class` made. Each message is an .eml file, a draft for any mail program;
    nothing is sent.
    """
    new_folder.check(out)
    origin = read_address("", sender) if sender is not None else None
    if sender is not None and origin is None:
        raise InputError(
            f"--from: expected an e-mail address, found {one_line(sender)}", "as in --from me@x.org"
        )
    return _write(out, feedback_files(read_told(graded), origin))


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


@export.command("similarity", short_help="Lay out a graded class's files for compare50, JPlag and Dolos.")
@GRADED
@OUT
@click.option(
    "--pseudonyms", "under_pseudonyms", is_flag=True,
    help="Name the folders student-1, student-2 and so on; OUT-key.csv, next to OUT, says who is who.",
)  # fmt: skip
@click.option(
    "--earlier", type=PATH, multiple=True, metavar="GRADED",
    help="A graded class of an earlier term, to be compared with this one (repeatable).",
)  # fmt: skip
def export_similarity(graded: Path, out: Path, under_pseudonyms: bool, earlier: tuple[Path, ...]) -> int:
    """Lay out a graded class's files, in the new folder OUT, for compare50, JPlag and Dolos.

    Of each student they are those of the last attempt that has files. The course's own solution is laid out
    beside them. GRADED is a folder that `grade class` made.
    """
    key_file = new_folder.beside(out, "-key.csv")
    new_folder.check(out, *([key_file] if under_pseudonyms else []))
    all_sources = _sources_of_all(graded)
    sources = {student: files for student, files in all_sources.items() if files}
    if len(sources) < 2:
        raise InputError(
            f"{paths.shown(graded)}: expected the files of two students or more, found {len(sources)}",
            "there is nothing to compare",
        )
    key = [("pseudonym", "student")]

    def named(students: Mapping[str, dict[str, str]], prefix: str = "") -> dict[str, Mapping[str, str]]:
        """Return the files of each student by the name of the folder."""
        folders = pseudonyms(students) if under_pseudonyms else {id: file_name_of(id) for id in students}
        key.extend(sorted((prefix + folders[id], id) for id in students))
        return {prefix + folders[id]: files for id, files in students.items()}

    layout = named(sources)
    others: dict[str, Mapping[str, str]] = {"reference": reference_files()}
    for number, term in enumerate(earlier, 1):
        of_term = {id: files for id, files in _sources_of_all(term).items() if files}
        others |= named(of_term, f"earlier-{number}-")
        click.echo(f"{paths.shown(term)}: the files of {count(len(of_term), 'student')} to compare with")
    files = similarity_files(sorted(layout.items()), base_files(release_files()), others)
    new_folder.write(out, files, {key_file: as_csv(key)} if under_pseudonyms else None)
    without = len(all_sources) - len(sources)
    left_out = f"; {without} without a file left out" if without else ""
    click.echo(f"{paths.shown(out)}: the files of {len(sources)} students{left_out}")
    if under_pseudonyms:
        click.echo(f"{paths.shown(key_file)}: who is who; keep it to yourself")
    click.echo(f"what to type is in {paths.shown(out / 'README.md')}")
    return FULL_MARKS


def _sources_of_all(graded: Path) -> dict[str, dict[str, str]]:
    """Return the files of each student of a graded class."""
    with ClassStore(graded) as kept:
        return {student.id: _last_sources(kept, student.id) for student in kept.students()}


def _last_sources(kept: ClassStore, student: str) -> dict[str, str]:
    """Return the files of a student's last attempt that has files; empty if no attempt has any."""
    for attempt in reversed(kept.attempts(student)):
        if files := kept.sources(student, attempt.number):
            return files
    return {}


SUBMISSIONS, BASE, OTHERS = "submissions", "distro", "archive"

README = """\
# Who has whose code?

`submissions/` has a folder for each student, with the files of one attempt. `distro/` has the files that everybody was
given, the stubs and the framework; code from them does not count as copied. `archive/` has the course's own solution, and
the classes of earlier terms, which are compared with the submissions, but not with each other. Each of three programs can
compare. Run its command in this folder. All work on this machine, and send no file anywhere.

compare50 is on PyPI (`pip install compare50`). When it is done, open `compare50-report/index.html`:

    compare50 'submissions/*' -d 'distro/*' -a 'archive/*' -o compare50-report

JPlag is a jar from its project's releases; it needs a recent Java. When it is done, type
`java -jar jplag.jar jplag-report.jplag` to see the report. It names the files that it skips because their Python is too
new for it:

    java -jar jplag.jar --mode RUN -l python3 -bc distro -old archive -r jplag-report submissions

Dolos is on npm (`npm install -g @dodona/dolos`; MIT licence). It compares single files, so there is a list of each file
of the tasks; its report opens in the browser:

    dolos run -f web -l python -i distro/peg3.py dolos-peg3.csv

These programs only find code that is alike, and short tasks have few good answers. Look at the code yourself, and ask
the students. Even if the folders have pseudonyms, the files may contain names, most often in comments.
"""  # noqa: E501 - a page is not wrapped for this file


def similarity_files(
    sources: Iterable[tuple[str, Mapping[str, str]]],
    base: Mapping[str, str],
    others: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """Return the files of the layout: the text of each by its name.

    Args:
        sources: for each student's folder (see `file_name_of` and `pseudonyms`), the files by name. Students
            without files are left out.
        others: the same for what the submissions are compared with.
    """
    files = {
        f"{room}/{folder}/{name}": text
        for room, all_texts in ((SUBMISSIONS, sources), (OTHERS, others.items()))
        for folder, texts in all_texts
        for name, text in texts.items()
    }
    files |= _dolos_lists(files)
    files |= {f"{BASE}/{name}": text for name, text in base.items()}
    return {**files, "README.md": README}


def _dolos_lists(submitted: Iterable[str]) -> dict[str, str]:
    """Return, for each program that two students or more have, the list of its files that Dolos reads.

    https://dolos.ugent.be/docs/adding-metadata.html; folders have safe names, so no cell needs quotes.
    """
    rows: dict[str, list[str]] = {}
    for path in submitted:
        _, folder, name = path.split("/", 2)
        if name.endswith(".py"):
            rows.setdefault(f"dolos-{name.removesuffix('.py')}.csv", []).append(f"{path},{folder}\n")
    return {name: "filename,full_name\n" + "".join(of) for name, of in rows.items() if len(of) > 1}


def reference_files() -> dict[str, str]:
    """Return the programs of the course's own solution by name."""
    programs = sorted({task.file for task in chosen_tasks(("all",)) if task.file.endswith(".py")})
    return {name: (paths.REFERENCE / name).read_text("utf-8") for name in programs}


def base_files(release: Mapping[str, str]) -> dict[str, str]:
    """Return the code that students are given and may hand in unchanged: the stubs and the framework."""
    rooms = ("student/", "framework/")
    return {name.removeprefix("student/"): text for name, text in release.items() if name.startswith(rooms)}


def pseudonyms(ids: Iterable[str]) -> dict[str, str]:
    """Return a random pseudonym for each student; neither their order nor another run reveals who is who."""
    shuffled = list(ids)
    random.SystemRandom().shuffle(shuffled)
    digits = len(str(len(shuffled)))
    return {each: f"student-{number:0{digits}}" for number, each in enumerate(shuffled, 1)}
