"""What is true of a board, in the words of boards/index.yaml, by the exact engine."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from framework.rules import fewest_of
from grader.oracle import pegs_left, questions
from grader.oracle.sets import Field
from grader.oracle.shape import Hole, HoleJump, Shape, image
from grader.oracle.walk import walk
from grader.oracle.winning_set import Growth

WALKED = 2_000_000  # up to this many positions, the visits of a search without memory are counted
MOST_NODES = 1 << 56  # beyond this the sums of the next level might not fit into 64 bits


class Truth(NamedTuple):
    """The true facts about a board, named as in the index; None for what was not counted."""

    pegs: int
    holes: int
    solvable: bool
    fewest: int
    forced: bool
    positions: int | None
    naive_nodes: int | None


def truth_of(shape: Shape, start: int, count_nodes: bool, ends_anywhere: bool = False) -> Truth:
    """Return the true facts about a board.

    Args:
        count_nodes: whether to count the positions that a search without memory visits.
        ends_anywhere: whether the last peg wins on any hole, not only on a goal of the course.
    """
    positions = nodes = None
    if len(shape.holes) <= questions.WALKED_HOLES:  # counting all of a French board takes minutes and 2 GiB
        counts = questions.reachable(shape.board(start)).raw
        positions, fewest = sum(counts), start.bit_count() + 1 - len(counts)
        if fewest == 1 and not ends_anywhere:
            fewest = fewest_of(fewest, questions.solve(shape.board(start)).solvable is True)
        if count_nodes and positions <= WALKED:
            every = [1 << hole for hole in range(len(shape.holes))]
            nodes = naive_nodes(shape, start, every if ends_anywhere else shape.goals)
    else:
        fewest, positions = walk(shape, start, pegs_left.SOUGHT)
        if positions is None:
            fewest = pegs_left.fewest_left(shape, start)
    return Truth(
        start.bit_count(), len(shape.holes), fewest == 1, fewest, shape.is_forced(start), positions, nodes
    )


def jumps_in_order(shape: Shape) -> list[tuple[int, int]]:
    """Return for each jump the pegs that it needs and the holes that it changes.

    The jumps are in the order in which the naive search tries them.
    """

    def place(jump: HoleJump) -> tuple[int, int]:
        (row, col), (row_end, col_end) = shape.holes[jump.start], shape.holes[jump.end]
        return jump.start, ((2, 0), (0, 2), (-2, 0), (0, -2)).index((row_end - row, col_end - col))

    return [(jump.needed, jump.cells) for jump in sorted(shape.jumps, key=place)]


def naive_nodes(shape: Shape, start: int, goals: Sequence[int]) -> int | None:
    """Return how many positions a search without memory visits; None when there are too many to count.

    A position counts each time it is visited. The count works backwards from the last level: a position
    counts 1 for itself, and what was counted for the position after each of its jumps, up to the first jump
    that wins.
    """
    field = Field(shape, shape.symmetries[:1])
    growth = Growth(field, [start])
    while len(growth.levels) < start.bit_count() and growth.grow():
        pass
    levels = [field.members(level) for level in growth.levels if level.count]
    jumps = np.array(jumps_in_order(shape), dtype=np.uint64)
    after = levels[-1]
    nodes_after = np.ones(len(after), dtype=np.int64)
    wins_after = np.isin(after, np.array(goals, dtype=np.uint64))
    for level in reversed(levels[:-1]):
        nodes, wins = np.ones(len(level), dtype=np.int64), np.zeros(len(level), dtype=np.bool_)
        for needed, changed in jumps:
            at = np.flatnonzero(~wins & (level & changed == needed))
            following = np.searchsorted(after, level[at] ^ changed)
            nodes[at] += nodes_after[following]
            wins[at] = wins_after[following]
        if nodes.max() > MOST_NODES:
            return None
        after, nodes_after, wins_after = level, nodes, wins
    return int(nodes_after[0])


def fewest_by_vacancy(shape: Shape) -> Iterator[tuple[Hole, int]]:
    """Yield each hole, and the fewest pegs that can be left when only this hole is empty at the start."""
    known: dict[int, int] = {}
    symmetries = shape.symmetries_that_keep(shape.goals)
    for number, hole in enumerate(shape.holes):
        start = shape.full ^ 1 << number
        least = min(image(symmetry, start) for symmetry in symmetries)
        if least not in known:
            known[least] = pegs_left.fewest_left(shape, start)
        yield hole, known[least]
