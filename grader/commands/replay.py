"""`grade replay`: show the last solution of a task on a board, in the browser or in the terminal."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from framework.board import Board, count_pegs, draw_board
from framework.jumps import Jump, cell_between, format_jump, jump_fault, play_jump
from grader.commands.options import STUDENT
from grader.errors import FULL_MARKS, InputError
from grader.messages.phrases import count
from grader.play import browser, replays


@click.command()
@click.argument("task", required=False)
@click.argument("board", required=False)
@STUDENT
def replay(task: str | None, board: str | None, student: Path) -> int:
    """Replay the last solution of TASK on BOARD, jump by jump; without BOARD, list the solutions.

    It opens in the browser, if there is one, and is drawn here if not, or if the output is no terminal.
    """
    if task is None or board is None:
        _list(task, student)
        return FULL_MARKS
    named, result = replays.find_game(student, task, board)
    on_terminal = sys.stdout.isatty() and sys.stdin.isatty()
    if on_terminal and browser.is_there() and find_spec("flask") is not None:
        from grader.play import serve

        return serve.serve(student, replays.path_of(task, board), browser.PORT)
    frames = frames_of(board, named.board, result["jumps"])
    if on_terminal:
        _step_through(frames)
    else:
        click.echo("\n\n".join(frames))
    return FULL_MARKS


def _list(task: str | None, student: Path) -> None:
    games = replays.games(student)
    if not games:
        raise InputError("nothing to replay yet", "grade a task first, for example: grade peg1")
    chosen = [game for game in games if task in (None, game[0])]
    click.echo("\n".join(f"grade replay {task} {board}" for task, board in chosen))


def frames_of(name: str, board: Board, jumps: Sequence[Jump]) -> list[str]:
    """Return a drawing of the board and one for each jump, up to the first illegal jump."""
    played = board.copy()
    frames = [f"{name}: {count(count_pegs(board), 'peg')}\n{draw_board(played)}"]
    for number, jump in enumerate(jumps, start=1):
        head = f"jump {number} of {len(jumps)}: {format_jump(jump)}\n"
        fault = jump_fault(played, jump)
        if fault is not None:
            return [*frames, f"{head}illegal: it {fault.reason}"]
        play_jump(played, jump)
        start, end = (jump[0], jump[1]), (jump[2], jump[3])
        frames.append(head + draw_board(played, {start: "@", cell_between(jump): "x", end: "+"}))
    left = count(count_pegs(played), "peg")
    frames[-1] += f"\n\n{left} left    @ from   x taken   + landing"
    return frames


def _step_through(frames: Sequence[str]) -> None:
    """Show one frame at a time; the user types which way to go."""
    at = 0
    while True:
        click.echo(f"\n{frames[at]}\n")
        last = at + 1 == len(frames)
        keys = ["Enter: end" if last else "Enter: next", *(["b: back"] if at else []), "q: quit"]
        try:
            key = input(f"{'   '.join(keys)} > ").strip().lower()
        except EOFError:
            return
        if key == "q" or (not key and last):
            return
        at = max(0, at - 1) if key == "b" else min(at + (not key), len(frames) - 1)
