"""Searches as students write them: how many positions they give up on before they find a solution.

A plain search tries jumps in the order it finds them, row by row. An ordered search first tries the jumps
that leave the pegs close to the middle of the board, or close to the middle and next to other pegs.
"""

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from framework.board import SIZE
from framework.rules import GOAL_CELLS
from grader.oracle.beam_kernels import place_of
from grader.oracle.bits import ONE, ZERO, inlined, kernel, lowest_bit, popcount
from grader.oracle.explore import threes_of

Order = Sequence[int]  # of directions, as in `search`
ORDERS: list[Order] = list(permutations(range(4)))
FEW_ORDERS: list[Order] = [(0, 2, 1, 3), (3, 1, 2, 0), (2, 1, 3, 0), (0, 2, 3, 1)]
LONE = 2  # the weight of a peg without a neighbour, compared with squared distances from the middle
_PLAIN = np.zeros(0, dtype=np.int64)
RIGHT, BELOW = np.uint64(1), np.uint64(SIZE)  # from a cell's bit to that of its neighbour
TWO = np.uint64(2)
ROW_STARTS = np.uint64(sum(1 << SIZE * row for row in range(SIZE)))
MOST_JUMPS = 96  # the threes on 8 x 8 cells; each allows at most one jump at a time


class Searches:
    """Searches on a board with given holes. A position and the holes are sets of cells, as in `explore`."""

    def __init__(self, holes: int) -> None:
        self._threes = np.array([each.lowest for each in threes_of(holes)], dtype=np.uint64)
        places = [divmod(cell, SIZE) for cell in range(SIZE * SIZE)]
        inside = [place for cell, place in enumerate(places) if holes >> cell & 1]
        count, rows, cols = len(inside), sum(row for row, _ in inside), sum(col for _, col in inside)
        # Squared distances, multiplied by the squared number of holes to make them whole numbers.
        distances = [(count * row - rows) ** 2 + (count * col - cols) ** 2 for row, col in places]
        self._values = np.array(distances, dtype=np.int64)
        self._lone = LONE * count**2

    def plain(self, position: int, order: Order, most: int) -> int | None:
        """Return how many positions a plain search gives up on to solve one; None if `most` are too few."""
        return self._states(position, order, _PLAIN, 0, most)

    def ordered(self, position: int, order: Order, most: int, lone: bool) -> int | None:
        """Return the same for an ordered search; if `lone`, it also avoids pegs without a neighbour."""
        return self._states(position, order, self._values, self._lone if lone else 0, most)

    def luckiest(self, position: int, most: int) -> int:
        """Return how many positions the best of some plain and ordered searches gives up on, up to `most`."""
        fewest = most
        for order in FEW_ORDERS:
            for states in (
                self.plain(position, order, fewest),
                self.ordered(position, order, fewest, lone=False),
                self.ordered(position, order, fewest, lone=True),
            ):
                fewest = fewest if states is None else min(states, fewest)
        return fewest

    def _states(self, position: int, order: Order, values: np.ndarray, lone: int, most: int) -> int | None:
        table = np.zeros(2 << most.bit_length(), dtype=np.uint64)
        states, solved = search(
            np.uint64(position),
            self._threes,
            np.array(order),
            values,
            lone,
            most,
            table,
            np.uint64(GOAL_CELLS),
        )
        return int(states) if solved else None


# ---- the compiled loop: depth first, with a table of unsolvable positions ------------------------------


@inlined
def lone_pegs(pegs):
    """Return how many pegs have no neighbour."""
    beside = pegs << RIGHT & ~ROW_STARTS | (pegs & ~ROW_STARTS) >> RIGHT
    return np.int64(popcount(pegs & ~(beside | pegs << BELOW | pegs >> BELOW)))


@kernel
def search(start, threes, order, values, lone, most, table, goals):
    """Search as a student's program does.

    Return how many positions the search gives up on, and whether it solves the board.

    Args:
        threes: shape (2,), uint64: the places for jumps (three holes in a line) along rows and along columns;
            each place is given by its lowest bit.
        order: the directions in the order tried for each peg: 0 down, 1 up, 2 right, 3 left. Pegs are taken
            row by row.
        values: shape (64,), int64: how much a peg on each cell adds to a position's value. Jumps that lead
            to lower values are tried first; if the array is empty, jumps are tried in the order found.
        lone: how much a peg without a neighbour adds to a position's value.
        most: after giving up on this many positions, the search ends without an answer.
        table: an empty hash table.
        goals: the cells on which the last peg wins.
    """
    ranked = values.shape[0] > 0
    following = np.empty((SIZE * SIZE, MOST_JUMPS), dtype=np.uint64)
    value_of = np.empty(MOST_JUMPS, dtype=np.int64)
    path = np.empty(SIZE * SIZE, dtype=np.uint64)
    count = np.zeros(SIZE * SIZE, dtype=np.int64)
    tried = np.zeros(SIZE * SIZE, dtype=np.int64)
    can = np.empty(4, dtype=np.uint64)
    rows, cols = threes[0], threes[1]
    states, depth, fresh = 0, 0, True
    path[0] = start
    while depth >= 0:
        pegs = path[depth]
        if fresh:
            if pegs & (pegs - ONE) == ZERO and pegs & goals != ZERO:
                return states, True
            if table[place_of(pegs, table)] == pegs:
                depth -= 1
                fresh = False
                continue
            right, right2 = pegs >> RIGHT, pegs >> TWO * RIGHT
            below, below2 = pegs >> BELOW, pegs >> TWO * BELOW
            can[0] = pegs & below & ~below2 & cols
            can[1] = (~pegs & below & below2 & cols) << TWO * BELOW
            can[2] = pegs & right & ~right2 & rows
            can[3] = (~pegs & right & right2 & rows) << TWO * RIGHT
            cells = can[0] | can[1] | can[2] | can[3]
            found = 0
            while cells != ZERO:
                cell = lowest_bit(cells)
                bit = ONE << np.uint64(cell)
                cells ^= bit
                for way in order:
                    if can[way] & bit == ZERO:
                        continue
                    step = 1 if way >= 2 else SIZE
                    if way & 1:
                        step = -step
                    middle, end = cell + step, cell + 2 * step
                    after = pegs ^ (bit | ONE << np.uint64(middle) | ONE << np.uint64(end))
                    at = found
                    if ranked:
                        value = values[end] - values[cell] - values[middle]
                        if lone != 0:
                            value += lone * lone_pegs(after)
                        while at > 0 and value_of[at - 1] > value:
                            value_of[at] = value_of[at - 1]
                            following[depth, at] = following[depth, at - 1]
                            at -= 1
                        value_of[at] = value
                    following[depth, at] = after
                    found += 1
            count[depth], tried[depth] = found, 0
        if tried[depth] < count[depth]:
            path[depth + 1] = following[depth, tried[depth]]
            tried[depth] += 1
            depth += 1
            fresh = True
            continue
        table[place_of(pegs, table)] = pegs
        states += 1
        if states >= most:
            return states, False
        depth -= 1
        fresh = False
    return states, False
