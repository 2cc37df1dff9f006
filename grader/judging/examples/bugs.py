"""List the bugs that a set of boards can catch: what is wrong with each simulated program."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from framework.board import BLOCKED, EMPTY, PEG, SIZE
from framework.jumps import Jump, cell_between
from grader.judging.examples.program import Known, Program
from grader.judging.examples.rules import ALL_CELLS, CELLS, SLANTED, STRAIGHT, Cell, Rules, Step, cells_of

DOWN, UP, RIGHT, LEFT = STRAIGHT
LAST = SIZE - 1
SUMS, DIFFERENCES = (1, 1), (1, -1)  # of row and column, by which cells are coloured


class Kind(IntEnum):
    """The kinds of bug; `grade hint examples` has three hints for each, by its number."""

    DIRECTIONS = 1
    EDGES = 2
    CONDITIONS = 3
    PLAYING = 4
    TAKING_BACK = 5
    NO_CHOICE = 6
    LEFT_EARLY = 7
    NUMBER = 8
    STACK = 9
    KEYS = 10
    TABLE = 11
    NO_MEMORY = 12
    GIVES_UP = 13
    ENDINGS = 14


@dataclass(frozen=True)
class Bug:
    """A simulated program with a bug, whose name students do not see."""

    name: str
    kind: Kind
    program: Program
    forced: bool = False  # whether the program is for boards that never leave a choice, such as peg1
    exact: bool = True  # whether it should return the fewest pegs, not just any number above 1


# ---- pieces --------------------------------------------------------------------------------------


def _key(board: int) -> int:
    return board & ALL_CELLS


def _transposed(board: int) -> int:
    return min(_key(board), sum(1 << col * SIZE + row for row, col in cells_of(board)))


def _mirrored(board: int) -> int:
    return min(_key(board), sum(1 << row * SIZE + LAST - col for row, col in cells_of(board)))


def _rows(board: int) -> int:
    """Return how many pegs each row has, as one number."""
    return sum(1 << 4 * row for row, _ in cells_of(board))


def _near_the_middle(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the jumps that land near the middle first."""
    return sorted(steps, key=lambda step: abs(2 * step.jump[2] - LAST) + abs(2 * step.jump[3] - LAST))


def _first_peg(steps: Sequence[Step]) -> Sequence[Step]:
    return [step for step in steps if step.place >> 3 == steps[0].place >> 3]


def _ends_by(*classes: tuple[Cell, Cell]) -> Program:
    """Return a program that looks for endings by the class of a board.

    Args:
        classes: the factors of row and column in two colourings, `(a * row + b * col) % 3`: by the first
            the pegs of the board are counted, by the second the last peg.
    """

    def ends(board: int) -> int:
        pegs = [_colours(cells_of(board), of_pegs) for of_pegs, _ in classes]
        return sum(
            1 << cell
            for cell in range(CELLS)
            if all(
                _fits(counted, divmod(cell, SIZE), of_last)
                for counted, (_, of_last) in zip(pegs, classes, strict=True)
            )
        )

    return Program(key=_key, ends=ends)


def _colours(cells: Sequence[Cell], by: Cell) -> list[int]:
    """Return how many of the cells have each of three colours."""
    colours = [(by[0] * row + by[1] * col) % 3 for row, col in cells]
    return [colours.count(colour) for colour in range(3)]


def _fits(of_pegs: Sequence[int], cell: Cell, by: Cell) -> bool:
    """Return whether all colours together have one parity once a peg on the cell is added."""
    return len({(one + other) % 2 for one, other in zip(of_pegs, _colours([cell], by), strict=True)}) == 1


def _number(jump: Jump) -> int:
    return int("".join(map(str, jump)), 8)


def _end_by_ten(jump: Jump) -> Jump:
    return (*jump[:3], _number(jump) % 10) if min(jump) >= 0 else jump


def _start_shifted(jump: Jump) -> Jump:
    return (_number(jump) >> 8 & 7, *jump[1:]) if min(jump) >= 0 else jump


# ---- the list ------------------------------------------------------------------------------------

_RULES = {
    Kind.DIRECTIONS: {
        "never down": Rules((UP, RIGHT, LEFT)),
        "never up": Rules((DOWN, RIGHT, LEFT)),
        "never right": Rules((DOWN, UP, LEFT)),
        "never left": Rules((DOWN, UP, RIGHT)),
        "up is slantwise": Rules((DOWN, (-1, 1), RIGHT, LEFT)),
        "slantwise as well": Rules(STRAIGHT + SLANTED),
    },
    Kind.EDGES: {
        "lands above the board": Rules(land_rows=(-2, SIZE)),
        "lands left of the board": Rules(land_cols=(-2, SIZE)),
        "lands below the board": Rules(land_rows=(0, SIZE + 1)),
        "lands right of the board": Rules(land_cols=(0, SIZE + 1), next_row=True),
        "never lands in the first row": Rules(land_rows=(1, SIZE)),
        "never lands in the last row": Rules(land_rows=(0, LAST)),
        "never lands in the first column": Rules(land_cols=(1, SIZE)),
        "never lands in the last column": Rules(land_cols=(0, LAST)),
        "does not look at the first row": Rules(rows=(1, SIZE)),
        "does not look at the last row": Rules(rows=(0, LAST)),
        "does not look at the first column": Rules(cols=(1, SIZE)),
        "does not look at the last column": Rules(cols=(0, LAST)),
    },
    Kind.CONDITIONS: {
        "jumps over blocked cells": Rules(over=(PEG, BLOCKED)),
        "jumps over holes": Rules(over=(PEG, EMPTY)),
        "lands on blocked cells": Rules(landing=(EMPTY, BLOCKED)),
        "lands on pegs": Rules(landing=(EMPTY, PEG)),
    },
    Kind.PLAYING: {
        "the jumping peg vanishes": Rules(played=(EMPTY, EMPTY, EMPTY)),
        "the jumping peg stays": Rules(played=(None, EMPTY, PEG)),
        "the jumped peg stays": Rules(played=(EMPTY, None, PEG)),
    },
    Kind.TAKING_BACK: {
        "takes nothing back": Rules(taken_back=(None, None, None)),
        "the jumping peg does not return": Rules(taken_back=(None, PEG, EMPTY)),
        "the jumped peg does not return": Rules(taken_back=(PEG, None, EMPTY)),
        "the landing is not cleared": Rules(taken_back=(PEG, PEG, None)),
        "takes another direction back": Rules(turned=1),
    },
}

