"""Sets of positions of one shape, as bits of the perfect index; all cores share the work."""

import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from grader.oracle import kernels, pagoda
from grader.oracle.index import Index, Level, index_of
from grader.oracle.kernels import COMPLEMENTS, NO_SET, ORIGINS, OUTCOMES, Moves, Pruning
from grader.oracle.shape import Group, Shape, Symmetry, byte_sums, groups_of, image

NO_HOLES = np.uint64(0)
FEW = 2_000  # positions; fewer are not worth a second thread


@dataclass(frozen=True)
class PositionSet:
    """A set of positions of one parity class and one number of pegs; each stands for all its images."""

    level: Level
    bits: np.ndarray  # shape (level.words,), uint64: one bit per position, in ascending order
    count: int


class Field:
    """A shape, and a group of its symmetries; images under these count as one position."""

    def __init__(self, shape: Shape, group: Sequence[Symmetry]) -> None:
        self.shape = shape
        self.index: Index = index_of(shape)  # the perfect index of the shape
        self.group = tuple(group)  # the symmetries; the first one changes nothing
        # a tuple with one item per symmetry; its length tells compiled code how many there are
        self.lanes = (0,) * len(self.group)
        self.full = np.uint64(shape.full)

    @cached_property
    def moves(self) -> Moves:
        """The jumps of the shape and their images, as tables for compiled code."""
        groups = groups_of(self.shape)
        count = len(self.group)
        changes = np.zeros((2, 64, count), dtype=np.uint64)
        ends = np.zeros((2, 64, 2), dtype=np.int64)
        for group in groups:
            for three in self.shape.threes:
                distances = (three.middle - three.first, three.last - three.first)
                if group.firsts >> three.first & 1 and distances == (group.to_middle, group.to_last):
                    place = three.first + group.shift
                    ends[group.word, place] = three.first, three.last
                    for k, symmetry in enumerate(self.group):
                        changes[group.word, place, k] = image(symmetry, three.cells)
        bits = self.index.low.bits
        targets = np.zeros((count, 64), dtype=np.int64)
        for k, symmetry in enumerate(self.group):
            targets[k, : len(symmetry)] = symmetry
        low_images = _byte_images([symmetry[:bits] for symmetry in self.group])
        high_images = _byte_images([symmetry[bits:] for symmetry in self.group])
        steps = np.array(groups, dtype=np.uint64).reshape(-1, len(Group._fields))
        return Moves(steps, changes.reshape(-1), ends.reshape(-1, 2), low_images, high_images, targets)

    def pruning(self, goals: Iterable[int]) -> Pruning:
        """Return pagoda functions that can show that none of `goals` can be reached from a position."""
        weights, needed = pagoda.best_functions(self.shape, tuple(goals))
        bits = self.index.low.bits
        low, high = pagoda.lane_sums(weights[:, :bits]), pagoda.lane_sums(weights[:, bits:])
        if len(weights) == 0 or len(high) == 0:
            return NO_PRUNING
        high[0] += pagoda.margins(needed)
        return Pruning(low, high)

    def mirror(self, some: Iterable[int], others: Iterable[int]) -> "Field | None":
        """Return the field that sees the image of each position, if a symmetry exchanges two sets.

        That symmetry takes levels grown from some positions to those grown from the others.
        """
        some, others = set(some), set(others)
        for each in self.shape.symmetries:
            if {image(each, one) for one in some} == others and {image(each, one) for one in others} == some:
                if each == self.group[0]:
                    return self
                return Field(self.shape, [tuple(symmetry[hole] for hole in each) for symmetry in self.group])
        return None

    def least_image(self, position: int) -> int:
        """Return the position that stands for all images of `position`."""
        return min(image(symmetry, position) for symmetry in self.group)

    def of(self, positions: Iterable[int]) -> PositionSet:
        """Return a set of the given positions.

        There must be at least one, and all must have the same parity class and the same number of pegs.
        """
        least = sorted({self.least_image(position) for position in positions})
        level = self.index.level(self.shape.class_of(least[0]), least[0].bit_count())
        bits = _empty(level.words)
        for position in least:
            number = self.rank(position, level)
            bits[number >> 6] |= np.uint64(1 << (number & 63))
        return PositionSet(level, bits, len(least))

    def rank(self, position: int, level: Level) -> int:
        """Return the number of a position in its level."""
        low = self.index.low
        return int(low.ranks[position & ((1 << low.bits) - 1)]) + int(level.before[position >> low.bits])

    def holds(self, positions: PositionSet, position: int) -> bool:
        """Return whether a position, or an image of it, is in a set.

        The position must have the parity class and the number of pegs of those in the set.
        """
        number = self.rank(self.least_image(position), positions.level)
        return bool(int(positions.bits[number >> 6]) >> (number & 63) & 1)

    def after_jump(
        self,
        source: PositionSet,
        target: Level,
        *,
        within: PositionSet | None = None,
        complement_first: bool = False,
        complement_after: bool = False,
        pruning: Pruning | None = None,
    ) -> PositionSet:
        """Return the positions one jump after those of `source`.

        Args:
            source: the positions; those that `pruning` shows to be lost are skipped.
            within: keep only outcomes in this set.
            complement_first: make the jumps from the complement of each position.
            complement_after: take the complement of each outcome.
        """
        flips = self.full if complement_first else NO_HOLES, self.full if complement_after else NO_HOLES
        bits = NO_SET if within is None else within.bits
        return self._spread(OUTCOMES, source, target, flips, bits, target, pruning or NO_PRUNING)

    def leading(self, source: PositionSet, within: PositionSet, pruning: Pruning) -> PositionSet:
        """Return the positions of `source` from which a jump leads to the complement of one in `within`."""
        flips = NO_HOLES, self.full
        return self._spread(ORIGINS, source, source.level, flips, within.bits, within.level, pruning)

    def complements(self, source: PositionSet, target: Level) -> PositionSet:
        """Return the complements of positions, as a set with the index `target`."""
        return self._spread(COMPLEMENTS, source, target, (NO_HOLES, self.full), NO_SET, target, NO_PRUNING)

    def _spread(
        self,
        marked: tuple[int, ...],
        source: PositionSet,
        target: Level,
        flips: tuple[np.uint64, np.uint64],
        within: np.ndarray,
        other_level: Level,
        pruning: Pruning,
    ) -> PositionSet:
        """Let each thread fill its own set with `kernels.spread`, and return the union of these sets."""
        bits = _empty(target.words)
        parts = _scratch(target.words)
        free = [*parts, bits]

        def run(counter: np.ndarray) -> None:
            kernels.spread(
                source.bits, source.level, self.index.low, self.moves, pruning, *flips, within, other_level,
                free.pop(), counter, self.lanes, marked,
            )  # fmt: skip

        share_work(run, source.count)
        counts = share_work(lambda counter: int(kernels.merge(bits, parts, counter)), source.count)
        return PositionSet(target, bits, sum(counts))

    def count_raw(self, positions: PositionSet) -> int:
        """Return how many positions there are when images count separately."""
        if len(self.group) == 1:
            return positions.count
        totals = share_work(
            lambda counter: kernels.count_images(
                positions.bits, positions.level, self.index.low, self.moves, counter, self.lanes
            ),
            positions.count,
        )
        return sum(int(total) for total in totals)

    def members(self, positions: PositionSet) -> np.ndarray:
        """Return the positions of a set, in ascending order, as uint64."""
        found = np.empty(positions.count, dtype=np.uint64)
        words = len(positions.bits)
        kernels.list_positions(positions.bits, 0, words, 0, positions.level, self.index.low, found)
        return found


