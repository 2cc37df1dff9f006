"""Find out whether a function of client.py never ends for some board."""

from framework.board import SIZE, Board, format_board, parse_board
from grader.catalog.boards import find_board
from grader.catalog.tasks import Task
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.kinds.client import Client, question
from grader.messages.catalogue import say
from grader.messages.message import Message, picture
from grader.sandbox import answers


def endless(task: Task, ask: Ask) -> Message | None:
    """Return the message about a function that never ends for some board; None if none was found."""
    if not isinstance(kinds.of(task), Client):
        return None
    for board in _boards():
        cells = "".join(format_board(board).split())
        for function, hashed in (("board_key", False), ("key_hash", True)):
            if ask(question([], [cells], hashed), answers.parse_client_answer) is None:
                told = say("client-endless", picture(board), function=function, of_key=hashed)
                return told if ask.at_limit else None
    return None


def _boards() -> list[Board]:
    """Return boards that differ in the first or last cell, where a loop over cells or bits begins or ends."""
    rest = (SIZE * SIZE - 1) * "o"
    return [_board(cells) for cells in (SIZE * SIZE * "*", "*" + rest, rest + "*")] + [
        find_board("english").board
    ]


def _board(cells: str) -> Board:
    return parse_board(
        "".join(" ".join(cells[row : row + SIZE]) + "\n" for row in range(0, len(cells), SIZE))
    )
