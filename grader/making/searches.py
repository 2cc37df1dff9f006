"""Searches as students write them: how many positions they give up on before they find a solution.

A plain search tries jumps in the order it finds them, row by row. An ordered search first tries the jumps
that leave the pegs close to the middle of the board, or close to the middle and next to other pegs.
"""

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from framework.board import SIZE
from framework.rules import GOAL_CELLS
from grader.making.search_kernels import search
from grader.oracle.explore import threes_of

Order = Sequence[int]  # of directions, as in `search_kernels.search`
ORDERS: list[Order] = list(permutations(range(4)))
FEW_ORDERS: list[Order] = [(0, 2, 1, 3), (3, 1, 2, 0), (2, 1, 3, 0), (0, 2, 3, 1)]
LONE = 2  # the weight of a peg without a neighbour, compared with squared distances from the middle
_PLAIN = np.zeros(0, dtype=np.int64)


class Searches:
    """Searches on a board with given holes. A position and the holes are sets of cells, as in `explore`."""

    def __init__(self, holes: int) -> None:
        self._threes = np.array([each.lowest for each in threes_of(holes)], dtype=np.uint64)
        places = [divmod(cell, SIZE) for cell in range(SIZE * SIZE)]
        inside = [place for cell, place in enumerate(places) if holes >> cell & 1]
        count, rows, cols = len(inside), sum(row for row, _ in inside), sum(col for _, col in inside)
        # Squared distances, multiplied by the squared number of holes to make them whole numbers.
        distances = [(count * row - rows) ** 2 + (count * col - cols) ** 2 for row, col in places]
        self._values = np.array(distances, dtype=np.int64)
        self._lone = LONE * count**2

    def plain(self, position: int, order: Order, most: int) -> int | None:
        """Return how many positions a plain search gives up on before it solves a position.

        Return None if it does not solve the position before it has given up on `most`.
        """
        return self._states(position, order, _PLAIN, 0, most)

    def ordered(self, position: int, order: Order, most: int, lone: bool) -> int | None:
        """Return how many positions an ordered search gives up on before it solves a position.

        If `lone`, the search also avoids pegs without a neighbour. The result is None in the same case as for
        `plain`.
        """
        return self._states(position, order, self._values, self._lone if lone else 0, most)

    def luckiest(self, position: int, most: int) -> int:
        """Return how many positions the best of a few plain and ordered searches gives up on.

        The result is `most` if none of them solves the position before it has given up on that many.
        """
        fewest = most
        for order in FEW_ORDERS:
            for states in (
                self.plain(position, order, fewest),
                self.ordered(position, order, fewest, lone=False),
                self.ordered(position, order, fewest, lone=True),
            ):
                fewest = fewest if states is None else min(states, fewest)
        return fewest

    def _states(self, position: int, order: Order, values: np.ndarray, lone: int, most: int) -> int | None:
        table = np.zeros(2 << most.bit_length(), dtype=np.uint64)
        states, solved = search(
            np.uint64(position),
            self._threes,
            np.array(order),
            values,
            lone,
            most,
            table,
            np.uint64(GOAL_CELLS),
        )
        return int(states) if solved else None
