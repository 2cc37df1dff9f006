"""`grade start DIR`: make a student's folder, draw a first board, and say what to open and to type next.

It imports neither numpy nor numba, so that it answers at once.
"""

import json
import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from grader import paths
from grader.commands import IN_RELEASE
from grader.commands.options import PATH
from grader.errors import FULL_MARKS, InputError, unwritable
from grader.folders import read_file
from grader.paths import DISTRIBUTION

FIRST_BOARD = "english"
MOST_NAMES = 10


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
def start(folder: Path) -> int:
    """Create your folder DIR, with the programs to write, the handouts, the framework and the boards.

    If DIR exists already, only missing files are made; every other file stays as it is.
    """
    files = handed_out()
    made, others = fill(folder, files)
    shown = paths.shown(folder)
    click.echo(f"{shown}: {_done(made, others, len(files))}")
    board = files[f"boards/{FIRST_BOARD}.txt"].decode()
    click.echo(
        f"\n{FIRST_BOARD}: {board.count('*')} pegs; a jump takes one off, and you win when one is left"
    )
    click.echo(f"\n{drawn(board)}\n")
    command, install = own_command()
    there = "" if folder.resolve() == Path.cwd() else f"cd {paths.typed(folder)}, then: "
    first, then = (paths.shown(folder / name) for name in ("handouts/start.md", "student/client.py"))
    click.echo(f"open   {first}, then {then}")
    if install:
        click.echo(f"so that you can type `grade` in every terminal, type once:\n  {install}")
    click.echo(f"next: {there}{command}")
    return FULL_MARKS


def drawn(board: str) -> str:
    """Return a board drawn as `grade show` draws it, from the text of its file."""
    rows = board.splitlines()
    head = " ".join(str(col) for col in range(len(rows[0].split())))
    return "\n".join([f"  {head}", *(f"{number} {row}" for number, row in enumerate(rows))])


def _done(names: list[str], others: list[str], count: int) -> str:
    """Return a text that says which files were made, and which were there and differ."""
    made = len(names)
    if made == count:
        return f"made {made} files: your programs, the handouts, the framework and the boards"
    what = f"created {made} of {count} files" if made else "created no files"
    if not others:
        return f"{what}; {'the others were there' if made else 'all are there'}, as handed out"
    listed = [f"  {name}" for name in others[:MOST_NAMES]]
    more = [f"  and {len(others) - MOST_NAMES} more"] if len(others) > MOST_NAMES else []
    return "\n".join([f"{what}; these differ from the originals and were left unchanged:", *listed, *more])


ROOMS = ("student/", "handouts/", "framework/", "boards/", "LICENSE")
KINDS = (".py", ".md", ".txt", ".yaml")  # no bytecode, no editor's backup
UNIX, WINDOWS = b"\n", b"\r\n"


def handed_out() -> dict[str, bytes]:
    """Return the content of each file that a new folder gets, by the file's name."""
    if not IN_RELEASE:
        from grader.release.release import release_files

        return {name: text.encode() for name, text in release_files().items() if name.startswith(ROOMS)}
    framework = paths.FRAMEWORK_ROOT / "framework"
    folders = {
        "student": paths.STUBS,
        "handouts": paths.HANDOUTS,
        "framework": framework,
        "boards": paths.BOARDS,
    }
    files = {
        f"{room}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for room, folder in folders.items()
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    }
    return {**files, "LICENSE": paths.LICENSE.read_bytes()}


def fill(folder: Path, files: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """Write those files that are not in the folder yet, and leave all others as they are.

    Returns:
        The names of the files that were written, and of those that were there already and differ.
    """
    inside = {str(Path(name).parent) for name in files}
    for place in (*reversed(folder.parents), folder, *(folder / name for name in sorted(inside))):
        if os.path.lexists(place) and not place.is_dir():
            raise InputError(
                f"{paths.shown(place)}: expected a folder, found a file",
                "move it away, or name another folder; nothing was written",
            )
    made: list[str] = []
    others: list[str] = []
    place = folder
    try:
        for name, content in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if _write_new(place, content):
                made.append(name)
            elif not _has(place, content):
                others.append(name)
    except OSError as error:
        help = "name another folder, or mend that and type it again; what is there already stays"
        raise unwritable(place, error, help) from None
    return made, others


def _write_new(path: Path, content: bytes) -> bool:
    """Write a file unless something with its name exists, and return whether it was written."""
    try:
        stream = path.open("xb")
    except FileExistsError:
        return False
    try:
        with stream:
            stream.write(content)
    except BaseException:
        path.unlink(missing_ok=True)  # or half a file would be taken for the student's own
        raise
    return True


def _has(path: Path, content: bytes) -> bool:
    """Return whether a file has this content, whatever its line endings are."""
    try:
        return read_file(path, "").replace(WINDOWS, UNIX) == content.replace(WINDOWS, UNIX)
    except InputError:
        return False


def own_command() -> tuple[str, str]:
    """Return how to run `grade` again later, since `uvx` and `pipx run` install it for one run only.

    Returns:
        What to type: usually `grade` itself, otherwise its path; and the command that must be typed once
        before that, empty if none is needed.
    """
    scripts = Path(sysconfig.get_path("scripts"))
    active = sys.prefix in (sys.base_prefix, os.environ.get("VIRTUAL_ENV"))
    if active or _linked_from_path(scripts):
        return "grade", ""
    if "UV" in os.environ:  # uv tells what it runs where it is
        return "grade", f"uv tool install {_origin()}"
    if "pipx" in Path(sys.prefix).parts:
        return "grade", f"pipx install {_origin()}"
    on_path = str(scripts) in os.get_exec_path()
    return "grade" if on_path else paths.quoted(str(scripts / "grade")), ""


def _linked_from_path(scripts: Path) -> bool:
    """Return whether some folder on PATH has a `grade` that links to the one in `scripts`."""
    folders = [each for each in os.get_exec_path() if Path(each) != scripts]
    found = shutil.which("grade", path=os.pathsep.join(folders))
    return found is not None and Path(found).resolve().parent == scripts.resolve()


def _origin() -> str:
    """Return what to install: the wheel's file or URL, or else the name of the distribution."""
    found = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    url = json.loads(found)["url"] if found else DISTRIBUTION
    parts = urlsplit(url)
    return paths.quoted(url2pathname(parts.path) if parts.scheme == "file" else url)
