"""A perfect index: the positions of one parity class with one number of pegs, numbered from 0 without a gap.

The holes are split into low and high ones by their numbers, and the bits of each part are read as an integer.
The number of a position is the number of positions whose high part is lower, plus the rank of its low part
among those that, with its high part, give the class and the number of pegs. So a set of positions is an array
with one bit per position, in the order of the positions as integers.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from grader.oracle.bits import inlined, kernel
from grader.oracle.shape import Shape

CLASSES = 16


class LowHoles(NamedTuple):
    """The low holes of a shape: the 2^bits ways to fill them, grouped by parity class and number of pegs."""

    bits: int
    # shape (2^bits,), uint16 or uint32: the rank of each value (a way to fill them) in its group
    ranks: np.ndarray
    values: np.ndarray  # shape (2^bits,), uint16 or uint32: the values, group by group, in ascending order
    # shape (16 * (bits + 1) + 1,), int64: where each group starts in `values`; the number of a group is class
    # * (bits + 1) + pegs
    group_starts: np.ndarray


class HighHoles(NamedTuple):
    """The high holes of a shape; all levels share these tables."""

    classes: np.ndarray  # shape (2^high bits,), uint8: the parity class of each value of the high holes
    pegs: np.ndarray  # the same shape, uint8: how many pegs each value has


class Level(NamedTuple):
    """The index of the positions of one parity class with one number of pegs."""

    # shape (2^high bits + 1,), uint32 or uint64: how many positions have a lower value of the high holes
    before: np.ndarray
    class_: int
    pegs: int
    high: HighHoles

    @property
    def size(self) -> int:
        """How many positions have a number in this index."""
        return int(self.before[-1])

    @property
    def words(self) -> int:
        """How many 64-bit words a set of such positions has, at one bit per position."""
        return (self.size + 63) // 64


class Index:
    """The perfect index of a shape, with a `Level` for each parity class and number of pegs; it is small."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        count = len(shape.holes)
        bits = 8 if count <= 16 else max(16, count - 17)
        bits = min(bits, count)
        codes = np.array(shape.codes, dtype=np.uint8)
        classes, pegs = classes_of_values(codes[:bits]), _pegs(bits)
        groups = classes.astype(np.int64) * (bits + 1) + pegs
        values = np.argsort(groups, kind="stable")
        sizes = np.bincount(groups, minlength=CLASSES * (bits + 1))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rank_type = np.uint16 if sizes.max() <= 1 << 16 else np.uint32
        ranks = np.empty(1 << bits, dtype=rank_type)
        ranks[values] = (np.arange(1 << bits) - starts[groups[values]]).astype(rank_type)
        self.low = LowHoles(bits, ranks, values.astype(np.uint16 if bits <= 16 else np.uint32), starts)
        self._high = HighHoles(classes_of_values(codes[bits:]), _pegs(count - bits))
        self._levels: dict[tuple[int, int], Level] = {}

    def level(self, class_: int, pegs: int) -> Level:
        """Return the index of the positions of a parity class with `pegs` pegs."""
        if (class_, pegs) not in self._levels:
            kind = np.uint32 if len(self.shape.holes) <= 37 else np.uint64
            level = Level(np.zeros(len(self._high.pegs) + 1, kind), class_, pegs, self._high)
            _count_before(level, self.low)
            self._levels[class_, pegs] = level
        return self._levels[class_, pegs]


def classes_of_values(codes: np.ndarray) -> np.ndarray:
    """Return the parity class of each of the 2^n ways to fill n holes; `codes` has the holes' parts in it."""
    classes = np.zeros(1 << len(codes), dtype=np.uint8)
    for hole, code in enumerate(codes):
        classes[1 << hole : 2 << hole] = classes[: 1 << hole] ^ code
    return classes


def _pegs(holes: int) -> np.ndarray:
    """Return how many pegs there are in each of the 2^n ways to fill n holes."""
    return np.bitwise_count(np.arange(1 << holes, dtype=np.uint64))


@inlined
def low_group(high: Any, level: Any, low: Any) -> Any:
    """Return which group of low holes goes with a value of the high holes, or -1 if there is none."""
    wanted = level.pegs - np.int64(level.high.pegs[high])
    if not 0 <= wanted <= low.bits:
        return -1
    return (np.int64(level.high.classes[high]) ^ level.class_) * (low.bits + 1) + wanted


@kernel
def _count_before(level: Level, low: LowHoles) -> None:
    """Fill in `level.before`."""
    total = 0
    for high in range(level.high.pegs.shape[0]):
        group = low_group(high, level, low)
        if group >= 0:
            total += low.group_starts[group + 1] - low.group_starts[group]
        level.before[high + 1] = total


@lru_cache(maxsize=8)
def index_of(shape: Shape) -> Index:
    """Return the perfect index of a shape; it is computed once."""
    return Index(shape)
