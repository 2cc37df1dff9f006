"""Find what is wrong with a program's rules for jumps."""

from collections.abc import Sequence
from functools import cache

from framework.board import Board, format_board, parse_board
from framework.jumps import legal_jumps, play_jump
from grader.catalog.tasks import Asked, Task
from grader.judging.causes.ask import Ask
from grader.messages import wrong_rules
from grader.messages.message import Message
from grader.sandbox import answers

RULES_FILE = "peg1.py"
MOST_BOARDS = 100  # that the rules are asked about


def rules(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return what is wrong with the program's rules for jumps; None if nothing was found.

    The program is asked about each board, and about those reached by always playing the first legal jump.
    """
    boards, found = _asked(task, planned, ask)
    return None if found is None else wrong_rules.wrong(boards, found)


def are_right(task: Task, planned: Sequence[Asked], ask: Ask) -> bool:
    """Return whether the program's rules are known to be right, on the boards that `rules` asks about."""
    boards, found = _asked(task, planned, ask)
    return found is not None and wrong_rules.wrong(boards, found) is None


def _asked(task: Task, planned: Sequence[Asked], ask: Ask) -> tuple[list[Board], answers.Rules | None]:
    """Return the boards that the program is asked about, and what it answers."""
    if RULES_FILE not in task.files:
        return [], None
    starts = [format_board(asked.board.board) for asked in planned if asked.board is not None]
    boards = [board for start in starts for board in _line(start)][:MOST_BOARDS]
    request = {
        "kind": "rules",
        "module": RULES_FILE.removesuffix(".py"),
        "boards": [format_board(board) for board in boards],
    }
    return boards, ask(request, answers.parse_rules)


@cache  # a class fails on the same boards again and again
def _line(start: str) -> list[Board]:
    """Return a board, followed by the boards reached by always playing the first legal jump."""
    line = [parse_board(start)]
    while jumps := legal_jumps(line[-1]):
        line.append(line[-1].copy())
        play_jump(line[-1], jumps[0])
    return line
