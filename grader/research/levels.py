"""Search breadth first by moves, and count every solution with the fewest moves.

Level m has all positions that can be reached in m moves and not in fewer; one position stands for all its
images. Written naively, with the moves to each position stored next to it, this search needs more than 64 GB
for the English board. Here a position takes one word of a table, and its level one byte. How a position is
reached is not stored: once the goal is met, the ways to it are found again backwards. A position is on a best
solution if some move leads from it to a position of the next level that is itself on a best solution.

A move is made as a whole, to each hole where it may end, so no position needs to record a peg in mid-move.
As everywhere in the engine, jump sequences are counted. This module uses nothing from
`grader/oracle/moves.py`, so that each of the two checks the other.

    python -m grader.research.levels boards/english.txt 3,3

Exit status: 0 when a solution was found, 1 when there is none, 2 when the question is invalid.
"""

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from framework.board import Board, BoardFormatError, read_board
from grader.oracle import memory
from grader.oracle.beam_kernels import place_of
from grader.oracle.bits import ONE, ZERO
from grader.oracle.errors import OracleError
from grader.oracle.frontier import images_under
from grader.oracle.frontier_kernels import Images, name_of
from grader.oracle.problem import check_size
from grader.oracle.shape import Hole, Shape, image, shape_of

FIRST_SLOTS = 1 << 20
FULL = 0.7  # the share of the slots that may be used before their number is doubled
ROOM = 1 << 16  # new positions that a call of the kernel may find
BYTES = 9  # per slot


class Level(NamedTuple):
    """One level of the search, as `Levels.grow` reports it.

    Attributes:
        moves: the number of moves that lead to the level.
        positions: how many positions it has, images counted once.
    """

    moves: int
    positions: int


class Jumps(NamedTuple):
    """The jumps on a board, sorted by the hole where they start.

    Attributes:
        first: for each hole, the index of its first jump; at the end, the number of jumps.
        needed: for each jump, the two holes that must have pegs, as a position, uint64.
        cells: for each jump, all three holes, as a position, uint64.
        ends: for each jump, the hole where it lands.
    """

    first: np.ndarray
    needed: np.ndarray
    cells: np.ndarray
    ends: np.ndarray


def jumps_of(shape: Shape) -> Jumps:
    """Return the jumps of a shape, sorted by the hole where they start."""
    jumps = sorted((start, needed, cells, end) for start, end, needed, cells in shape.jumps)
    starts = [start for start, _, _, _ in jumps]
    return Jumps(
        np.searchsorted(starts, np.arange(len(shape.holes) + 1)).astype(np.int64),
        np.array([needed for _, needed, _, _ in jumps], dtype=np.uint64),
        np.array([cells for _, _, cells, _ in jumps], dtype=np.uint64),
        np.array([end for _, _, _, end in jumps], dtype=np.int64),
    )


class Levels:
    """The levels of a board, up to the first that has a goal.

    Attributes:
        moves: the fewest moves; None when no goal can be reached.
        sizes: how many positions each level has.
    """

    def __init__(self, board: Board, goals: list[Hole]) -> None:
        """Prepare the search.

        Raises:
            OracleError: a goal is not a hole, or the board has too many holes.
        """
        self._shape = shape_of(board)
        check_size(self._shape)
        start = self._shape.position(board)
        for row, col in goals:
            if (row, col) not in self._shape.number:
                raise OracleError(f"{row},{col} is not a hole of the board", "see its holes: grade show")
        self._goals = {1 << self._shape.number[goal] for goal in goals}
        self._group = self._shape.symmetries_that_keep([start], self._goals)
        self._images = images_under(self._group)
        self._jumps = jumps_of(self._shape)
        self._table = np.zeros(FIRST_SLOTS, dtype=np.uint64)
        self._levels = np.zeros(FIRST_SLOTS, dtype=np.int8)
        self._levels_found = [np.array([self._name(start)], dtype=np.uint64)]
        self._note(self._levels_found[0], 0)
        self.moves: int | None = None
        self.sizes = [1]

    def _name(self, position: int) -> int:
        """Return the least image of a position, which stands for all its images."""
        return min(image(symmetry, position) for symmetry in self._group)

    def _note(self, positions: np.ndarray, level: int) -> None:
        note(positions, level, self._table, self._levels)

    def grow(self) -> Iterator[Level]:
        """Find and yield level after level, up to the first that has a goal.

        Raises:
            OracleError: there is not enough memory.
        """
        goals = {self._name(goal) for goal in self._goals}
        while True:
            level = self._levels_found[-1]
            yield Level(len(self.sizes) - 1, len(level))
            if goals & set(level[np.bitwise_count(level) == 1].tolist()):
                self.moves = len(self.sizes) - 1
                return
            found = self._next_level(level)
            if len(found) == 0:
                return
            self._levels_found.append(found)
            self.sizes.append(len(found))

    def _next_level(self, level: np.ndarray) -> np.ndarray:
        parts: list[np.ndarray] = []
        room = np.empty(ROOM, dtype=np.uint64)
        begin = 0
        while begin < len(level):
            if sum(self.sizes) + sum(len(part) for part in parts) + ROOM > FULL * len(self._table):
                self._double(parts)
            begin, count = grow_some(
                level, begin, len(self.sizes), self._jumps, self._images, self._table, self._levels, room
            )
            parts.append(room[:count].copy())
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint64)

    def _double(self, parts: list[np.ndarray]) -> None:
        """Double the size of the table, and enter into it again all positions found so far."""
        memory.ask(2 * BYTES * len(self._table))
        slots = 2 * len(self._table)
        self._table, self._levels = np.zeros(slots, dtype=np.uint64), np.zeros(slots, dtype=np.int8)
        for number, each in enumerate(self._levels_found):
            self._note(each, number)
        for part in parts:
            self._note(part, len(self._levels_found))

    # ---- backwards -------------------------------------------------------------------------------

    def count_best(self) -> tuple[int, list[int]]:
        """Return how many jump sequences need the fewest moves, and how many positions they meet.

        The positions are counted for each level; those in mid-move do not count, and images count as one.
        """
        if self.moves is None:
            return 0, []
        ways = {self._name(goal): 1 for goal in self._goals if self._level_of(self._name(goal)) == self.moves}
        met = [len(ways)]
        for level in reversed(range(self.moves)):
            befores = {self._name(before) for position in ways for before in self._befores(position)}
            on_level = [before for before in befores if self._level_of(before) == level]
            ways = {
                before: sum(ways.get(self._name(after), 0) for after in self._afters(before))
                for before in on_level
            }
            met.append(len(ways))
        return sum(ways.values()), met[::-1]

    def _level_of(self, position: int) -> int | None:
        place = place_of(np.uint64(position), self._table)
        return int(self._levels[place]) if self._table[place] else None

    def _afters(self, position: int) -> Iterator[int]:
        """Yield the position after each possible move, once for each jump sequence that makes the move."""
        for hole in range(len(self._shape.holes)):
            if position >> hole & 1:
                yield from self._after_jumps(position, hole)

    def _after_jumps(self, position: int, hole: int) -> Iterator[int]:
        first, needed, cells, ends = self._jumps
        for jump in range(first[hole], first[hole + 1]):
            if position & int(cells[jump]) == int(needed[jump]):
                after = position ^ int(cells[jump])
                yield after
                yield from self._after_jumps(after, int(ends[jump]))

    def _befores(self, position: int) -> Iterator[int]:
        """Yield the positions from which one move leads to the given position."""
        for hole in range(len(self._shape.holes)):
            if position >> hole & 1:
                yield from self._before_jumps(position, hole)

    def _before_jumps(self, position: int, hole: int) -> Iterator[int]:
        for start, end, _, cells in self._shape.jumps:
            if end == hole and position & cells == 1 << hole:
                before = position ^ cells
                yield before
                yield from self._before_jumps(before, start)


