"""List every forced line of play on some holes that ends with a single peg.

In a forced line, each position before the last has only one jump. Lines are made backwards from their end: a
jump may be taken back if it is the only jump of the position before it. If that position has another jump,
the line cannot do without the pegs of that jump. So the only remedy is to block the cell where the jump would
land, unless the line uses that cell as well. Each line is listed with the holes that need not be blocked.
There are few such lines. The longest start with 13 pegs on the English and on the French board, and with 22
on all 64 cells.
"""

from typing import NamedTuple

from grader.oracle.explore import after_jumps, before_jumps, threes_of


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
