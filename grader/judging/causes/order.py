"""Find out in which order a search that is too slow tries the jumps of a board."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from framework.jumps import Jump
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Task, has_earlier_search
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.causes.walk import Walk, follow
from grader.judging.holes import pegs_of
from grader.judging.kinds import table_truth
from grader.judging.kinds.solve import Solve, question
from grader.messages.catalogue import say
from grader.messages.message import Message
from grader.sandbox import answers

LEAST_POSITIONS = 100  # of the board on which the order is looked at
LEAST_SEEN = 30  # pairs of jumps seen again, or boards with a choice, before anything is said
MOSTLY = 0.8  # of the boards with a choice


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
    if walk.lost:
        return None
    if _is_fixed(_searched(jumps) for jumps in walk.tried.values()):
        return say("measured-but-fixed-order" if _is_measured(walk) else "fixed-order", board=board.name)
    return say("scattered-first", board=board.name) if _is_scattered_first(known, walk) else None


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


def _is_measured(walk: Walk) -> bool:
    """Return whether the jumps of most boards are made once more before they are searched."""
    boards = [jumps for jumps in walk.tried.values() if jumps]
    return sum(len(set(jumps)) < len(jumps) for jumps in boards) >= MOSTLY * len(boards)


def _is_scattered_first(known: table_truth.Positions, walk: Walk) -> bool:
    """Return whether the search mostly tries first the jumps that leave the pegs far apart."""
    choices = list(_first_and_last(known, walk))
    wrong = sum(_scatter(first) > _scatter(last) for first, last in choices)
    return len(choices) >= LEAST_SEEN and wrong >= MOSTLY * len(choices)


def _first_and_last(known: table_truth.Positions, walk: Walk) -> Iterator[tuple[int, int]]:
    """Yield the positions after the first and the last jump tried on each board, if their scatter differs."""
    for position, jumps in walk.tried.items():
        searched = _searched(jumps)
        if len(searched) > 1:
            first, last = (_after(known, position, searched[place]) for place in (0, -1))
            if _scatter(first) != _scatter(last):
                yield first, last


def _after(known: table_truth.Positions, position: int, jump: Jump) -> int:
    return next(position ^ cells for cells, pegs, each in known.jumps if each == jump)


def _scatter(position: int) -> int:
    """Return the sum of the distances between all pairs of pegs, measured along rows and columns."""
    cells = [divmod(cell, 8) for cell in pegs_of(position)]
    return sum(abs(row - other) + abs(col - beside) for (row, col), (other, beside) in combinations(cells, 2))
