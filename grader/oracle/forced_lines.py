"""List every forced line of play on some holes that ends with a single peg.

Lines are found from their end: a jump is taken back if it is then the only one. If another could be made, its
pegs are in use, so the only remedy is to block the cell where it would land, unless that is in use as well.
So a line comes with the holes that are left, and all lines are soon listed. The longest start
with 13 pegs on the English and on the French board, with 22 on all 64 cells.
"""

from typing import NamedTuple

from grader.oracle.explore import after_jumps, before_jumps, threes_of


class ForcedLine(NamedTuple):
    """The first position of a line of play. Sets of cells are integers as in `explore`.

    Attributes:
        pegs: the cells with a peg.
        used: those that ever have one.
        holes: the cells that need not be blocked.
    """

    pegs: int
    used: int
    holes: int


def forced_lines(holes: int, ends: list[int]) -> list[list[ForcedLine]]:
    """Return the lines that end on one of the cells `ends`: at index n those of n + 1 pegs, sorted."""
    levels = [[ForcedLine(end, end, holes) for end in sorted(ends)]]
    while levels[-1]:
        levels.append(sorted({longer for line in levels[-1] for longer in longer_lines(line)}))
    return levels[:-1]


def longer_lines(line: ForcedLine) -> list[ForcedLine]:
    """Return the lines that have one jump more before this one, in a fixed order."""
    threes = threes_of(line.holes)
    found = []
    for before in before_jumps(line.pegs, threes):
        used = line.used | before
        unwanted = 0
        for after in after_jumps(before, threes):
            if after != line.pegs:
                unwanted |= after & ~before  # where it lands
        if not unwanted & used:
            found.append(ForcedLine(before, used, line.holes & ~unwanted))
    return found
