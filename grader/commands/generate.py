"""`grade generate DIR`: make boards of one kind with a known answer, in a folder for `--boards`."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import numpy as np

from framework.board import EMPTY, SIZE, Board, format_board
from framework.cells49 import fits, format_cells
from grader import paths
from grader.catalog.boards import find_board
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.commands.output import progress_line
from grader.errors import FULL_MARKS, InputError

if TYPE_CHECKING:
    from grader.oracle.made_boards import MadeBoard

Kind = Literal["solvable", "unsolvable", "forced"]
KINDS: tuple[Kind, ...] = ("solvable", "unsolvable", "forced")

SQUARE = "square"  # all 64 cells, a shape that no board of the course has
HEAD = """\
# grade generate DIR {arguments}
#
# What is true of every board here, field by field as boards/index.yaml of the course has it. `positions` is
# absent where there are more than were counted.

schema: peg-boards/v1

boards:
"""


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--pegs", "pegs_text", required=True, metavar="N|A-B",
    help="Number of pegs; with a range, each number in turn.",
)  # fmt: skip
@click.option("--solvable", is_flag=True, help="Solvable: played backwards from a single peg.")
@click.option(
    "--unsolvable",
    is_flag=True,
    help="Random, and proved unsolvable, which the board's class alone does not show.",
)
@click.option(
    "--forced",
    is_flag=True,
    help="Solvable, with never more than one jump to choose from; some cells are blocked.",
)
@click.option(
    "--board", "shape_name", default="english", show_default=True, metavar="SHAPE",
    help="A board, or its file, whose holes the boards have; square for all 64 cells.",
)  # fmt: skip
@click.option("--count", type=click.IntRange(1, 10_000), default=10, show_default=True, metavar="N")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S")
@click.option(
    "--format", "format_", type=click.Choice(["text", "cells", "both"]), default="text", show_default=True,
    help="8 x 8 text, the hashing lab's 49 characters, or a file of each.",
)  # fmt: skip
def generate(
    folder: Path, pegs_text: str, shape_name: str, count: int, seed: int, format_: str, **kinds: bool
) -> int:
    """Make boards of one kind with a known answer, in the new folder DIR, for --boards DIR."""
    chosen = [kind for kind in KINDS if kinds[kind]]
    if len(chosen) != 1:
        found = " and ".join(f"--{kind}" for kind in chosen) or "none of them"
        raise InputError(
            f"expected one of {', '.join(f'--{kind}' for kind in KINDS)}, found {found}",
            "all boards of a folder are of one kind; make a folder for each",
        )
    (kind,) = chosen
    new_folder.check(folder)
    shape = _shape(shape_name)
    pegs = _numbers_of_pegs(pegs_text, shape, shape_name)
    _check_format(format_, kind, shape, shape_name)
    made: list[MadeBoard] = []
    with progress_line() as show:
        for each in _made(kind, shape, pegs, count, seed):
            made.append(each)
            show(f"{len(made)} of {count}")
    names = [f"{kind}-{number:0{len(str(count))}}" for number in range(1, count + 1)]
    arguments = f"--{kind} --pegs {pegs_text} --board {shlex.quote(shape_name)} --count {count} --seed {seed}"
    files = {"index.yaml": HEAD.format(arguments=arguments)}
    for name, board in zip(names, made, strict=True):
        files["index.yaml"] += _entry(name, board)
        if format_ != "cells":
            files[f"{name}.txt"] = format_board(board.board)
        if format_ != "text":
            files[f"{name}.cells"] = format_cells(board.board) + "\n"
    new_folder.write(folder, files)
    click.echo(f"{paths.shown(folder)}: {_summary(kind, made)}")
    if format_ != "cells":
        task = "peg1" if kind == "forced" else "peg3"
        click.echo(f"grade them: grade {task} --boards {shlex.quote(paths.shown(folder))}")
    return FULL_MARKS


def _shape(name: str) -> Board:
    """Return a board whose holes are the ones to use; its pegs are ignored."""
    if name == SQUARE:
        return np.full((SIZE, SIZE), EMPTY, dtype=np.int8)
    return find_board(name).board


def _numbers_of_pegs(text: str, shape: Board, shape_name: str) -> range:
    holes = int((shape >= EMPTY).sum())
    least, dash, most = text.partition("-")
    if not (_is_number(least) and (_is_number(most) or not dash)):
        raise InputError(
            f"--pegs: expected a number or a range, found {text!r}",
            "for example: --pegs 20, or --pegs 15-25",
        )
    numbers = range(int(least), int(most or least) + 1)
    if not numbers or numbers[0] < 2 or numbers[-1] >= holes:
        raise InputError(
            f"--pegs: expected from 2 to {holes - 1}, the smaller number first, found {text}",
            f"{shape_name} has {holes} holes, and a jump needs one without a peg; "
            "--board names another shape",
        )
    return numbers


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 3


def _check_format(format: str, kind: str, shape: Board, shape_name: str) -> None:
    if format == "text":
        return
    if kind == "forced":
        problem = "a forced board has blocked cells, which the 49 characters cannot say"
    elif not fits(shape):
        problem = f"the 49 characters are for the holes of the English board, {shape_name} has others"
    else:
        return
    raise InputError(f"--format {format}: {problem}", "--format text")


def _made(kind: Kind, shape: Board, pegs: range, count: int, seed: int) -> Iterator["MadeBoard"]:
    from grader.oracle.errors import OracleError
    from grader.oracle.made_boards import made_boards
    from grader.oracle.shape import shape_of

    try:
        yield from made_boards(kind, shape_of(shape), pegs, count, seed)
    except OracleError as error:
        raise InputError(error.message, error.help) from None


def _entry(name: str, made: "MadeBoard") -> str:
    """Return a board's entry in the index."""
    fields = {
        "pegs": int((made.board > EMPTY).sum()),
        "holes": int((made.board >= EMPTY).sum()),
        "solvable": str(made.solvable).lower(),
        "fewest": made.fewest,
        "forced": str(made.forced).lower(),
    }
    if made.positions is not None:
        fields["positions"] = made.positions
    return f"  {name}: {{{', '.join(f'{field}: {value}' for field, value in fields.items())}}}\n"


def _summary(kind: str, made: list["MadeBoard"]) -> str:
    pegs = [int((board.board > EMPTY).sum()) for board in made]
    numbers = f"{min(pegs)} pegs" if min(pegs) == max(pegs) else f"{min(pegs)} to {max(pegs)} pegs"
    boards = f"{len(made):,} {kind} board{'s' if len(made) > 1 else ''} of {numbers}"
    if kind != "unsolvable":
        return boards
    fewest = [board.fewest for board in made]
    left = f"{min(fewest)}" if min(fewest) == max(fewest) else f"{min(fewest)} to {max(fewest)}"
    return f"{boards}; at best {left} are left"
