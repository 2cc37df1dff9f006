"""`grade stubs`: cut the stubs from the reference, or check that the committed ones are up to date."""

from pathlib import Path

import click

from grader import paths, store
from grader.cutting import cut_stub
from grader.errors import FULL_MARKS, USAGE, InputError
from grader.tasks import registry


def stubs() -> dict[str, str]:
    """Return the text of every student file by its name.

    Raises:
        InputError: there is no reference in this release, or a marker in it is wrong.
    """
    if not paths.REFERENCE.is_dir():
        raise InputError("no reference to cut stubs from", "this is the student's release")
    texts = {}
    for task in registry().tasks.values():
        source = paths.REFERENCE / task.file
        texts[task.file] = cut_stub(source.read_text("utf-8"), task.file)
    return texts


def run(folder: Path, check: bool) -> int:
    """Write the stubs into `folder`, or with `check` only compare."""
    differing = 0
    for name, text in stubs().items():
        path = folder / name
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        differing += 1
        if check:
            click.echo(f"{paths.shown(path)}: differs from its source in the reference")
        else:
            store.write_whole(path, text)
            click.echo(f"wrote {paths.shown(path)}")
    if check and differing:
        click.echo(f"help: make stubs, or grade stubs {folder}")
        return USAGE
    if not differing:
        click.echo(f"{paths.shown(folder)}: all stubs are up to date")
    return FULL_MARKS
