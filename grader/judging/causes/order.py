"""Find out in which order a search that is too slow tries the jumps of a board."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from framework.jumps import Jump
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Task, has_earlier_search
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.causes.walk import follow
from grader.judging.kinds import table_truth
from grader.judging.kinds.solve import Solve, question
from grader.messages.catalogue import say
from grader.messages.message import Message
from grader.sandbox import answers

LEAST_POSITIONS = 100  # of the board on which the order is looked at
LEAST_SEEN = 30  # pairs of jumps seen again before anything is said


def order(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return what is wrong with the order in which a search tries the jumps; None if nothing was found."""
    kind = kinds.of(task)
    if not isinstance(kind, Solve) or kind.exact or not task.table or has_earlier_search(task):
        return None
    boards = [each.board for each in planned if each.board is not None and _shows_order(each.board)]
    board = min(boards, key=lambda each: each.facts.positions or 0, default=None)
    if board is None:
        return None
    noted = ask({**question(board, task), "kind": "walk"}, answers.parse_noted)
    if noted is None:
        return None
    known = table_truth.positions(board.board)
    walk = follow(known, noted)
    if walk.lost or not _is_fixed(map(_searched, walk.tried.values())):
        return None
    return say("fixed-order", board=board.name, handout=task.handout)


def _shows_order(board: NamedBoard) -> bool:
    """Return whether a board is fit to show in which order a search tries the jumps.

    It must be unsolvable, so that every search tries all jumps, and have many positions, but not too many.
    """
    facts = board.facts
    return (
        facts.solvable is False and table_truth.is_small(facts) and (facts.positions or 0) >= LEAST_POSITIONS
    )


def _searched(jumps: Sequence[Jump]) -> list[Jump]:
    """Return the jumps of a position in the order in which the search tried them.

    A search may first make a jump just to rate the board after it, so only the last time counts.
    """
    return list(dict.fromkeys(reversed(jumps)))[::-1]


def _is_fixed(orders: Iterable[Sequence[Jump]]) -> bool:
    """Return whether any two jumps are always tried in the same order, whatever the board."""
    seen = Counter(pair for jumps in orders for pair in combinations(jumps, 2))
    again = sum(times - 1 for times in seen.values())
    return again >= LEAST_SEEN and not any((second, first) in seen for first, second in seen)
