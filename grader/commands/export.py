"""`grade export gradescope|autolab|github OUT`: what is uploaded to a platform, in a new folder."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import click

from grader import paths
from grader.catalog.tasks import chosen_tasks
from grader.commands import new_folder
from grader.errors import FULL_MARKS, InputError
from grader.exports import platforms
from grader.exports.assignment import Assignment

REPOSITORY = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")
REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")


def gradescope(
    folder: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int, hidden_until: str
) -> int:
    """Make the zip for Gradescope.

    Raises:
        InputError: `folder` is not empty, or the private boards cannot be used; nothing is left behind.
    """
    new_folder.check(folder)
    files = platforms.gradescope(Assignment(chosen_tasks(tasks), boards, minutes), hidden_until)
    return _write(folder, files, "autograder.zip")


def autolab(folder: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int) -> int:
    """Make the tar and the Makefile for Autolab.

    Raises:
        InputError: see `gradescope`.
    """
    new_folder.check(folder)
    files = platforms.autolab(Assignment(chosen_tasks(tasks), boards, minutes))
    return _write(folder, files, "autograde.tar")


def github(folder: Path, tasks: tuple[str, ...], repository: str, ref: str) -> int:
    """Make the workflows for GitHub.

    Raises:
        InputError: `folder` is not empty, or `repository` or `ref` is none; nothing is left behind.
    """
    if not REPOSITORY.fullmatch(repository):
        raise InputError(
            f"--repository: expected OWNER/NAME, found {repository}", "name the repository of the grader"
        )
    if not REF.fullmatch(ref):
        raise InputError(f"--ref: expected a tag or a commit, found {ref}", "as in --ref v1")
    new_folder.check(folder)
    return _write(folder, platforms.github(chosen_tasks(tasks), repository, ref))


def _write(folder: Path, files: Mapping[str, str | bytes], archive: str = "") -> int:
    """Write the files, and say what they are."""
    new_folder.write(folder, files)
    if archive:
        data = files[archive]
        assert isinstance(data, bytes)
        digest = hashlib.sha256(data).hexdigest()
        click.echo(f"{paths.shown(folder / archive)}: {len(data) / 1024:,.0f} KiB, sha256 {digest}")
    click.echo(f"{paths.shown(folder / 'README.md')}: what to do with {'it' if archive else 'the files'}")
    return FULL_MARKS
