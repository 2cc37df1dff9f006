"""`grade show`: draw a board with the known facts about it, or list the boards."""

from itertools import groupby
from pathlib import Path

import click
from tabulate import tabulate

from framework.board import draw_board
from framework.jumps import legal_jumps
from grader.catalog import example_file
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.images import IMAGES
from grader.catalog.tasks import registry
from grader.errors import FULL_MARKS, InputError


@click.command()
@click.argument("board", required=False)
def show(board: str | None) -> int:
    """Draw a board with the known facts about it; without BOARD, list the boards.

    BOARD may be one of your own, by its name in student/examples.yaml.
    """
    if board is None:
        boards = map(find_board, course_boards().names)
        rows = [_row(list(alike)) for _, alike in groupby(boards, lambda board: board.teaches)]
        click.echo(
            tabulate(
                rows,
                ["board", "pegs", "what it teaches"],
                tablefmt="plain",
                colalign=("left", "right", "left"),
            )
        )
        click.echo("\ntwo boards also come with any other hole empty: english@row,col  french@row,col")
        click.echo(
            f"also every board turned or mirrored, such as: {'  '.join(f'key+{image}' for image in IMAGES)}"
        )
        return FULL_MARKS
    if board in registry().tasks:
        raise InputError(f"{board} is a task, not a board", f"grade {board}")
    named = find_board(example_file.full_name(board, Path("student"), course_boards().names))
    click.echo(f"{named.name}  {named.teaches}".rstrip() + f"\n\n{draw_board(named.board)}\n")
    click.echo("\n".join(_facts(named)))
    return FULL_MARKS


def _row(alike: list[NamedBoard]) -> list[object]:
    """Return a row of the list for boards that teach the same."""
    pegs = [board.pegs for board in alike]
    if len(alike) == 1:
        return [alike[0].name, *pegs, alike[0].teaches]
    return [f"{alike[0].name} to {alike[-1].name}", f"{min(pegs)} to {max(pegs)}", alike[0].teaches]


def _facts(board: NamedBoard) -> list[str]:
    facts = board.facts
    lines = [f"pegs       {board.pegs}", f"jumps now  {len(legal_jumps(board.board))}"]
    if facts.solvable is not None:
        lines.append(f"solvable   {'yes' if facts.solvable else 'no'}")
    if facts.fewest is not None:
        lines.append(f"fewest     {facts.fewest}")
    if board.ends_anywhere:
        lines.append("ends       on any hole: its task knows no goals")
    if facts.forced is not None:
        lines.append(f"forced     {'yes: never more than one jump to make' if facts.forced else 'no'}")
    if facts.positions is not None:
        lines.append(f"positions  {facts.positions:,} different ones")
    return lines
