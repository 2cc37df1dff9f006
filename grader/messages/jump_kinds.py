"""Find a property that all jumps of one group have and no other jump has."""

from collections.abc import Iterable

from framework.board import SIZE
from framework.jumps import Jump

STEPS = {(1, 0): "down", (-1, 0): "up", (0, 1): "to the right", (0, -1): "to the left"}
EDGES = (0, SIZE - 1)
PAIRS = [
    tuple(f"that {verb} on {line} {number}" for number in EDGES)
    for verb in ("starts", "ends")
    for line in ("row", "column")
]
BEYOND = ("that starts below row 0", "that starts to the right of column 0")


def in_common(those: Iterable[Jump], others: Iterable[Jump]) -> str:
    """Return in words a property that all of `those` have and none of `others`; empty if there is none."""
    properties, of_others = [*map(_properties, those)], set().union(*map(_properties, others))
    common = set.intersection(*properties) - of_others
    return min(common, default="") or next(
        (
            f"{first} or {second[-1]}"
            for first, second in PAIRS
            if _has_one(properties, {first, second} - of_others)
        ),
        "",
    )


def _has_one(properties: Iterable[set[str]], of_these: set[str]) -> bool:
    return len(of_these) == 2 and not any(each.isdisjoint(of_these) for each in properties)


def one_line(those: Iterable[Jump], others: Iterable[Jump]) -> str:
    """Return in words that only the others start on the first row, or on the first column; else empty."""
    starts, other_starts = [jump[:2] for jump in those], [jump[:2] for jump in others]
    for axis, words in enumerate(BEYOND):
        if all(start[axis] > 0 for start in starts) and all(start[axis] == 0 for start in other_starts):
            return words
    return ""


def _properties(jump: Jump) -> set[str]:
    """Return in words the properties of a jump that other jumps may share."""
    row_start, col_start, row_end, col_end = jump
    found = {STEPS[(row_end - row_start) // 2, (col_end - col_start) // 2]}
    for verb, row, col in (("starts", row_start, col_start), ("ends", row_end, col_end)):
        found |= {f"that {verb} on row {row}"} if row in EDGES else set()
        found |= {f"that {verb} on column {col}"} if col in EDGES else set()
    return found
