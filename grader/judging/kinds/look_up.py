"""Look boards up in a student's table, without a word of the program that it could make up for them.

One child hands over the keys in its table before any board is named. A fresh one then makes the keys of the
boards, in an order that tells nothing, and the judge looks these up itself.
"""

from collections.abc import Sequence
from typing import Any

from grader.judging.held import KeySet
from grader.judging.kinds.client import question
from grader.judging.kinds.kind import chance_order, in_own_order
from grader.sandbox.answers import ClientAnswer


def requests(solve: dict[str, Any], boards: Sequence[str]) -> list[dict[str, Any]]:
    """Return what to ask: for the table that `solve`, a request, leaves, and for the keys of these boards."""
    texts = [boards[each] for each in chance_order(len(boards), "look up")]
    return [{**solve, "kind": "kept"}, question([], texts, False)]


def found(table: Sequence[int], answer: ClientAnswer) -> list[int]:
    """Return, for each of the boards, a number that stands for its key, or 0 if the table lacks that key."""
    keys = in_own_order(answer.keys, chance_order(len(answer.keys), "look up"))
    return [*map(KeySet(table).number, keys)]
