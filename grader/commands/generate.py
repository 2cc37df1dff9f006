"""`grade generate DIR`: make a folder of boards of one kind, with known answers, for use with `--boards`."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import numpy as np
from click.core import ParameterSource

from framework.board import EMPTY, SIZE, Board, format_board
from framework.cells49 import fits, format_cells
from grader import paths
from grader.catalog.boards import Facts, find_board
from grader.commands import new_folder
from grader.commands.options import PATH, progress_line
from grader.errors import FULL_MARKS, InputError
from grader.judging.board_choice import new_seed

if TYPE_CHECKING:
    from grader.oracle.explore import KnownBoard

LIKE = ("peg4", "peg5")  # tasks that give points for boards that a memorized list of moves would solve
Kind = Literal["solvable", "unsolvable", "forced"]
KINDS: tuple[Kind, ...] = ("solvable", "unsolvable", "forced")

SQUARE = "square"  # all 64 cells, a shape that no board of the course has
HEAD = """\
# grade generate DIR {arguments}
#
# The facts of every board here; boards/index.yaml of the course explains the fields. `positions` is absent if
# there were too many to count.

schema: peg-boards/v1

boards:
"""


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--pegs", "pegs_text", metavar="N|A-B",
    help="Number of pegs on each board, or a range to cycle through.",
)  # fmt: skip
@click.option(
    "--like", type=click.Choice(LIKE),
    help="Instead of one kind, make a set that grades like this task; nobody has memorized its solutions.",
)  # fmt: skip
@click.option(
    "--kind", type=click.Choice(KINDS),
    help="solvable: played backwards from one peg; unsolvable: random, proved by search, whose class alone "
    "allows a solution; forced: solvable, never a choice of jumps, some cells blocked.",
)  # fmt: skip
@click.option(
    "--board", "shape_name", default="english", show_default=True, metavar="SHAPE",
    help="Board, or file of a board, whose shape the new boards get; `square` is all 64 cells.",
)  # fmt: skip
@click.option(
    "--count", type=click.IntRange(1, 10_000), default=10, show_default=True, metavar="N",
    help="Number of boards to make.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="S",
    help="Seed of all random choices; the same seed makes the same boards (default: a new one).",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(["text", "cells", "both"]), default="text", show_default=True,
    help="Format of the files: 8 x 8 text, the hashing lab's 49 characters, or both (a file each).",
)  # fmt: skip
def generate(
    folder: Path,
    pegs_text: str | None,
    like: str | None,
    kind: Kind | None,
    shape_name: str,
    count: int,
    seed: int | None,
    format_: str,
) -> int:
    """Make boards of one kind, with known answers, in a new folder DIR, for use with --boards DIR."""
    seed = new_seed() if seed is None else seed
    if like:
        return _generate_like(folder, like, seed)
    if pegs_text is None:
        raise InputError("expected --pegs N or --like TASK, found neither", "for example: --pegs 15-25")
    if kind is None:
        raise InputError(
            f"expected --kind and one of {', '.join(KINDS)}, found none", "for example: --kind solvable"
        )
    new_folder.check(folder)
    shape = _shape(shape_name)
    pegs = _numbers_of_pegs(pegs_text, shape, shape_name)
    _check_format(format_, kind, shape, shape_name)
    made: list[KnownBoard] = []
    with progress_line() as show:
        for each in _made(kind, shape, pegs, count, seed):
            made.append(each)
            show(f"{len(made)} of {count}")
    names = [f"{kind}-{number:0{len(str(count))}}" for number in range(1, count + 1)]
    arguments = (
        f"--kind {kind} --pegs {pegs_text} --board {shlex.quote(shape_name)} --count {count} --seed {seed}"
    )
    files = {"index.yaml": HEAD.format(arguments=arguments)}
    for name, board in zip(names, made, strict=True):
        files["index.yaml"] += _entry(name, board.board, Facts(*board.truth))
        if format_ != "cells":
            files[f"{name}.txt"] = format_board(board.board)
        if format_ != "text":
            files[f"{name}.cells"] = format_cells(board.board) + "\n"
    new_folder.write(folder, files)
    click.echo(f"{paths.shown(folder)}: {_summary(kind, made)}")
    if format_ != "cells":
        task = "peg1" if kind == "forced" else "peg3"
        click.echo(f"grade them: {_command(task, folder)}")
    return FULL_MARKS


def _generate_like(folder: Path, task_name: str, seed: int) -> int:
    """Make the set of boards for `--like TASK`, which grades like the task's own boards."""
    from grader.catalog.tasks import registry
    from grader.judging.board_sets import checks_like

    _check_alone()
    new_folder.check(folder)
    with progress_line() as show:
        made = checks_like(registry().find(task_name), seed, show)
    files = {"index.yaml": HEAD.format(arguments=f"--like {task_name} --seed {seed}")}
    for board, check, _ in made:
        grading: dict[str, object] = {}
        if check is not None:
            grading = {"points": check.points, "cpu_s": f"{check.cpu_s:g}", "tasks": f"[{task_name}]"}
            grading["beside"] = check.beside or None
            grading["others"] = f"[{', '.join(check.others)}]" if check.others else None
        files["index.yaml"] += _entry(board.name, board.board, board.facts, grading)
        files[f"{board.name}.txt"] = format_board(board.board)
    new_folder.write(folder, files)
    new, points = sum(each.new for each in made), sum(each.check.points for each in made if each.check)
    click.echo(
        f"{paths.shown(folder)}: {len(made)} boards worth {points} points: {new} new, "
        f"{len(made) - new} of {task_name}'s own turned or mirrored"
    )
    click.echo(f"grade them: {_command(task_name, folder)}")
    return FULL_MARKS


