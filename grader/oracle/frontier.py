"""Find a short solution in a given time, and a lower bound on the fewest moves.

This is for boards whose levels are too large for the exact search of `moves`. Beam searches lower the upper
bound: each looks for a solution with fewer moves than the best one so far. Their score counts mostly the
moves made and the moves that are sure to follow. The lower bound starts with the regions of `bounds`. Then an
exhaustive search looks for a solution with exactly as many moves as the bound says. If there is none, the
bound rises by one, and the search starts again.
"""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from grader.oracle import frontier_kernels
from grader.oracle.beam import ROOM, HoleNumbers, Question, Style, find_solution
from grader.oracle.bounds import fewest_moves_bound, regions_of
from grader.oracle.frontier_kernels import EXHAUSTED, FOUND, MOST_JUMPS, Images
from grader.oracle.shape import Shape, Symmetry, byte_sums

WIDTH = 256  # positions kept after each jump, at first
MOST_WIDTH = 1 << 15  # and in the end: with more, memory would run out
BELOW = 0.3  # the share of the time for the bound from below
STEPS = 20_000  # jumps that the exhaustive search makes between looks at the clock
TABLE = 1 << 20  # slots in its table of positions, at most three quarters of them used
UNLIMITED = 1 << 30


AnyJump = TypeVar("AnyJump")


class MoveStyle(NamedTuple):
    """The weights in a position's score: `move` for each move, and `style` for the other features."""

    move: int
    style: Style


# These come from a random search over weights, judged by the moves found with a width of 512 on boards with
# 33 to 45 holes.
STYLES = (
    MoveStyle(40, Style(14, 9, 2, 5, 6, 1)),
    MoveStyle(24, Style(16, 8, 1, 8, 2, 2)),
    MoveStyle(24, Style(16, 1, 1, 2, 2, 3)),
    MoveStyle(16, Style(0, 4, 1, 8, 2, 1)),
)


class FewMoves(NamedTuple, Generic[AnyJump]):
    """What is known about the fewest moves; their number is proved when `lower` equals `upper`.

    Attributes:
        lower: every solution takes at least this many moves; it means little if there is no solution.
        upper: the number of moves in `jumps`; None when no solution was found.
        jumps: a solution, in the order played; None when none was found.
    """

    lower: int
    upper: int | None
    jumps: list[AnyJump] | None


def few_moves(
    shape: Shape, start: int, goals: Sequence[int] | None, seconds: float = 1.0
) -> FewMoves[HoleNumbers]:
    """Return a solution with few moves, and a lower bound on the fewest moves.

    A move is any number of consecutive jumps by one peg. More time gives fewer moves and a higher bound;
    on boards with few pegs they become equal.

    Args:
        shape: the board, up to 64 holes.
        start: the position to start from.
        goals: positions that all have the same number of pegs; None: any single peg.
        seconds: how long to search. The first beam search is always begun, a later one only if it is
            expected to end in time.

    Returns:
        The bounds and the solution; each jump is given as the numbers of the holes where it starts and ends.

    Raises:
        ValueError: more than 64 holes, a peg off the holes, or goals with different numbers of pegs.
    """
    began = time.perf_counter()
    question = Question(shape, start, goals)
    if start in question.goals:
        return FewMoves(0, 0, [])
    if question.total <= 0:
        return FewMoves(1, None, None)
    regions = _regions(question)
    # Only symmetries that keep the goals: from a position and from its images, play goes on alike.
    images = images_under(shape.symmetries_that_keep(question.goals))
    below = _Below(question, regions, images)
    best = find_solution(shape, start, question.goals, seconds / 2)  # any solution will do to start with
    upper = UNLIMITED if best is None else moves_in(best)
    from_above = from_below = longest = 0.0
    searches = 0
    room = _Room(question.total, WIDTH)
    while below.moves < upper and below.moves <= question.total:
        now = time.perf_counter()
        left = began + seconds - now
        if searches > 0 and left <= 0:
            break
        if searches == 0 or (from_below * (1 - BELOW) >= from_above * BELOW and longest <= left):
            jumps = room.search(question, STYLES[searches % len(STYLES)], searches, regions, images, upper)
            searches += 1
            if jumps:
                upper, best = moves_in(jumps), jumps
            longest = max(longest, time.perf_counter() - now)
            from_above += time.perf_counter() - now
            if searches % len(STYLES) == 0 and room.width < MOST_WIDTH:
                room = _Room(question.total, 2 * room.width)
                longest *= 2
        else:
            jumps = below.go_on(STEPS)
            if jumps:  # they make just as many moves as the bound
                upper, best = below.moves, jumps
            from_below += time.perf_counter() - now
    return FewMoves(below.moves, None if best is None else upper, best)


def moves_in(jumps: Sequence[HoleNumbers]) -> int:
    """Return how many moves a sequence of jumps makes."""
    ends = [-1, *(end for _, end in jumps)]
    return sum(start != end for (start, _), end in zip(jumps, ends, strict=False))


def _regions(question: Question) -> np.ndarray:
    """Return the regions in which a move must start whichever goal is reached: uint64, the smallest first.

    Regions are explained in `grader.oracle.bounds`.
    """
    regions = {region for goal in question.goals for region in regions_of(question.shape, goal).known}
    common = [region for region in regions if all(region & ~goal for goal in question.goals)]
    return np.array(sorted(common, key=lambda each: (each.bit_count(), each)), dtype=np.uint64)


