"""Look boards up in a student's table, without a word of the program that it could make up for them.

One child hands over the keys in its table before any board is named. Two fresh ones then make the keys, each
of two thirds of the boards, in an order that tells nothing, and the judge looks these up itself. A key made
up from the other boards that are asked for, such as a rank, differs from one child to the other.
"""

from collections.abc import Sequence
from typing import Any

from grader.judging.kinds.client import question
from grader.judging.kinds.kind import chance_order
from grader.judging.numbers_sent import KeySet
from grader.sandbox.answers import ClientAnswer


def requests(solve: dict[str, Any], boards: Sequence[str]) -> list[dict[str, Any]]:
    """Return what to ask: for the table that `solve`, a request, leaves, and for the keys of these boards."""
    texts = [[boards[each] for each in half] for half in halves(len(boards), "look up")]
    return [{**solve, "kind": "kept"}, *(question([], each, False) for each in texts)]


def found(table: Sequence[int], made: Sequence[ClientAnswer], boards: int) -> list[int] | None:
    """Return, for each of so many boards, a number that stands for its key, or 0 if the table lacks that key.

    None if there is no key for each, or two of one board.
    """
    keys = joined(halves(boards, "look up"), [each.keys for each in made])
    return None if keys is None else [*map(KeySet(table).number, keys)]


def halves(count: int, what: str) -> list[Sequence[int]]:
    """Return the numbers below `count` in two parts, drawn by chance, that have a third of them in common."""
    order, third = chance_order(count, what), count // 3
    second = order[third:]
    return [order[: count - third], [second[each] for each in chance_order(len(second), f"{what} again")]]


def joined(parts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the answers to questions asked in these parts, in the questions' own order.

    None if there is no answer to each, or two to one.
    """
    placed: dict[int, int] = {}
    for part, each in zip(parts, answers, strict=True):
        if len(part) != len(each) or any(
            placed.setdefault(*one) != one[1] for one in zip(part, each, strict=True)
        ):
            return None
    return [placed[place] for place in sorted(placed)]
