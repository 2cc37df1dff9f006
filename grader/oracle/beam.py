"""Find a solution fast, on boards of up to 64 holes; finding none proves nothing.

This is a beam search: after each jump only the most promising positions are kept. If that leads to no
goal, the search starts over with other weights. When all weights have been tried, it starts again with the
first ones and keeps twice as many positions. The positions near the goals are computed beforehand: as many
whole levels as fit into a small table. So a search only needs to reach one of these positions.
"""

import time
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grader.oracle import beam_kernels, pagoda
from grader.oracle.beam_kernels import Jumps, Score
from grader.oracle.shape import Shape, byte_sums, groups_of

HoleNumbers = tuple[int, int]  # the holes where a jump starts and ends

MOST_NEAR = 20_000  # positions near the goals that are computed beforehand
WIDTH = 64  # positions kept after each jump, at first
MOST_WIDTH = 1 << 17  # and in the end: with more, memory would run out
ROOM = 24  # new positions that there is room for, per position kept; the boards tried have far fewer
UNPRUNED = 8  # searches without pagoda functions, which are then computed for the later searches


class Style(NamedTuple):
    """The weights of a position's features in its score; the higher the score, the worse the position."""

    corner: int  # added for each peg in a hole over which no jump is possible
    # multiplied, for each peg, by M - m: m is the number of threes with their middle in the peg's hole, and M
    # the largest such number of any hole
    middle: int
    distance: int  # multiplied, for each peg, by half its squared distance from the middle of the goals
    isolated: int  # added for each peg without a neighbour
    jump: int  # subtracted for each jump that can be made
    noise: int  # how many random bits are added to the score


# These come from a random search over weights, judged by the time taken on boards with 33 to 45 holes. On
# large boards it is best if the weights of neighbouring holes differ much. The first style is best on boards
# with arms, the second on the diamond.
STYLES = (
    Style(16, 0, 1, 8, 2, 4),
    Style(8, 8, 0, 6, 2, 1),
    Style(32, 8, 0, 8, 1, 3),
    Style(8, 2, 1, 8, 0, 3),
)


class Question:
    """A start, its goals, and the data about them that the searches need."""

    def __init__(self, shape: Shape, start: int, goals: Sequence[int]) -> None:
        class_ = shape.class_of(start)
        self.shape = shape
        self.start = start
        # the goals in the start's parity class, as positions; all have the same number of pegs
        self.goals = tuple(goal for goal in sorted(goals) if shape.class_of(goal) == class_)
        # how many jumps lead from the start to a goal; -1 without goals
        self.total = start.bit_count() - self.goals[0].bit_count() if self.goals else -1
        self.jumps = _jumps_of(shape)
        # the positions near the goals from which a goal can be reached, as a hash table of 2^n words
        self.near = np.zeros(1 << (2 * MOST_NEAR).bit_length(), dtype=np.uint64)
        levels = 0
        if self.total > 0 and len(self.goals) <= MOST_NEAR:
            levels = beam_kernels.grow_back(
                np.array(self.goals, dtype=np.uint64), np.uint64(shape.full), self.total - 1, self.jumps,
                self.near, np.empty(MOST_NEAR, dtype=np.uint64),
            )  # fmt: skip
        # the number of jumps after which every position must be in `near`
        self.near_after = self.total - levels

    @cached_property
    def lost(self) -> np.ndarray:
        """Pagoda functions that can show that a position is lost; see `Score.lost`."""
        weights, needed = pagoda.best_functions(self.shape, self.goals)
        if len(weights) == 0:
            return NONE_LOST
        sums = pagoda.lane_sums(weights)
        sums[0] += pagoda.margins(needed)
        return sums

    def score(self, style: Style, lost: np.ndarray) -> Score:
        """Return the `Score` with the weights of a style, added up in advance for each byte of a position."""
        sums = byte_sums(self._weights(style).tolist()).astype(np.int64)
        return Score(sums, style.isolated, style.jump, style.noise, lost)

    def _weights(self, style: Style) -> np.ndarray:
        holes = np.array(self.shape.holes, dtype=np.float64)
        over = np.zeros(len(holes), dtype=np.int64)
        for three in self.shape.threes:
            over[three.middle] += 1
        wanted = [hole for goal in self.goals for hole in range(len(holes)) if goal >> hole & 1]
        distances = np.rint(((holes - holes[wanted].mean(axis=0)) ** 2).sum(axis=1) / 2).astype(np.int64)
        weights: np.ndarray = (
            style.corner * (over == 0) + style.middle * (over.max() - over) + style.distance * distances
        )
        return weights

    def jump_between(self, before: int, after: int) -> HoleNumbers:
        """Return the jump that takes one position to another."""
        changed = before ^ after
        return next(
            (start, end)
            for start, end, needed, cells in self.shape.jumps
            if cells == changed and before & cells == needed
        )

    def way_home(self, position: int) -> list[int]:
        """Return the positions on a way from `position`, a member of `near`, to a goal, both included."""
        path = [position]
        while path[-1] not in self.goals:
            following = self.shape.after_jumps(path[-1])
            path.append(next(each for each in following if beam_kernels.holds(np.uint64(each), self.near)))
        return path


