"""The rules of a jump as a simulated program has them, with one fault or none.

A board is one integer: bit `cell` is set for a peg, and bit `64 + cell` for a blocked cell. So a jump is
possible if the bits under its mask have one value, and making it or taking it back sets and clears bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board
from framework.jumps import Jump
from grader.judging.holes import pegs_of

CELLS = SIZE * SIZE
LOOK = 10  # units of effort that it takes to find the jumps of a board, each of which takes one unit to try
ANY = 10**12  # units
ALL_CELLS = (1 << CELLS) - 1
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))  # down, up, right, left
SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Cell = tuple[int, int]
Three = tuple[
    int | None, int | None, int | None
]  # what the start, the middle and the end become; None: stays


class Change(NamedTuple):
    """What a jump, or taking it back, does to a board: `board & keep | put`; None if the program crashes."""

    keep: int
    put: int


class Step(NamedTuple):
    """A jump that a program may make."""

    # mask, value: the jump is made on a board where `board & mask == value`
    mask: int
    value: int
    place: int  # its place in the order in which jumps are tried; `place >> 3` is the cell it starts from
    jump: Jump  # the jump as the program writes it down; it may be illegal
    # play, take_back: what these do to the board; None if the program crashes
    play: Change | None
    take_back: Change | None


@dataclass(frozen=True)
class Rules:
    """What a program believes about jumps; without arguments, all of it is true."""

    steps: tuple[Cell, ...] = STRAIGHT  # the directions, in the order tried
    # rows, cols: where a jump may start: the first row or column, and the one after the last
    rows: tuple[int, int] = (0, SIZE)
    cols: tuple[int, int] = (0, SIZE)
    # land_rows, land_cols: where it may land, in the same way; a number below 0 counts from the end
    land_rows: tuple[int, int] = (0, SIZE)
    land_cols: tuple[int, int] = (0, SIZE)
    next_row: bool = False  # whether a jump that leaves a row at its end goes on in the next one
    over: tuple[int, ...] = (PEG,)  # the cells that can be jumped over
    landing: tuple[int, ...] = (EMPTY,)  # the cells that can be landed on
    # played, taken_back: what becomes of the three cells
    played: Three = (EMPTY, EMPTY, PEG)
    taken_back: Three = (PEG, PEG, EMPTY)
    turned: int = 0  # how many directions too far a jump is taken back

    @property
    def keeps_holes(self) -> bool:
        """Whether a blocked cell stays blocked, and no jump needs one."""
        return not self.turned and BLOCKED not in (*self.over, *self.landing)


ALL_TRUE = Rules()


@cache
def _all_steps(rules: Rules) -> list[Step]:
    """Return every jump that a program with these rules may make, on any board, in its order."""
    starts = ((row, col) for row in range(*rules.rows) for col in range(*rules.cols))
    return [
        step for start in starts for number in range(len(rules.steps)) for step in _made(rules, start, number)
    ]


def _made(rules: Rules, start: Cell, number: int) -> Iterator[Step]:
    """Yield what a jump in one direction may be: one for each thing that it may go over and land on."""
    (row, col), (row_step, col_step) = start, rules.steps[number]
    end = row + 2 * row_step, col + 2 * col_step
    if not (
        rules.land_rows[0] <= end[0] < rules.land_rows[1]
        and rules.land_cols[0] <= end[1] < rules.land_cols[1]
    ):
        return
    cells = _line(rules, start, number)
    written, place = (row, col, *end), (SIZE * row + col) << 3 | number
    back = _changed(_line(rules, start, (number + rules.turned) % len(rules.steps)), rules.taken_back)
    for over in rules.over:
        conditions = [_is(cells[0], PEG), _is(cells[1], over)]
        if cells[2] is None:  # reading that cell is a crash, once the first two are as they should be
            yield Step(*_all_of(conditions), place, written, None, None)
            continue
        for landing in rules.landing:
            mask, value = _all_of([*conditions, _is(cells[2], landing)])
            yield Step(mask, value, place, written, _changed(cells, rules.played), back)


def _line(rules: Rules, start: Cell, number: int) -> list[int | None]:
    """Return the three cells of a jump as numbers; None for a cell after the last."""
    row_step, col_step = rules.steps[number]
    return [_cell(rules, start[0] + far * row_step, start[1] + far * col_step) for far in range(3)]


def _cell(rules: Rules, row: int, col: int) -> int | None:
    if rules.next_row and col >= SIZE:
        row, col = row + 1, col - SIZE
    return SIZE * (row % SIZE) + col % SIZE if row < SIZE and col < SIZE else None


def _is(cell: int | None, what: int) -> tuple[int, int]:
    """Return the mask and the value of a board with a peg, a hole or nothing at a cell."""
    assert cell is not None
    peg, blocked = 1 << cell, 1 << cell + CELLS
    return peg | blocked, {PEG: peg, EMPTY: 0, BLOCKED: blocked}[what]


def _all_of(conditions: list[tuple[int, int]]) -> tuple[int, int]:
    mask = value = 0
    for each_mask, each_value in conditions:
        mask, value = mask | each_mask, value | each_value
    return mask, value


def _changed(cells: list[int | None], become: Three) -> Change | None:
    """Return what setting the cells does to a board; None if one of them does not exist."""
    keep, put = -1, 0
    for cell, what in zip(cells, become, strict=True):
        if what is not None:
            if cell is None:
                return None
            mask, value = _is(cell, what)
            keep, put = keep & ~mask, put | value
    return Change(keep, put)


# ---- boards --------------------------------------------------------------------------------------


def number_of(board: Board) -> int:
    """Return a board as one integer."""
    number = 0
    for cell, what in enumerate(board.reshape(-1).tolist()):
        number |= _is(cell, what)[1]
    return number


def pegs_on(board: int) -> int:
    """Return how many pegs are on a board."""
    return (board & ALL_CELLS).bit_count()


def cells_of(pegs: int) -> list[Cell]:
    """Return the cells with pegs, row by row."""
    return [divmod(cell, SIZE) for cell in pegs_of(pegs & ALL_CELLS)]


class TooMuch(Exception):
    """The programs take too much effort on a board."""


class Effort:
    """What the programs that are run on a board may still take together: a unit for each jump tried."""

    def __init__(self, units: int) -> None:
        """Prepare for an effort of so many units."""
        self.left = units

    def spend(self, units: int) -> None:
        """Count some units, or raise TooMuch: there are not so many left."""
        self.left -= units
        if self.left < 0:
            raise TooMuch


class JumpsOf:
    """The jumps that a program finds on boards that come from one board; what was found is kept."""

    def __init__(self, rules: Rules, start: int, effort: Effort | None = None) -> None:
        """Prepare for the boards that come from `start`; without `effort`, they may take any."""
        self.effort = effort or Effort(ANY)  # what programs with these rules may still take
        self._steps = _all_steps(rules)
        if rules.keeps_holes:
            holes = ALL_CELLS & ~(start >> CELLS)
            self._steps = [step for step in self._steps if not step.mask & ALL_CELLS & ~holes]
        self._found: dict[int, list[Step]] = {}

    def on(self, board: int) -> list[Step]:
        """Return the jumps that are made on a board, in the order tried."""
        found = self._found.get(board)
        if found is None:
            self.effort.spend(LOOK)
            found = [step for step in self._steps if board & step.mask == step.value]
            self._found[board] = found
        return found
