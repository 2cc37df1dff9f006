"""Find boards in the table of a solved check that can still win, since some of their jumps were left out.

A search that tries every jump of a board before it gives the board up also has all boards after these jumps
in its table. So the child follows the table from board to board, and returns where one of these is missing.
It may be missing for good reasons; the judge looks for a solution from there, and only a solution counts.
Boards that the judge knows to win are looked up as well, so that nothing is gained by finding every board in
the table.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from framework.board import Board
from framework.jumps import Jump
from framework.rules import GOAL_CELLS
from grader.judging.holes import Holes
from grader.judging.kinds.kind import chance

LOOKED_UP = 400  # boards: some 10 ms in the child
MOST_PAIRS = 100
ORDERS = 50  # of a solution's jumps, drawn by chance: on many boards some can be played to the end
EFFORT, EFFORT_EACH = 6_000, 300  # positions: at most 0.2 s, and none where no jump is left out


def question(board: Board, jumps: Sequence[Jump], what: str) -> dict[str, Any]:
    """Return what a child needs to follow its table, beginning beside a solution.

    Args:
        board: the board.
        jumps: the jumps that solve it.
        what: the name of the check, which decides the order.
    """
    holes = Holes(board)
    cells_of = {jump: cells for cells, _, jump in holes.jumps}
    positions = [holes.start]
    for jump in jumps:
        positions.append(positions[-1] ^ cells_of[jump])
    lot, winning = chance(f"follow {what}"), [*ways_to_win(board, jumps, what)]
    lot.shuffle(positions)
    lot.shuffle(winning)
    return {
        "positions": positions,
        "winning": winning,
        "jumps": [[cells, pegs] for cells, pegs, _ in holes.jumps],
        "looked_up": LOOKED_UP,
        "most": MOST_PAIRS,
    }


def ways_to_win(board: Board, jumps: Sequence[Jump], what: str) -> dict[int, Jump]:
    """Return positions that can win, each with a jump that does: a solution's, and in other orders."""
    holes, lot = Holes(board), chance(f"ways to win {what}")
    bits = {jump: (cells, pegs) for cells, pegs, jump in holes.jumps}
    found: dict[int, Jump] = {}
    for order in range(ORDERS):
        position, left, way = holes.start, list(jumps), {}
        while left:
            possible = [jump for jump in left if position & bits[jump][0] == bits[jump][1]]
            if not possible:
                break
            jump = lot.choice(possible) if order else left[0]
            left.remove(jump)
            way[position] = jump
            position ^= bits[jump][0]
        else:
            found |= way
    return found


class Untried(Holes):
    """A board, and pairs of positions on it: one that is in a table, and one after a jump that is not."""

    def __init__(self, board: Board, pairs: Sequence[tuple[int, int]], what: str) -> None:
        super().__init__(board)
        jumps = {cells: (pegs, jump) for cells, pegs, jump in self.jumps}
        self._lot: Random = chance(f"untried {what}")
        self._lost: set[int] = set()
        self._left = 0
        self.pairs: list[tuple[int, Jump]] = []
        for position, after in pairs[:MOST_PAIRS]:
            pegs, jump = jumps.get(position ^ after, (0, None))
            if jump is not None and position & (position ^ after) == pegs and self.positions_after(after):
                self.pairs.append((position, jump))
        self._lot.shuffle(self.pairs)

    def untrue(self) -> tuple[int, Jump] | None:
        """Return a position of the table that can win, and the jump that wins; None if none is found."""
        effort = EFFORT
        cells_of = {jump: cells for cells, _, jump in self.jumps}
        for position, jump in self.pairs:
            self._left = min(EFFORT_EACH, effort)
            effort -= self._left
            if self._wins(position ^ cells_of[jump]):
                return position, jump
            effort += max(0, self._left)
        return None

    def _wins(self, position: int) -> bool:
        """Return whether a solution from a position was found; `_left` limits the positions looked at."""
        if position.bit_count() == 1:
            return bool(position & GOAL_CELLS)
        if position in self._lost or self._left <= 0:
            return False
        self._left -= 1
        reached = self.positions_after(position)
        self._lot.shuffle(reached)
        if any(self._wins(each) for each in reached):
            return True
        if self._left > 0:
            self._lost.add(position)
        return False