# ---- compiled ------------------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def note(positions: np.ndarray, level: int, table: np.ndarray, levels: np.ndarray) -> None:
    """Enter the positions of a level into the table."""
    for position in positions:
        place = place_of(position, table)
        table[place], levels[place] = position, level


@njit(cache=True, nogil=True)
def make_move(position, hole, level, jumps: Jumps, images: Images, table, levels, found, count):
    """Make every move of the peg on a hole, and enter the new positions into the table and into `found`.

    Return how many positions `found` then has.
    """
    for jump in range(jumps.first[hole], jumps.first[hole + 1]):
        if position & jumps.cells[jump] == jumps.needed[jump]:
            after = position ^ jumps.cells[jump]
            least, _ = name_of(after, images)
            place = place_of(least, table)
            if table[place] == ZERO:
                if count == len(found):
                    return count
                table[place], levels[place], found[count] = least, level, least
                count += 1
            count = make_move(after, jumps.ends[jump], level, jumps, images, table, levels, found, count)
    return count


@njit(cache=True, nogil=True)
def grow_some(positions, begin, level, jumps: Jumps, images: Images, table, levels, found):
    """Make every move from the given positions, from index `begin` on, until `found` has no room left.

    Returns:
        The index of the first position whose moves were not all made, and how many positions `found` has.
    """
    count = 0
    for number in range(begin, len(positions)):
        for hole in range(len(jumps.first) - 1):
            if positions[number] >> np.uint64(hole) & ONE:
                count = make_move(positions[number], hole, level, jumps, images, table, levels, found, count)
        if count == len(found):
            return number, count  # its moves are made again; positions that are in the table are not new then
    return len(positions), count


# ---- the command ---------------------------------------------------------------------------------


def main() -> int:
    """Print the levels of a board, and how many solutions have the fewest moves."""
    parser = argparse.ArgumentParser(prog="python -m grader.research.levels", description=main.__doc__)
    parser.add_argument("board", type=Path, help="a board file, such as boards/english.txt")
    parser.add_argument("goal", nargs="+", help="a hole where the last peg may be left, as ROW,COL")
    asked = parser.parse_args()
    try:
        board = read_board(asked.board)
        goals = [(int(row), int(col)) for row, col in (each.split(",") for each in asked.goal)]
        levels = Levels(board, goals)
        print("  moves    positions")
        for level in levels.grow():
            print(f"{level.moves:>7}{level.positions:>13,}", flush=True)
        count, met = levels.count_best()
    except OracleError as error:
        print(f"{error.message}\nhelp: {error.help}", file=sys.stderr)
        return 2
    except (OSError, BoardFormatError) as error:
        message = f"{asked.board}: {error.strerror}" if isinstance(error, OSError) else str(error)
        print(f"{message}\nhelp: name a board's file, as in boards/english.txt", file=sys.stderr)
        return 2
    except ValueError:
        print("expected goals such as 3,3\nhelp: see the board: grade show", file=sys.stderr)
        return 2
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = f"{time.process_time():.0f} CPU s, {used.ru_maxrss / 1024:,.0f} MiB"
    if levels.moves is None:
        print(f"no solution; {sum(levels.sizes):,} positions, {spent}")
        return 1
    print(
        f"{levels.moves} moves are the fewest: {count:,} jump sequences need no more\n"
        f"they meet {sum(met):,} of {sum(levels.sizes):,} positions between two moves; {spent}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
