"""Look at every position that can be reached from a small board, in plain Python.

A set of cells is an integer with the bit SIZE * row + col for each cell; a position is the set of its pegs.
Three cells in a line are named by their lowest bit. A jump is possible where the middle cell has a peg and
exactly one of the outer two has a peg; all three cells change. So a single expression finds the jumps in both
directions.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board
from framework.rules import GOAL_CELLS, fewest_of
from grader.oracle.problem import OracleError

STEPS = (1, SIZE)  # from a cell's bit to that of its right neighbour, and to that of the one below
MOST_WAYS = 500_000  # lines of play, all of which a search without memory tries: 0.3 s in a plain program
COLS_BEFORE_LAST_TWO = sum(1 << SIZE * row + col for row in range(SIZE) for col in range(SIZE - 2))


class Truth(NamedTuple):
    """The true facts about a board; the fields are those of `grader.catalog.boards.Facts`.

    `positions` is None if there are too many to count.
    """

    solvable: bool
    fewest: int
    forced: bool
    positions: int | None


class KnownBoard(NamedTuple):
    """A board and the facts about it."""

    board: Board
    truth: Truth


class Threes(NamedTuple):
    """All places for jumps along rows, or all along columns; each is three neighbouring holes in a line."""

    step: int  # the distance from the bit of a hole to that of the next hole in the line
    lowest: int  # the lowest bit of each place, as a set of cells


def pegs_and_holes(board: Board) -> tuple[int, int]:
    """Return the pegs of `board` and all its holes, each as a set of cells."""
    cells = [(1 << place, cell) for place, cell in enumerate(np.asarray(board).ravel().tolist())]
    pegs = sum(bit for bit, cell in cells if cell == PEG)
    return pegs, sum(bit for bit, cell in cells if cell != BLOCKED)


def board_of(pegs: int, holes: int) -> Board:
    """Return the board with these pegs and holes; the inverse of `pegs_and_holes`."""
    bits = [1 << place for place in range(SIZE * SIZE)]
    cells = [PEG if pegs & bit & holes else EMPTY if holes & bit else BLOCKED for bit in bits]
    board: Board = np.array(cells, dtype=np.int8).reshape(SIZE, SIZE)
    return board


def threes_of(holes: int) -> list[Threes]:
    """Return the places for jumps among `holes`, along rows and along columns."""
    found = [Threes(step, holes & holes >> step & holes >> 2 * step) for step in STEPS]
    found[0] = Threes(1, found[0].lowest & COLS_BEFORE_LAST_TWO)  # no three extends into the next row
    return found


def after_jumps(pegs: int, threes: list[Threes]) -> list[int]:
    """Return the position after each legal jump."""
    return [
        pegs ^ changed
        for step, lowest in threes
        for changed in _changed(lowest & pegs >> step & (pegs ^ pegs >> 2 * step), step)
    ]


def before_jumps(pegs: int, threes: list[Threes]) -> list[int]:
    """Return every position from which one jump leads to `pegs`: in the complement, a jump leads to each."""
    return [~after for after in after_jumps(~pegs, threes)]


def _changed(lowest: int, step: int) -> Iterator[int]:
    """Yield the three cells of each jump, as a set of cells."""
    three = 1 | 1 << step | 1 << 2 * step
    while lowest:
        first = lowest & -lowest
        lowest ^= first
        yield first * three


def explore(board: Board, most: int) -> Truth | None:
    """Return the facts about `board`, or None when more than `most` positions can be reached from it."""
    return explore_from(*pegs_and_holes(board), most)


def fewest_moves(board: Board, goals: int, most: int) -> int | None:
    """Return the fewest moves that leave the last peg on a cell of `goals`; None if no jumps do.

    A state is a position and the cell of the peg that moved last: if that peg jumps on, this is no new move.
    States are met in the order of the moves that they take.

    Args:
        goals: a set of cells.
        most: how many states to look at.

    Raises:
        OracleError: there are more than `most` states.
    """
    pegs, holes = pegs_and_holes(board)
    if pegs.bit_count() == 1:
        return 0 if pegs & goals else None
    threes, moves = threes_of(holes), 0
    states = [(pegs, 0)]
    seen = set(states)
    while states:
        moves += 1
        waiting = [after for position, _ in states for _, after in _jumps(position, threes)]
        states = []
        while waiting:
            state = position, last = waiting.pop()
            if state in seen:
                continue
            if len(seen) == most:
                raise OracleError(f"there are more than {most:,} states", "take some pegs off the board")
            if position & goals and position.bit_count() == 1:
                return moves
            seen.add(state)
            states.append(state)
            waiting += [after for start, after in _jumps(position, threes) if start == last]
    return None


def _jumps(pegs: int, threes: list[Threes]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield for each jump the cell where it starts, and the position and the cell where it ends."""
    for after in after_jumps(pegs, threes):
        changed = pegs ^ after
        end = changed & after
        outer = changed & -changed | 1 << changed.bit_length() - 1
        yield outer ^ end, (after, end)


def explore_from(pegs: int, holes: int, most: int) -> Truth | None:
    """Return what `explore` returns, for a board given as its pegs and its holes."""
    threes = threes_of(holes)
    seen, waiting = {pegs}, [pegs]
    fewest, won, forced = pegs.bit_count(), False, True
    while waiting:
        position = waiting.pop()
        following = after_jumps(position, threes)
        if not following:
            fewest = min(fewest, position.bit_count())
            won = won or (position.bit_count() == 1 and position & GOAL_CELLS != 0)
        if len(following) > 1:
            forced = False
        fresh = [each for each in following if each not in seen]
        seen.update(fresh)
        waiting += fresh
        if len(seen) > most:
            return None
    return Truth(won, fewest_of(fewest, won), forced, len(seen))


def ways_to_play(pegs: int, holes: int, most: int) -> int:
    """Return how many sequences of jumps can be played, complete or not; stop counting above `most`."""
    threes = threes_of(holes)
    ways_to = Counter({pegs: 1})  # by position, all of them with the same number of pegs
    ways = 0
    while ways_to and ways <= most:
        ways += ways_to.total()
        following: Counter[int] = Counter()
        for now, ways_here in ways_to.items():
            for after in after_jumps(now, threes):
                following[after] += ways_here
        ways_to = following
    return ways
