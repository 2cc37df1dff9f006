"""Find which of the four numbers of each move come back wrong, or in the wrong order."""

from collections.abc import Callable, Sequence
from itertools import permutations

from framework.jumps import Jump
from grader.messages.catalogue import say
from grader.messages.message import Message

PARTS = ("row_start", "col_start", "row_end", "col_end")
IN_ORDER = tuple(range(len(PARTS)))


def mixed_up(jumps: Sequence[Jump], is_right: Callable[[list[Jump]], bool]) -> Message | None:
    """Return which parts are mixed up, if that explains what is wrong with the jumps; else None.

    Returns:
        which parts are mixed up; an empty message if more than one order of the parts would be right.
    """
    right = [
        order
        for order in permutations(IN_ORDER)
        if order != IN_ORDER and is_right([_reordered(jump, order) for jump in jumps])
    ]
    if len(right) != 1:
        return Message() if right else None
    wrong = [PARTS[part] for part in IN_ORDER if right[0][part] != part]
    if len(wrong) == 2:
        return say("parts-swapped", one=wrong[0], other=wrong[1])
    # The function of part `right[0][part]` returns `part`.
    row_start, col_start, row_end, col_end = (PARTS[right[0].index(function)] for function in IN_ORDER)
    return say("parts-mixed-up", row_start=row_start, col_start=col_start, row_end=row_end, col_end=col_end)


def one_wrong(asked: Sequence[Jump], jumps: Sequence[Jump]) -> Message:
    """Return which part comes back wrong, if it is the only one; else an empty message."""
    both = list(zip(asked, jumps, strict=False))
    wrong = [PARTS[part] for part in IN_ORDER if any(jump[part] != back[part] for jump, back in both)]
    return say("one-part-wrong", part=wrong[0]) if len(wrong) == 1 else Message()


def _reordered(jump: Jump, order: Sequence[int]) -> Jump:
    row_start, col_start, row_end, col_end = (jump[other] for other in order)
    return row_start, col_start, row_end, col_end