def images_under(group: Sequence[Symmetry]) -> Images:
    """Return tables of the images under a group of symmetries, leaving out the first one, the identity."""
    tables = [byte_sums(1 << target for target in symmetry) for symmetry in group]
    return Images(np.stack(tables)[1:])


class _Room:
    """The arrays for beam searches that keep up to `width` positions after each jump."""

    def __init__(self, jumps: int, width: int) -> None:
        room = ROOM * width
        self.width = width
        self.beam, self.lasts = np.empty((2, jumps, width), dtype=np.uint64)
        self.moves = np.empty((jumps, width), dtype=np.int64)
        self.sizes = np.zeros(jumps, dtype=np.int64)
        self.table = np.zeros(1 << (2 * room).bit_length(), dtype=np.uint64)
        self.places = np.empty(len(self.table), dtype=np.int64)
        self.found, self.found_lasts = np.empty((2, room), dtype=np.uint64)
        self.found_moves, self.scores, self.picked = np.empty((3, room), dtype=np.int64)

    def search(
        self, question: Question, style: MoveStyle, seed: int, regions: np.ndarray, images: Images, limit: int
    ) -> list[HoleNumbers]:
        """Search once; return a solution with fewer moves than `limit`, or an empty list if none is found."""
        arrived = frontier_kernels.go_down_in_moves(
            np.uint64(question.start), limit, question.near_after, question.jumps,
            question.score(style.style, question.lost), style.move, np.uint64(seed), self.width,
            question.near, regions, images, self.beam, self.moves, self.lasts, self.sizes, self.table,
            self.places, self.found, self.found_moves, self.found_lasts, self.scores, self.picked,
        )  # fmt: skip
        return self._jumps(question) if arrived else []

    def _jumps(self, question: Question) -> list[HoleNumbers]:
        """Return the jumps that lead to the final position with the fewest moves.

        They are traced backwards: several pegs of a position can have moved last, and each of them comes from
        a different position.
        """
        at = int(self.moves[-1, : self.sizes[-1]].argmin())
        after, made, last = int(self.beam[-1, at]), int(self.moves[-1, at]), -1
        jumps: list[HoleNumbers] = []
        for level in reversed(range(-1, question.total - 1)):
            if level < 0:
                known = {question.start: (0, 0)}
            else:
                kept = slice(self.sizes[level])
                columns = (self.beam[level, kept], self.moves[level, kept], self.lasts[level, kept])
                beam, moves, lasts = (each.tolist() for each in columns)
                known = dict(zip(beam, zip(moves, lasts, strict=True), strict=True))
            for before, start, end in _befores(question.shape, after):
                moves_before, lasts_before = known.get(before, (UNLIMITED, 0))
                goes_on = lasts_before >> start & 1
                if last in (-1, end) and moves_before + 1 - goes_on == made:
                    jumps.append((start, end))
                    after, made, last = before, moves_before, start if goes_on else -1
                    break
        return jumps[::-1]


def _befores(shape: Shape, after: int) -> list[tuple[int, int, int]]:
    """Return each position one jump before `after`, and the holes where that jump starts and ends."""
    return [
        (after ^ cells, start, end)
        for start, end, needed, cells in shape.jumps
        if after & cells == needed ^ cells
    ]


class _Below:
    """A lower bound on the fewest moves, and an exhaustive search that raises it.

    Attributes:
        moves: the bound so far.
    """

    def __init__(self, question: Question, regions: np.ndarray, images: Images) -> None:
        self.moves = fewest_moves_bound(question.shape, question.start, question.goals)
        self._question = question
        self._regions, self._images = regions, images
        length = question.total + 1
        self._path, self._last = np.zeros((2, length), dtype=np.uint64)
        self._made, self._next, self._count = np.zeros((3, length), dtype=np.int64)
        self._following = np.empty((length, MOST_JUMPS), dtype=np.uint64)
        self._depth, self._filled = np.zeros((2, 1), dtype=np.int64)
        self._table, self._lasts = np.zeros((2, TABLE), dtype=np.uint64)
        self._fewest = np.zeros(TABLE, dtype=np.int8)
        self._begin()

    def _begin(self) -> None:
        self._path[0] = self._question.start
        self._next[0] = -1
        self._depth[0] = 0
        if self._filled[0] > 0:
            self._table[:] = 0
            self._filled[0] = 0

    def go_on(self, steps: int) -> list[HoleNumbers]:
        """Search on for `steps` jumps; return a solution in `moves` moves, empty if none is found yet."""
        question = self._question
        outcome = frontier_kernels.deepen(
            self.moves, question.near_after, steps, question.jumps, question.lost, question.near,
            self._regions, self._images, self._path, self._made, self._last, self._following, self._next,
            self._count, self._depth, self._table, self._fewest, self._lasts, self._filled,
        )  # fmt: skip
        if outcome == FOUND:
            path = self._path.tolist()
            return [question.jump_between(*both) for both in pairwise(path)]
        if outcome == EXHAUSTED:
            self.moves += 1
            self._begin()
        return []
