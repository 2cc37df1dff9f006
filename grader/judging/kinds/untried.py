"""Find boards in the table of a solved check that can still win, since some of their jumps were left out.

A search that tries every jump of a board before it gives the board up also has all boards after these jumps
in its table. So the judge looks up boards beside the solution, and looks where one of these is missing. It
may be missing for good reasons; the judge looks for a solution from there, and only a solution counts. Boards
that are known to win are looked up as well, so that nothing is gained by finding every board in the table;
and whatever a table holds began beside the solution, so nothing is gained by finding none.
"""

from collections.abc import Collection, Sequence
from random import Random

from framework.board import SIZE, Board
from framework.jumps import Jump
from framework.rules import GOAL_CELLS
from grader.catalog.images import IMAGES, image_of_cell, symmetries
from grader.judging.holes import Holes, kept, pegs_of
from grader.judging.kinds.kind import chance
from grader.judging.kinds.table_truth import images_by

MOST_BOARDS = 4_000  # that jumps lead to, from the solution or from each other
MOST_PAIRS = 100
ORDERS = 50  # of a solution's jumps, drawn by chance: on many boards some can be played to the end
EFFORT, EFFORT_EACH = 6_000, 300  # positions: at most 0.2 s, and none where no jump is left out


def _places(image: str) -> list[int]:
    """Return, for each cell of an image of a board, the number of the cell that goes there."""
    to = [image_of_cell(row, col, image) for row in range(SIZE) for col in range(SIZE)]
    return sorted(range(SIZE * SIZE), key=to.__getitem__)


_PLACES = {image: _places(image) for image in IMAGES}


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


class Beside(Holes):
    """The boards beside a solution, and what their places in a table say."""

    def __init__(self, board: Board, jumps: Sequence[Jump], what: str) -> None:
        super().__init__(board)
        self._lot: Random = chance(f"beside {what}")
        self._lost: set[int] = set()
        self._left = 0
        self._cells_of = {jump: cells for cells, _, jump in self.jumps}
        solution = [self.start]
        for jump in jumps:
            solution.append(solution[-1] ^ self._cells_of[jump])
        self.winning = ways_to_win(board, jumps, what)  # positions that can win, each with a jump that does
        reached = dict.fromkeys(solution)
        levels = [solution]
        while levels[-1] and len(reached) < MOST_BOARDS:
            self._lot.shuffle(levels[-1])
            after = (each for position in levels[-1] for each in self.positions_after(position))
            levels.append([each for each in dict.fromkeys(after) if each not in reached])
            del levels[-1][MOST_BOARDS:]
            reached |= dict.fromkeys(levels[-1])
        turned = [*symmetries(board)]
        # the positions beside the solution, and their images; a table that holds anything holds of these
        self.near = {image for each in levels[1] for image in (each, *images_by(each, turned))}
        self._beyond = [position for level in levels[1:] for position in level]
        # the positions to look up: all these, and some after further jumps
        self.asked = [*dict.fromkeys([*self.winning, *self.near, *reached])]
        # texts of images of the boards beside the solution whose holes are not the board's, each with the
        # name of its image
        self.turned = {
            "".join(text[place] for place in places): image
            for image, places in _PLACES.items()
            if {1 << places.index(cell) for cell in pegs_of(sum(self.bits))} != {*self.bits}
            for text in map(self.text, levels[1])
        }

    @property
    def texts(self) -> list[str]:
        """The boards to look up: those of `asked`, then those of `turned`."""
        return [*map(self.text, self.asked), *self.turned]

    def recorded(self, found: Sequence[int]) -> set[int]:
        """Return the positions that are in the table, given a number for each of `texts`."""
        return {position for position, number in zip(self.asked, found, strict=False) if number}

    def image(self, found: Sequence[int]) -> str:
        """Return an image in the table whose holes are not the board's, in words; empty if there is none."""
        numbers = zip(self.turned.values(), found[len(self.asked) :], strict=True)
        return next((IMAGES[image] for image, number in numbers if number), "")

    def untried(self, recorded: Collection[int]) -> list[tuple[int, Jump]]:
        """Return positions in the table, each with a jump to one that is not; it has jumps of its own."""
        asked = {*self.asked}
        pairs = [
            (position, jump)
            for position in self._beyond
            if position in recorded
            for cells, pegs, jump in self.jumps
            if position & cells == pegs
            and position ^ cells in asked
            and position ^ cells not in recorded
            and self.positions_after(position ^ cells)
        ]
        return self._lot.sample(pairs, min(len(pairs), MOST_PAIRS))

    def untrue(self, pairs: Sequence[tuple[int, Jump]]) -> tuple[int, Jump] | None:
        """Return a position of these pairs that can win, and the jump that wins; None if none is found."""
        effort = EFFORT
        for position, jump in pairs:
            self._left = min(EFFORT_EACH, effort)
            effort -= self._left
            if self._wins(position ^ self._cells_of[jump]):
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


@kept(4)
def beside(board: Board, jumps: tuple[Jump, ...], what: str) -> Beside:
    """Return the boards beside a solution; `what`, the check's name, decides what is drawn by chance."""
    return Beside(board, jumps, what)
