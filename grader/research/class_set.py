"""All positions of a class that can be played to some goals, one bit each: 1 GiB for 37 holes, 16 GiB for 41.

The holes of a position, in some order, are the bits of its number. A jump changes three of them, so it takes
numbers to numbers by XOR, and the 64 positions of a word jump together. The class says what is in four of the
holes once the others are known, so these *dependent* holes have no bit in the number.
"""

from collections.abc import Callable, Sequence

import numpy as np

from grader.oracle import memory
from grader.oracle.errors import OracleError
from grader.oracle.index import CLASSES, classes_of_values
from grader.oracle.sets import share_work
from grader.oracle.shape import Shape, Symmetry
from grader.research import class_set_kernels
from grader.research.class_set_kernels import Jumps

FREE = 6  # a word has 2^6 positions
INNER = 6  # holes; a block has 2^6 words, which lie in memory side by side
TRIES = 1_000  # to find weights

Progress = Callable[[str, int, int], None]  # which pass it is, the weight, how many blocks have it


class Layout:
    """Which hole of a shape is which part of the number of a position.

    The *outer* holes number its block, the *inner* holes the word in the block, the *free* holes the bit in
    the word. The *dependent* holes follow from all others by the class. Holes that no jump goes over are
    taken first for all but the outer ones: each jump must change the block if one pass is to be enough.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        middles = {three.middle for three in shape.threes}
        holes = sorted(range(len(shape.holes)), key=lambda hole: hole in middles)
        self.dependent: list[int] = []
        self._filled = {0: 0}  # by class code: the dependent holes that give it
        for hole in holes:
            if shape.codes[hole] not in self._filled:
                self._filled |= {
                    code ^ shape.codes[hole]: filled | 1 << hole for code, filled in self._filled.items()
                }
                self.dependent.append(hole)
        others = [hole for hole in holes if hole not in self.dependent]
        self.free, self.inner = others[:FREE], others[FREE : FREE + INNER]
        self.outer = others[FREE + INNER :]

    def place(self, position: int) -> int:
        """Return the number of a position in its class: block, inner and free holes, from the top."""
        block, inner, free = (part(position, holes) for holes in (self.outer, self.inner, self.free))
        return (block << len(self.inner) | inner) << FREE | free

    def low_positions(self) -> np.ndarray:
        """Return the positions in the free and dependent holes, by their class code and the bit of a word.

        Returns:
            Shape (16, 64), int64; -1 for a bit that is not used, or a code that no position has.
        """
        found = np.full((CLASSES, 64), -1, dtype=np.int64)
        for bit in range(1 << len(self.free)):
            free = sum(1 << hole for place, hole in enumerate(self.free) if bit >> place & 1)
            for code, dependent in self._filled.items():
                found[code ^ self.shape.class_of(free), bit] = free | dependent
        return found

    def jumps(self) -> Jumps:
        """Return the jumps as the compiled loops want them."""
        low, inner_codes = self.low_positions(), self.codes(self.inner)
        low_holes = sum(1 << hole for hole in (*self.free, *self.dependent))
        others = low_holes | sum(1 << hole for hole in self.inner)
        jumps = sorted(self.shape.jumps, key=lambda jump: bool(jump.cells & others))
        inner_values = np.arange(1 << len(self.inner))
        masks = np.zeros((len(jumps), CLASSES, len(inner_values)), dtype=np.uint64)
        for jump, mask in zip(jumps, masks, strict=True):
            can = word_of((low >= 0) & (low & jump.cells == jump.needed & low_holes))
            fits = inner_values & part(jump.cells, self.inner) == part(jump.needed, self.inner)
            mask[:] = can[np.arange(CLASSES)[:, None] ^ inner_codes] * fits

        def parts(holes: Sequence[int], positions: Sequence[int]) -> np.ndarray:
            return np.array([part(position, holes) for position in positions], dtype=np.int64)

        cells = [jump.cells for jump in jumps]
        return Jumps(
            parts(self.outer, cells), parts(self.outer, [jump.needed for jump in jumps]),
            parts(self.inner, cells), parts(self.free, cells),
            masks, sum(not jump.cells & others for jump in jumps),
        )  # fmt: skip

    def with_pegs(self) -> np.ndarray:
        """Return the positions of a word with each number of pegs in its free and dependent holes.

        Returns:
            Shape (16, pegs + 1), uint64, by the class code of these holes.
        """
        low = self.low_positions()
        pegs = np.where(low < 0, -1, np.bitwise_count(low).astype(np.int64))
        return word_of(pegs[:, None] == np.arange(FREE + len(self.dependent) + 1)[:, None])

    def codes(self, holes: Sequence[int]) -> np.ndarray:
        """Return the class code of each way to fill some holes: shape (2^holes,), uint8."""
        return classes_of_values(np.array([self.shape.codes[hole] for hole in holes], dtype=np.uint8))

    def weights(self) -> tuple[np.ndarray, bool]:
        """Return weights of the outer holes, and whether each jump lowers the sum of its pegs' weights.

        Then it is enough to go through the blocks once, in ascending order of that sum. Weights are found as
        a perceptron's are: where a jump does not lower the sum, its own changes are added to them.

        Returns:
            Shape (outer holes,), int64, which are all 1 if there are no such weights or they are not found.
        """
        signs = np.array(
            [
                [(needed >> hole & 1) * 2 - 1 if cells >> hole & 1 else 0 for hole in self.outer]
                for _, _, needed, cells in self.shape.jumps
            ],
            dtype=np.int64,
        ).reshape(len(self.shape.jumps), len(self.outer))
        weights = np.ones(len(self.outer), dtype=np.int64)
        for _ in range(TRIES):
            wrong = signs[signs @ weights <= 0]
            if len(wrong) == 0:
                return weights, True
            weights += wrong.sum(axis=0)
        return np.ones(len(self.outer), dtype=np.int64), False


class ClassSet:
    """The positions of a class that can be played to one of some goals.

    Attributes:
        layout: which hole is which part of the number of a position.
        words: shape (blocks, words of a block), uint64: one bit for each position.
    """

    def __init__(self, shape: Shape, goals: Sequence[int], progress: Progress) -> None:
        """Find all these positions.

        Args:
            shape: the holes.
            goals: positions of one class.
            progress: called before the blocks of each weight.

        Raises:
            OracleError: there is too little memory.
        """
        self.layout = layout = Layout(shape)
        self._goals = sorted(goals)
        self._class = shape.class_of(goals[0])
        blocks, size = 1 << len(layout.outer), 1 << len(layout.inner)
        try:
            memory.ask(8 * blocks * size + (8 + 8 + 4 + 1) * blocks)
        except OracleError as error:
            raise OracleError(error.message, "free some, or choose a board with fewer holes") from None
        self.words = np.zeros((blocks, size), dtype=np.uint64)
        flat = self.words.reshape(-1)
        for goal in goals:
            place = layout.place(goal)
            flat[place >> 6] |= np.uint64(1 << (place & 63))
        self._codes = layout.codes(layout.outer) ^ np.uint8(self._class)
        self._grow(progress)

    def _grow(self, progress: Progress) -> None:
        """Take jumps back until no position is new."""
        layout = self.layout
        weights, once = layout.weights()
        sums = np.zeros(1, dtype=np.int32)
        for weight in weights:
            sums = np.concatenate([sums, sums + np.int32(weight)])
        order = np.argsort(sums, kind="stable").astype(np.uint32)
        sizes = np.bincount(sums - sums.min())
        del sums
        groups = np.split(order, np.cumsum(sizes)[:-1])
        jumps = layout.jumps()
        halves = np.array([(1 << 64) // ((1 << (1 << hole)) + 1) for hole in range(FREE)], dtype=np.uint64)
        changed, number = True, 0
        while changed:
            changed, number = False, number + 1
            for weight, group in enumerate(groups):
                progress(f"pass {number}", weight, len(group))

                def run(counter: np.ndarray, group: np.ndarray = group) -> int:
                    return class_set_kernels.take_back(self.words, group, self._codes, jumps, halves, counter)

                changed |= any(share_work(run, len(group))) and not once

    def count(self) -> list[tuple[int, int]]:
        """Return how many positions there are with each number of pegs, from 0: up to symmetry, and in all.

        Up to symmetry they are counted by Burnside's lemma: there are as many as an average symmetry leaves
        as they are.
        """
        layout, shape = self.layout, self.layout.shape
        inner_codes, with_pegs = layout.codes(layout.inner), layout.with_pegs()
        parts = share_work(
            lambda counter: class_set_kernels.count_by_pegs(
                self.words, self._codes, inner_codes, with_pegs, counter
            ),
            len(self.words),
        )
        raw = np.sum(parts, axis=0)
        group = shape.symmetries_that_keep(self._goals)
        fixed = [raw, *(self._fixed(symmetry) for symmetry in group[1:])]
        images = np.sum(fixed, axis=0)
        return [(int(images[pegs]) // len(group), int(raw[pegs])) for pegs in range(len(shape.holes) + 1)]

    def _fixed(self, symmetry: Symmetry) -> np.ndarray:
        """Return how many positions a symmetry leaves as they are, by their pegs, shape (64,), int64."""
        orbits: set[int] = set()
        for hole in range(len(symmetry)):
            orbit, to = 1 << hole, symmetry[hole]
            while to != hole:
                orbit, to = orbit | 1 << to, symmetry[to]
            orbits.add(orbit)
        found = sorted(orbits)
        pegs, places, codes = (
            np.array([measure(orbit) for orbit in found], dtype=np.int64)
            for measure in (int.bit_count, self.layout.place, self.layout.shape.class_of)
        )
        counts: np.ndarray = class_set_kernels.count_unions(
            self.words.reshape(-1), pegs, places, codes, self._class
        )
        return counts


def word_of(bits: np.ndarray) -> np.ndarray:
    """Return 64 bits, the last axis of a bool array, as a word."""
    words: np.ndarray = (bits.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(
        axis=-1, dtype=np.uint64
    )
    return words


def part(position: int, holes: Sequence[int]) -> int:
    """Return some holes of a position as a number, with the first of them as its lowest bit."""
    return sum((position >> hole & 1) << place for place, hole in enumerate(holes))
