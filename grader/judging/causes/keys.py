"""Find two positions that a program gives the same key, though neither is an image of the other."""

from collections.abc import Sequence

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Task
from grader.judging.causes.ask import Ask
from grader.judging.held import KeySet
from grader.judging.kinds import table_truth
from grader.judging.kinds.client import question
from grader.messages.catalogue import say
from grader.messages.message import Message, picture
from grader.sandbox import answers

LEAST_POSITIONS = 50  # of the board whose keys are looked at


def shared_keys(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return the message about two positions of one board that share a key; None if none is known.

    The positions are those of the boards with the fewest and with the most of them that are neither tiny nor
    large.
    """
    if not task.table or "client.py" not in task.files:
        return None
    boards = [each.board for each in planned if each.board is not None and _shows_keys(each.board.facts)]
    boards.sort(key=lambda each: each.facts.positions or 0)
    found = (_shared(board, ask) for board in (*boards[:1], *boards[1:][-1:]))
    return next(filter(None, found), None)


def _shows_keys(facts: Facts) -> bool:
    return table_truth.is_small(facts) and (facts.positions or 0) >= LEAST_POSITIONS


def _shared(board: NamedBoard, ask: Ask) -> Message | None:
    known = table_truth.positions(board.board)
    answer = ask(question([], [*map(known.text, known.after)], False), answers.parse_client_answer)
    if answer is None or len(answer.keys) != len(known.after):
        return None
    first: dict[int, int] = {}
    for position, key in zip(known.after, map(KeySet(answer.keys).number, answer.keys), strict=True):
        other = first.setdefault(key, position)
        if other != position and other not in known.images(position):
            both = (picture(known.board(each)) for each in (other, position))
            return say("keys-shared", *both, board=board.name)
    return None
