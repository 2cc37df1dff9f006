"""`grade start DIR`: make a student's folder, draw a first board, and say what to open and to type next.

It imports neither numpy nor numba, so that it answers at once.
"""

import shlex
from pathlib import Path

import click

from grader import paths
from grader.commands import own_command, start_folder
from grader.commands.options import PATH
from grader.commands.start_folder import Filled
from grader.errors import FULL_MARKS

FIRST_BOARD = "english"
MOST_NAMES = 10


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
def start(folder: Path) -> int:
    """Create your folder DIR, with the programs to write, the handouts, the framework and the boards.

    If DIR exists already, only missing files are made; every other file stays as it is.
    """
    files = start_folder.handed_out()
    filled = start_folder.fill(folder, files)
    shown = paths.shown(folder)
    click.echo(f"{shown}: {_done(filled, len(files))}")
    board = files[f"boards/{FIRST_BOARD}.txt"].decode()
    click.echo(
        f"\n{FIRST_BOARD}: {board.count('*')} pegs; a jump takes one off, and you win when one is left"
    )
    click.echo(f"\n{drawn(board)}\n")
    command = own_command.find()
    there = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(shown)}, then: "
    click.echo(f"open   {folder / 'handouts' / 'start.md'}, then {folder / 'student' / 'client.py'}")
    if command.install:
        click.echo(f"so that you can type `grade` in every terminal, type once:\n  {command.install}")
    click.echo(f"next: {there}{command.typed}")
    return FULL_MARKS


def drawn(board: str) -> str:
    """Return a board drawn as `grade show` draws it, from the text of its file."""
    rows = board.splitlines()
    head = " ".join(str(col) for col in range(len(rows[0].split())))
    return "\n".join([f"  {head}", *(f"{number} {row}" for number, row in enumerate(rows))])


def _done(filled: Filled, count: int) -> str:
    """Return a text that says which files were made, and which were there and differ."""
    made, others = len(filled.made), filled.others
    if made == count:
        return f"made {made} files: your programs, the handouts, the framework and the boards"
    what = f"created {made} of {count} files" if made else "created no files"
    if not others:
        return f"{what}; {'the others were there' if made else 'all are there'}, as handed out"
    names = [f"  {name}" for name in others[:MOST_NAMES]]
    more = [f"  and {len(others) - MOST_NAMES} more"] if len(others) > MOST_NAMES else []
    return "\n".join([f"{what}; these differ from the originals and were left unchanged:", *names, *more])