NONE_LOST = np.zeros((0, 256), dtype=np.uint64)


@lru_cache(maxsize=64)
def _jumps_of(shape: Shape) -> Jumps:
    steps = np.array([each[:3] for each in groups_of(shape)], dtype=np.uint64).reshape(-1, 3)
    pairs: dict[tuple[int, int], int] = {}
    for number, (row, col) in enumerate(shape.holes):
        for line, neighbour in enumerate(((row, col + 1), (row + 1, col))):
            if neighbour in shape.number:
                key = (line, shape.number[neighbour] - number)
                pairs[key] = pairs.get(key, 0) | 1 << number
    neighbours = [(to_next, holes) for (_, to_next), holes in sorted(pairs.items())]
    return Jumps(steps, np.array(neighbours, dtype=np.uint64).reshape(-1, 2))


def find_solution(shape: Shape, start: int, goals: Sequence[int], seconds: float) -> list[HoleNumbers] | None:
    """Return jumps that lead from `start` to one of `goals`, or None if none were found.

    The same question always gives the same answer, unless the search takes nearly all of `seconds`. None does
    not prove that there is no solution.

    Args:
        shape: the board, up to 64 holes; they may lie anywhere, even beyond 8 x 8 cells.
        goals: positions that all have the same number of pegs.
        seconds: how long to search. The first search is always begun, a later one only if it is expected to
            end in time.

    Returns:
        The jumps in the order played, as the numbers of the holes where each starts and ends; empty when
        `start` is a goal.
    """
    deadline = time.perf_counter() + seconds
    question = Question(shape, start, goals)
    if start in question.goals:
        return []
    if question.total <= 0:
        return None
    longest = 0.0
    searches = 0
    width = WIDTH
    while width <= MOST_WIDTH:
        room = _Room(question.near_after, width)
        for style in STYLES:
            began = time.perf_counter()
            if searches > 0 and began + longest > deadline:
                return None
            lost = question.lost if searches >= UNPRUNED else NONE_LOST
            path, dropped = room.search(question, question.score(style, lost), searches)
            if path:
                return [question.jump_between(*both) for both in pairwise(path)]
            if not dropped:
                return None
            searches += 1
            longest = max(longest, time.perf_counter() - began)
        width *= 2
        longest *= 2
    return None


class _Room:
    """The arrays for beam searches that keep up to `width` positions after each jump."""

    def __init__(self, levels: int, width: int) -> None:
        room = ROOM * width
        self.width = width
        self.beam = np.empty((levels, width), dtype=np.uint64)
        self.parents = np.empty((levels, width), dtype=np.int64)
        self.table = np.zeros(1 << (2 * room).bit_length(), dtype=np.uint64)
        self.found = np.empty(room, dtype=np.uint64)
        self.origins, self.scores, self.picked = np.empty((3, room), dtype=np.int64)

    def search(self, question: Question, score: Score, seed: int) -> tuple[list[int], bool]:
        """Search once; return the positions from the start to a goal, and whether any position was dropped.

        The list of positions is empty if no goal was reached.
        """
        met, parent, dropped = beam_kernels.go_down(
            np.uint64(question.start), question.near_after, question.jumps, score, np.uint64(seed),
            self.width, question.near, self.beam, self.parents, self.table, self.found, self.origins,
            self.scores, self.picked,
        )  # fmt: skip
        if not met:
            return [], dropped
        path = []
        for level in reversed(range(question.near_after - 1)):
            path.append(int(self.beam[level, parent]))
            parent = self.parents[level, parent]
        return [question.start, *path[::-1], *question.way_home(int(met))], dropped
