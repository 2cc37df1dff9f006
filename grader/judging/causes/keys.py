"""Find two positions that a program gives the same key, though neither is an image of the other."""

from collections.abc import Sequence

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Task, has_earlier_search
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.held import KeySet
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.solve import Solve, question
from grader.messages.catalogue import say
from grader.messages.message import Message, picture
from grader.sandbox import answers

LEAST_POSITIONS = 50  # of the board whose keys are looked at


def shared_keys(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return the message about two positions of one board that share a key; None if none is known.

    `board_key` is asked about those of the boards with the fewest and with the most of them that are neither
    tiny nor large; a search in an order of its own, which may have keys of images, about those of the first
    two boards.
    """
    if not task.table or "client.py" not in task.files:
        return None
    first = [each.board for each in planned if each.board is not None and _shows_keys(each.board.facts)]
    boards = sorted(first, key=lambda each: each.facts.positions or 0)
    pairs: list[tuple[NamedBoard, Task | None]]
    pairs = [(each, None) for each in (*boards[:1], *boards[1:][-1:])]
    kind = kinds.of(task)
    if isinstance(kind, Solve) and kind.has_own_order and not has_earlier_search(task):
        pairs += [(each, task) for each in first[:2]]
    return next(filter(None, (_shared(board, search, ask) for board, search in pairs)), None)


def _shows_keys(facts: Facts) -> bool:
    return table_truth.is_small(facts) and (facts.positions or 0) >= LEAST_POSITIONS


def _shared(board: NamedBoard, search: Task | None, ask: Ask) -> Message | None:
    """Return the message about two positions that `board_key`, or a search, gives one key."""
    known = table_truth.positions(board.board)
    those, request = [*known.after], client.question([], [*map(known.text, known.after)], False)
    if search is not None:
        those = [each for each, reached in known.after.items() if not reached and each.bit_count() > 1]
        request = {**question(board, search), "kind": "recorded", "boards": [*map(known.text, those)]}
    answer = ask(request, answers.parse_client_answer)
    if answer is None or len(answer.keys) != len(those):
        return None
    first: dict[int, int] = {}
    for position, key in zip(those, map(KeySet(answer.keys).number, answer.keys), strict=True):
        other = first.setdefault(key, position)
        if other != position and other not in known.images(position):
            both = (picture(known.board(each)) for each in (other, position))
            return say("keys-shared" if search is None else "own-keys-shared", *both, board=board.name)
    return None
