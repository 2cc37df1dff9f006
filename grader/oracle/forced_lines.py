"""List every forced line of play on some holes that ends with a single peg.

Lines are found from their end: a jump is taken back if it is the only jump of the position before it. If that
position has another jump, its pegs are in use. So the only remedy is to block the cell where it would land,
unless that cell is in use as well. So each line comes with the holes that are left, and all lines are soon
listed. The longest start with 13 pegs on the English and on the French board, and with 22 on all 64 cells.
"""

from typing import NamedTuple

from grader.oracle.explore import after_jumps, before_jumps, threes_of


class ForcedLine(NamedTuple):
    """The first position of a line of play. Sets of cells are integers as in `explore`.

    Attributes:
        pegs: the cells with a peg.
        used: the cells that have a peg at any time.
        holes: the cells that need not be blocked.
    """

    pegs: int
    used: int
    holes: int


def forced_lines(holes: int, ends: list[int]) -> list[list[ForcedLine]]:
    """Return the lines that end on a cell of `ends`, sorted: at index n those that start with n + 1 pegs."""
    levels = [[ForcedLine(end, end, holes) for end in sorted(ends)]]
    while levels[-1]:
        levels.append(sorted({longer for line in levels[-1] for longer in longer_lines(line)}))
    return levels[:-1]


def longer_lines(line: ForcedLine) -> list[ForcedLine]:
    """Return the lines that make one jump before this line, in a fixed order."""
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
