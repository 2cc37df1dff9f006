"""Draw what is different in a variant: which cells are goals, which integer a move is, the directions.

Goals do not change when the 64 cells are turned or mirrored, so `BOARD+r90` and `--boards turned` stay fair.
Some are the same in every variant, since the handouts' worked boards end there, or must not.
"""

from dataclasses import dataclass
from itertools import permutations
from random import Random

from framework.board import SIZE
from grader.messages.illegal_jumps import PARTS

Cell = tuple[int, int]
CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]
CORNER = [(row, col) for row, col in CELLS if row <= col < SIZE // 2]  # one of each eight images
ALWAYS = ((0, 2), (0, 3), (2, 3), (3, 3))  # where forced-hops, lopsided, choice and english end
NEVER = ((1, 2), (2, 2))  # the other holes of forced-hops
ONE_OF = ((0, 1), (1, 1), (1, 3))  # where the board key can end, wherever it is
WAYS = (("down", 1, 0), ("up", -1, 0), ("right", 0, 1), ("left", 0, -1))  # as in the course
BASES = range(9, 100)  # the course's own reference has base 8


@dataclass(frozen=True)
class Drawn:
    """What is different in a variant."""

    goals: frozenset[Cell]  # the cells on which the last peg wins
    order: tuple[str, ...]  # the digits of a move, the highest first
    base: int  # the base of these digits
    ways: tuple[tuple[str, int, int], ...]  # by number, each with its row step and its column step

    def integer(self, *jump: int) -> int:
        """Return the integer of a jump, which is given as row_start, col_start, row_end, col_end."""
        return sum(jump[PARTS.index(part)] * self._unit(part) for part in self.order)

    def texts(self) -> dict[str, str]:
        """Return the texts for the names in texts/."""
        first, *more = self.order
        packed = f"{first} * {self.base} + {more[0]}"
        for part in more[1:]:
            packed = f"({packed}) * {self.base} + {part}"
        directions = [f"{number} {name}" for number, (name, _, _) in enumerate(self.ways)]
        help = f"a move has the digits {', '.join(self.order)} in base {self.base}, the highest first"
        head, _, tail = help.rpartition(" the highest")  # where an 80-column report breaks it
        rows = [f"{row} {' '.join(line)}" for row, line in enumerate(self._lines("+", "-"))]
        return {
            "base": str(self.base),
            "order": ", ".join(self.order),
            "ticked_order": ", ".join(f"`{part}`" for part in self.order),
            "quoted_order": ", ".join(f'"{part}"' for part in self.order),
            "packed": packed,
            **{f"unit_{part}": str(self._unit(part)) for part in PARTS},
            "example": str(self.integer(5, 3, 5, 5)),
            "second_example": str(self.integer(2, 0, 2, 2)),
            "first_move": str(self.integer(0, 0, 2, 0)),
            "help": f"{head}\n        the highest{tail}",
            "directions": ", ".join(directions),
            "right": str([name for name, _, _ in self.ways].index("right")),
            "row_steps": ", ".join(str(row) for _, row, _ in self.ways),
            "col_steps": ", ".join(str(col) for _, _, col in self.ways),
            "goals": "\n".join(" ".join(line) for line in self._lines("*", ".")),
            "map": "\n".join([f"  {' '.join(map(str, range(SIZE)))}", *rows]),
        }

    def _unit(self, part: str) -> int:
        """Return what one more in a part adds to a move's integer."""
        return int(self.base ** (len(self.order) - 1 - self.order.index(part)))

    def _lines(self, goal: str, other: str) -> list[str]:
        return [
            "".join(goal if (row, col) in self.goals else other for col in range(SIZE)) for row in range(SIZE)
        ]


def draw(seed: int) -> Drawn:
    """Return the variant with a seed; the same seed gives the same variant."""
    chance = Random(f"peg-variant/{seed}")
    free = [cell for cell in CORNER if cell not in (*ALWAYS, *NEVER)]
    drawn: list[Cell] = []
    while not set(drawn) & set(ONE_OF):
        drawn = [cell for cell in free if chance.random() < 0.5]
    won = {*ALWAYS, *drawn}
    ways = chance.choice([each for each in permutations(WAYS) if each != WAYS])
    order = chance.choice([each for each in permutations(PARTS) if each != PARTS])
    goals = frozenset(cell for cell in CELLS if _in_corner(cell) in won)
    return Drawn(goals, order, chance.choice(BASES), ways)


def _in_corner(cell: Cell) -> Cell:
    """Return the cell of CORNER that a cell becomes when all 64 are turned or mirrored."""
    row, col = (min(number, SIZE - 1 - number) for number in cell)
    return min(row, col), max(row, col)
