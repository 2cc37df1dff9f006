"""The compiled loop of a search as students write it: depth first, with a table of unsolvable positions.

Positions are sets of cells as in `explore`: the bit SIZE * row + col for each peg.
"""

import numpy as np
from numba import njit

from framework.board import SIZE
from grader.oracle.beam_kernels import place_of
from grader.oracle.bits import ONE, ZERO, lowest_bit, popcount

RIGHT, BELOW = np.uint64(1), np.uint64(SIZE)  # from a cell's bit to that of its neighbour
TWO = np.uint64(2)
ROW_STARTS = np.uint64(sum(1 << SIZE * row for row in range(SIZE)))
MOST_JUMPS = 96  # the threes on 8 x 8 cells; each allows at most one jump at a time


@njit(cache=True, nogil=True, inline="always")
def lone_pegs(pegs):
    """Return how many pegs have no neighbour."""
    beside = pegs << RIGHT & ~ROW_STARTS | (pegs & ~ROW_STARTS) >> RIGHT
    return np.int64(popcount(pegs & ~(beside | pegs << BELOW | pegs >> BELOW)))


@njit(cache=True, nogil=True)
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
