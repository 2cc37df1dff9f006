"""`grade show` and `grade replay`: boards, and games on them, drawn."""

from pathlib import Path

import click
from tabulate import tabulate

from framework.board import draw_board
from framework.jumps import cell_between, format_jump, jump_fault, legal_jumps, play_jump
from grader import kinds, store
from grader.boards import NamedBoard, course_boards, find_board
from grader.errors import FULL_MARKS, InputError
from grader.images import IMAGES
from grader.tasks import registry


def show(name: str | None) -> int:
    """Draw a board with what is known of it, or list the boards."""
    if name is None:
        boards = course_boards()
        rows = []
        for each in boards.names:
            found = boards.find(each)
            assert found is not None
            rows.append([each, found.pegs, found.teaches])
        click.echo(tabulate(rows, ["board", "pegs", "what it teaches"], tablefmt="plain"))
        click.echo("\nand every vacancy of two of them: english@row,col  french@row,col")
        click.echo(f"and each turned or mirrored: {'  '.join(f'key+{image}' for image in IMAGES)}")
        return FULL_MARKS
    board = find_board(name)
    click.echo(f"{board.name}  {board.teaches}".rstrip() + f"\n\n{draw_board(board.board)}\n")
    click.echo("\n".join(_facts(board)))
    return FULL_MARKS


def _facts(board: NamedBoard) -> list[str]:
    facts = board.facts
    lines = [f"pegs       {board.pegs}", f"jumps now  {len(legal_jumps(board.board))}"]
    if facts.solvable is not None:
        lines.append(f"solvable   {'yes' if facts.solvable else 'no'}")
    if facts.fewest is not None:
        lines.append(f"fewest     {facts.fewest}")
    if facts.forced is not None:
        lines.append(f"forced     {'yes: never more than one jump to make' if facts.forced else 'no'}")
    if facts.positions is not None:
        lines.append(f"positions  {facts.positions:,} different ones")
    return lines


def replay(task_name: str | None, board_name: str | None, student: Path) -> int:
    """Draw the last solution of a task on a board, jump by jump, up to the first illegal one.

    Raises:
        InputError: there is no such solution.
    """
    kept = store.load(student)
    games = [
        (task, board)
        for task, of_task in kept.items()
        for board, result in of_task.get("boards", {}).items()
        if result.get("jumps")
    ]
    if task_name is None or board_name is None:
        if not games:
            raise InputError("nothing to replay yet", "grade a task first, for example: grade peg1")
        chosen = [game for game in games if task_name in (None, game[0])]
        click.echo("\n".join(f"grade replay {task} {board}" for task, board in chosen))
        return FULL_MARKS
    task = registry().find(task_name)
    if (task_name, board_name) not in games:
        raise InputError(
            f"no solution of {task_name} on {board_name} to replay",
            f"grade it first: grade {task_name} --board {board_name}",
        )
    board = find_board(kinds.of(task).board_of(board_name)[0])
    jumps = kept[task_name]["boards"][board_name]["jumps"]
    played = board.board.copy()
    click.echo(f"{board_name}: {board.pegs} pegs\n{draw_board(played)}")
    for number, jump in enumerate(jumps, start=1):
        fault = jump_fault(played, jump)
        click.echo(f"\njump {number} of {len(jumps)}: {format_jump(jump)}")
        if fault is not None:
            click.echo(f"illegal: it {fault.reason}")
            return FULL_MARKS
        play_jump(played, jump)
        start, end = (jump[0], jump[1]), (jump[2], jump[3])
        click.echo(draw_board(played, {start: "@", cell_between(jump): "x", end: "+"}))
    left = board.pegs - len(jumps)
    click.echo(f"\n{left} peg{'' if left == 1 else 's'} left    @ from   x taken   + landing")
    return FULL_MARKS