_FORCED = {
    "a jump takes no peg": Program(one_jump_a_board=True, counts_down=False),
    "two pegs are solved": Program(one_jump_a_board=True, pushes_at=2),
    "forgets where it got stuck": Program(counted=lambda fewest, left, pegs: fewest),
}

_SEARCH = {
    Kind.LEFT_EARLY: {
        "one jump a board": Program(one_jump_a_board=True),
        "one jump a peg": Program(one_jump_a_peg=True),
        "one peg a board": Program(order=_first_peg),
        "two pegs are good enough": Program(enough=2),
    },
    Kind.NUMBER: {
        "counts its own jump only": Program(counted=lambda fewest, left, pegs: min(fewest, pegs - 1)),
        "the number of the last jump": Program(counted=lambda fewest, left, pegs: left),
        "the number of the worst jump": Program(counted=lambda fewest, left, pegs: max(fewest, left)),
        "a huge number stays": Program(begins_with=CELLS),
    },
    Kind.STACK: {
        "the first move lies at the bottom": Program(pushes_early=True),
        "pushes the cell jumped over": Program(written=lambda jump: (*jump[:2], *cell_between(jump))),
        "pushes failures as well": Program(pushes_failures=True),
        "pushes every solution": Program(enough=0),
        "packs the end before the start": Program(written=lambda jump: (*jump[2:], *jump[:2])),
        "unpacks by base ten": Program(written=_end_by_ten),
        "unpacks with a wrong shift": Program(written=_start_shifted),
    },
    Kind.KEYS: {
        "the key is a sum of cells": Program(
            key=lambda board: sum(row * SIZE + col for row, col in cells_of(board))
        ),
        "the key is without the last row": Program(key=lambda board: _key(board) & ALL_CELLS >> SIZE),
        "the key is the lower half": Program(key=lambda board: _key(board) >> 32),
        "the key counts the pegs of rows": Program(key=_rows),
        "the key is the same for all": Program(key=lambda board: 0),
        "the key is a remainder": Program(key=lambda board: _key(board) % 251),
        "the key is a larger remainder": Program(key=lambda board: _key(board) % 65_521),
        "the key is the same after transposing": Program(key=_transposed),
        "the key is the same in a mirror": Program(key=_mirrored),
    },
    Kind.TABLE: {
        "known boards are won": Program(key=_key, known_is_won=True),
        "known boards end the loop": Program(key=_key, on_known=Known.STOPS),
        "known boards are not taken back": Program(key=_key, on_known=Known.LEAVES),
        "the fewest pegs are forgotten": Program(key=_key, forgets_fewest=True),
    },
    Kind.NO_MEMORY: {
        "finds nothing in the table": Program(key=_key, never_finds=True),
        "tells the table of the last child": Program(key=_key, tells_child=True),
    },
}

_ANY_NUMBER = {
    Kind.GIVES_UP: {
        "tries the best jump only": Program(key=_key, order=lambda steps: _near_the_middle(steps)[:1]),
        "loses the last jump": Program(key=_key, order=lambda steps: _near_the_middle(steps)[:-1]),
        "gives up after a while": Program(key=_key, most_keys=500),
    },
    Kind.ENDINGS: {
        "one diagonal twice": _ends_by((SUMS, SUMS), (SUMS, DIFFERENCES)),
        "ends only on holes": Program(key=_key, ends=lambda board: ~board & ~(board >> CELLS) & ALL_CELLS),
        "ends only on pegs": Program(key=_key, ends=_key),
        "winning boards are solved": Program(key=_key, pushes_nothing=True),
        "meets one layer early": Program(key=_key, lost_at=5),
    },
}

BUGS: tuple[Bug, ...] = (
    *(Bug(name, kind, Program(rules)) for kind, named in _RULES.items() for name, rules in named.items()),
    *(Bug(name, Kind.NO_CHOICE, program, forced=True) for name, program in _FORCED.items()),
    *(Bug(name, kind, program) for kind, named in _SEARCH.items() for name, program in named.items()),
    *(
        Bug(name, kind, program, exact=False)
        for kind, named in _ANY_NUMBER.items()
        for name, program in named.items()
    ),
)

# Without a bug: what no board may catch.
FAULTLESS: tuple[Bug, ...] = (
    Bug("forced", Kind.NO_CHOICE, Program(one_jump_a_board=True), forced=True),
    Bug("exact", Kind.LEFT_EARLY, Program()),
    Bug("table", Kind.TABLE, Program(key=_key)),
    Bug("order", Kind.GIVES_UP, Program(key=_key, order=_near_the_middle), exact=False),
    Bug("class", Kind.ENDINGS, _ends_by((SUMS, SUMS), (DIFFERENCES, DIFFERENCES)), exact=False),
)
