"""Find which of the four numbers of each move come back wrong, or in the wrong order."""

from collections.abc import Callable, Sequence
from itertools import permutations

from framework.jumps import Jump

PARTS = ("row_start", "col_start", "row_end", "col_end")
IN_ORDER = tuple(range(len(PARTS)))


def mixed_up(jumps: Sequence[Jump], is_right: Callable[[list[Jump]], bool]) -> str | None:
    """Return in words which parts are mixed up, if that explains what is wrong with the jumps; else None.

    Args:
        jumps: the jumps, as the student's client unpacked them.
        is_right: returns whether jumps are what they should be.

    Returns:
        which parts are mixed up; empty if more than one order of the parts would be right.
    """
    right = [
        order
        for order in permutations(IN_ORDER)
        if order != IN_ORDER and is_right([_reordered(jump, order) for jump in jumps])
    ]
    return _described(right[0]) if len(right) == 1 else "" if right else None


def one_wrong(asked: Sequence[Jump], jumps: Sequence[Jump]) -> str:
    """Return in words which part comes back wrong, if it is the only one; else an empty string."""
    both = list(zip(asked, jumps, strict=False))
    wrong = [PARTS[part] for part in IN_ORDER if any(jump[part] != back[part] for jump, back in both)]
    return f"{wrong[0]} gives a wrong number, and the other three are right" if len(wrong) == 1 else ""


def _reordered(jump: Jump, order: Sequence[int]) -> Jump:
    row_start, col_start, row_end, col_end = (jump[other] for other in order)
    return row_start, col_start, row_end, col_end


def _described(order: Sequence[int]) -> str:
    """Return in words which function returns which part of a move, if some are mixed up.

    Args:
        order: for each of the four parts, the number of the part whose function returns it.
    """
    wrong = [part for part in IN_ORDER if order[part] != part]
    if all(order[order[part]] == part for part in wrong):
        pairs = [f"{PARTS[part]} and {PARTS[order[part]]}" for part in wrong if part < order[part]]
        return f"{pairs[0]} are swapped" + (f", and so are {pairs[1]}" if len(pairs) > 1 else "")
    return ", ".join(f"{PARTS[order[part]]} returns {PARTS[part]}" for part in wrong)
