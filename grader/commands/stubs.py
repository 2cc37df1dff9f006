"""`grade stubs`: cut the stubs from the reference, or check that the committed ones are up to date."""

from pathlib import Path

import click

from grader import folders, paths
from grader.commands.options import PATH
from grader.errors import FULL_MARKS, USAGE
from grader.release.release import stubs as cut_stubs


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if a stub is out of date.")
@click.argument("folder", type=PATH, default=Path("student"))
def stubs(check: bool, folder: Path) -> int:
    """Make the students' stubs in FOLDER (default: student), cut from the reference solution."""
    differing = 0
    for name, text in cut_stubs().items():
        path = folder / name
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        differing += 1
        if check:
            click.echo(f"{paths.shown(path)}: differs from its source in the reference")
        else:
            folders.write_whole(path, text)
            click.echo(f"wrote {paths.shown(path)}")
    if check and differing:
        click.echo(f"help: to write them again: grade stubs {folder}")
        return USAGE
    if not differing:
        click.echo(f"{paths.shown(folder)}: all stubs are up to date")
    return FULL_MARKS
