"""`grade release DIR`: the folder a student gets, made of named files only, and checked for leaks."""

import hashlib
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.errors import FULL_MARKS
from grader.release.packing import TOP, zip_bytes
from grader.release.release import release_files
from grader.release.release_check import faults


def run(folder: Path, zipped: bool = False, private: Sequence[Path] = ()) -> int:
    """Make `folder`, which must not exist or be empty.

    Args:
        folder: the folder to make.
        zipped: whether to make its zip, too, beside it.
        private: folders of boards that must not be in it.

    Raises:
        InputError: it is not empty or cannot be written, or something would leak; nothing is left behind.
    """
    archive = new_folder.beside(folder, ".zip")
    new_folder.check(folder, *([archive] if zipped else []))
    files = release_files()
    for fault in faults(files, private):
        raise fault
    data = zip_bytes(files, TOP)
    new_folder.write(folder, files, {archive: data} if zipped else None)
    without = ", none of the private boards" if private else ""
    click.echo(f"{paths.shown(folder)}: {len(files)} files, no line of a solution among them{without}")
    if zipped:
        click.echo(f"{paths.shown(archive)}: the same, sha256 {hashlib.sha256(data).hexdigest()}")
    click.echo(f"try it as a student: cd {shlex.quote(paths.shown(folder))} && make && .venv/bin/grade")
    return FULL_MARKS
