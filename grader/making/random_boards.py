"""Random boards with known answers; a seed and a number always give the same board.

All randomness comes from `Chance`, so no version of Python changes a board.
"""

from typing import NamedTuple

from framework.board import SIZE
from grader.making.chance import Chance
from grader.oracle.explore import (
    MOST_WAYS,
    KnownBoard,
    after_jumps,
    before_jumps,
    board_of,
    explore_from,
    threes_of,
    ways_to_play,
)

LEAST_POSITIONS, MOST_POSITIONS = 50, 5_000
LEAST_HOLES = 10
LEAST_FORCED_JUMPS = 3
_Position = tuple[int, int]  # the cells with pegs, and all cells that are holes
ALL_CELLS = [1 << place for place in range(SIZE * SIZE)]


def random_board(seed: int, number: int) -> KnownBoard:
    """Return a board with choices between jumps, from which 50 to 5,000 positions can be reached.

    If `number` is odd, the board can be solved, otherwise it cannot. Both kinds look alike: each is made by
    playing backwards from a single peg; on the unsolvable boards, one or two pegs are then moved.
    """
    chance = Chance(f"choices/{seed}/{number}")
    solvable = number % 2 == 1
    while True:
        position = _played_back(chance)
        if position is None:
            continue
        if not solvable:
            position = _with_pegs_moved(chance, position)
        truth = explore_from(*position, MOST_POSITIONS)
        if truth is None or truth.solvable != solvable or (truth.positions or 0) < LEAST_POSITIONS:
            continue
        if ways_to_play(*position, MOST_WAYS) <= MOST_WAYS:
            return KnownBoard(board_of(*position), truth)


def random_forced_board(seed: int, number: int) -> KnownBoard:
    """Return a board on which there is never more than one possible jump, and at least three jumps in all.

    If `number` is odd, the board can be solved, otherwise it cannot.
    """
    chance = Chance(f"forced/{seed}/{number}")
    solvable = number % 2 == 1
    while True:
        position = _forced_back(chance, pegs_left=1 if solvable else 2 + chance.below(3))
        if position is None:
            continue
        truth = explore_from(*position, len(ALL_CELLS))
        assert truth is not None and truth.forced
        if truth.solvable != solvable:  # its last peg is on no goal
            continue
        return KnownBoard(board_of(*position), truth)


# ---- boards with choices -------------------------------------------------------------------------


def _played_back(chance: Chance) -> _Position | None:
    """Take up to 13 jumps back from a single peg on a rectangle with gaps; None if it has too few holes."""
    height, width = 3 + chance.below(4), 3 + chance.below(4)
    top, left = chance.below(SIZE + 1 - height), chance.below(SIZE + 1 - width)
    cells = [1 << SIZE * (top + row) + left + col for row in range(height) for col in range(width)]
    gaps = {chance.one_of(cells) for _ in range(chance.below(1 + len(cells) // 4))}
    kept = [cell for cell in cells if cell not in gaps]
    if len(kept) < LEAST_HOLES:
        return None
    holes = sum(kept)
    threes = threes_of(holes)
    pegs = chance.one_of(kept)
    for _ in range(6 + chance.below(8)):
        before = before_jumps(pegs, threes)
        if not before:
            break
        pegs = chance.one_of(before)
    return pegs, holes


def _with_pegs_moved(chance: Chance, position: _Position) -> _Position:
    """Return the position with one or two pegs moved elsewhere."""
    pegs, holes = position
    for _ in range(1 + chance.below(2)):
        empty = _cells_of(holes ^ pegs)
        if empty:
            pegs ^= chance.one_of(_cells_of(pegs)) | chance.one_of(empty)
    return pegs, holes


# ---- boards on which play is forced --------------------------------------------------------------


def _cells_of(cells: int) -> list[int]:
    return [cell for cell in ALL_CELLS if cell & cells]


def _forced_back(chance: Chance, pegs_left: int) -> _Position | None:
    """Return a position with only one line of play, which leaves `pegs_left` pegs; None when none was found.

    The line is made backwards from its end; see `longer_lines`.
    """
    pegs = 0
    while pegs.bit_count() < pegs_left:
        pegs |= chance.one_of(ALL_CELLS)
    line = ForcedLine(pegs, pegs, sum(ALL_CELLS))
    if after_jumps(pegs, threes_of(line.holes)):
        return None
    made = 0
    for _ in range(4 + chance.below(7)):
        longer = longer_lines(line)
        if not longer:
            break
        line = chance.one_of(longer)
        made += 1
    if made < LEAST_FORCED_JUMPS:
        return None
    blocked = chance.share()  # of the cells that the line does not use
    unused = [cell for cell in ALL_CELLS if not cell & line.used]
    return line.pegs, line.holes & ~sum(cell for cell in unused if chance.share() < blocked)


# ---- forced lines --------------------------------------------------------------------------------
#
# In a forced line, each position before the last has only one jump. Lines are made backwards from their
# end: a jump may be taken back if it is the only jump of the position before it. If that position has
# another jump, the line cannot do without the pegs of that jump. So the only remedy is to block the cell
# where the jump would land, unless the line uses that cell as well. Each line is listed with the holes that
# need not be blocked. There are few such lines. The longest start with 13 pegs on the English and on the
# French board, and with 22 on all 64 cells.


class ForcedLine(NamedTuple):
    """A forced line of play, given by its first position. Sets of cells are integers as in `explore`."""

    pegs: int  # the cells that have a peg in the first position
    used: int  # the cells that have a peg at any time in the line
    holes: int  # the cells that need not be blocked


def forced_lines(holes: int, ends: list[int]) -> list[list[ForcedLine]]:
    """Return the forced lines whose last peg is on one of `ends`, grouped by their number of pegs.

    The item at index n has the lines that start with n + 1 pegs, sorted.
    """
    levels = [[ForcedLine(end, end, holes) for end in sorted(ends)]]
    while levels[-1]:
        levels.append(sorted({longer for line in levels[-1] for longer in longer_lines(line)}))
    return levels[:-1]


def longer_lines(line: ForcedLine) -> list[ForcedLine]:
    """Return the forced lines that put one jump before this line, in a fixed order."""
    threes = threes_of(line.holes)
    found = []
    for before in before_jumps(line.pegs, threes):
        used = line.used | before
        unwanted = 0
        for after in after_jumps(before, threes):
            if after != line.pegs:
                unwanted |= after & ~before  # where the other jump lands
        if not unwanted & used:
            found.append(ForcedLine(before, used, line.holes & ~unwanted))
    return found