def _byte_images(parts: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the images of each value of each byte of a set of holes: shape (bytes, 256 * symmetries)."""
    images = np.stack([byte_sums(1 << target for target in part) for part in parts], axis=-1)
    return images.reshape(len(images), 256 * len(parts))


NO_PRUNING = Pruning(np.zeros((0, 256), dtype=np.uint64), np.zeros((0, 256), dtype=np.uint64))


@lru_cache(maxsize=1)
def threads() -> int:
    """Return how many threads share the work: as many as there are usable processors."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _empty(words: int) -> np.ndarray:
    """Return an empty set of so many words, in pages that take no memory until they are written.

    Memory that malloc reuses would have to be zeroed, and huge pages would be mostly zeros.
    """
    return np.frombuffer(
        mmap.mmap(-1, 8 * max(words, 1), access=mmap.ACCESS_COPY), dtype=np.uint64, count=words
    )


_scratches: list[np.ndarray] = [np.zeros((0, 0), dtype=np.uint64)]


def _scratch(words: int) -> np.ndarray:
    """Return an empty set for each thread but one; the memory is reused, because fresh pages cost time."""
    if _scratches[0].shape < (threads() - 1, words):
        _scratches[0] = np.zeros((threads() - 1, words), dtype=np.uint64)
    return _scratches[0][:, :words]


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads())


def share_work(run: Callable[[np.ndarray], Any], work: int) -> list[Any]:
    """Call `run` in every thread, or only once if there is little work; return the results of the calls.

    All calls get the same counter, from which each takes the number of the next piece of work.
    """
    counter = np.zeros(1, dtype=np.int64)
    if work < FEW or threads() == 1:
        return [run(counter)]
    return [each.result() for each in [_pool().submit(run, counter) for _ in range(threads())]]