def _command(task_name: str, folder: Path) -> str:
    """Return the command that grades a task on a set of boards; where luck helps, on its own ones, too."""
    from grader.catalog.tasks import registry

    own = " --boards own" if registry().find(task_name).table else ""
    return f"grade {task_name} --boards {paths.typed(folder)}{own}"


def _check_alone() -> None:
    """Raise InputError if --like is used with options that its task decides."""
    context = click.get_current_context()
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in ("folder", "like", "seed")
        and context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        raise InputError(
            f"--like: expected no more than --seed beside it, found {' and '.join(given)}",
            "the task decides the number and the kinds of boards; leave out the other options",
        )


def _shape(name: str) -> Board:
    """Return a board with the shape that the new boards get; its pegs are ignored."""
    if name == SQUARE:
        return np.full((SIZE, SIZE), EMPTY, dtype=np.int8)
    return find_board(name).board


def _numbers_of_pegs(text: str, shape: Board, shape_name: str) -> range:
    holes = int((shape >= EMPTY).sum())
    least, dash, most = text.partition("-")
    if not (_is_number(least) and (_is_number(most) or not dash)):
        raise InputError(
            f"--pegs: expected a number or a range, found {text!r}", "for example: --pegs 20, or --pegs 15-25"
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


def _made(kind: Kind, shape: Board, pegs: range, count: int, seed: int) -> Iterator["KnownBoard"]:
    from grader.making.made_boards import made_boards
    from grader.oracle.problem import OracleError
    from grader.oracle.shape import shape_of

    try:
        yield from made_boards(kind, shape_of(shape), pegs, count, seed)
    except OracleError as error:
        raise InputError(error.message, error.help) from None


def _entry(name: str, board: Board, facts: Facts, grading: Mapping[str, object] | None = None) -> str:
    """Return a board's entry in the index, without facts that are not known."""
    fields = {
        "pegs": int((board > EMPTY).sum()),
        "holes": int((board >= EMPTY).sum()),
        "solvable": str(facts.solvable).lower(),
        "fewest": facts.fewest,
        "forced": str(facts.forced).lower(),
        "positions": facts.positions,
        **(grading or {}),
    }
    known = [f"{field}: {value}" for field, value in fields.items() if value is not None]
    return f"  {name}: {{{', '.join(known)}}}\n"


def _summary(kind: str, made: list["KnownBoard"]) -> str:
    pegs = [int((board.board > EMPTY).sum()) for board in made]
    numbers = f"{min(pegs)} pegs" if min(pegs) == max(pegs) else f"{min(pegs)} to {max(pegs)} pegs"
    boards = f"{len(made):,} {kind} board{'s' if len(made) > 1 else ''} of {numbers}"
    if kind != "unsolvable":
        return boards
    fewest = [board.truth.fewest for board in made]
    left = f"{min(fewest)}" if min(fewest) == max(fewest) else f"{min(fewest)} to {max(fewest)}"
    return f"{boards}; at best {left} pegs are left"
