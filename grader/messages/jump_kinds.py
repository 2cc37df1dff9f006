"""Find a property that all jumps of one group have and no other jump has."""

from collections.abc import Iterable, Sequence

from framework.board import SIZE
from framework.jumps import Jump

STEPS = {(1, 0): "down", (-1, 0): "up", (0, 1): "to the right", (0, -1): "to the left"}
EDGES = (0, SIZE - 1)
PAIRS = [
    (f"that {verb} on {line} {EDGES[0]}", f"that {verb} on {line} {EDGES[-1]}")
    for verb in ("starts", "ends")
    for line in ("row", "column")
]
BEYOND = ((0, 1, "below row"), (0, -1, "above row"), (1, 1, "right of column"), (1, -1, "left of column"))


def in_common(those: Iterable[Jump], others: Iterable[Jump]) -> str:
    """Return in words a property that all of `those` have and none of `others`; empty if there is none.

    It may be two in one: that they start, or end, on the first or the last row or column.
    """
    properties, of_others = [*map(_properties, those)], set().union(*map(_properties, others))
    if common := set.intersection(*properties) - of_others:
        return min(common)
    for first, last in PAIRS:
        pair = {first, last}
        if pair.isdisjoint(of_others) and not any(map(pair.isdisjoint, properties)):
            return f"{first} or {EDGES[-1]}"
    return ""


def beyond(those: Sequence[Jump], others: Sequence[Jump]) -> tuple[str, list[Jump]]:
    """Return in words a line beyond which most of `those` start and none of `others`, and which these are."""
    for axis, sign, words in BEYOND:
        line = max(sign * jump[axis] for jump in others)
        found = [jump for jump in those if sign * jump[axis] > line]
        if 2 * len(found) > len(those):
            return f"that starts {words} {sign * line}", found
    return "", [*those]


def _properties(jump: Jump) -> set[str]:
    """Return in words the properties of a jump that other jumps may share."""
    row_start, col_start, row_end, col_end = jump
    found = {STEPS[(row_end - row_start) // 2, (col_end - col_start) // 2]}
    for verb, row, col in (("starts", row_start, col_start), ("ends", row_end, col_end)):
        found |= {f"that {verb} on row {row}"} if row in EDGES else set()
        found |= {f"that {verb} on column {col}"} if col in EDGES else set()
    return found
