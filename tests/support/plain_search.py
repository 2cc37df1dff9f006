"""A depth-first search of a board, written here once more, to hold to it what is said of the course's programs."""

from collections.abc import Callable, Hashable

from framework.board import Board
from framework.jumps import Jump
from grader.judging.holes import Holes
from support.made_styles import STEPS


def itself(position: int) -> Hashable:
    return position


class PlainSearch:
    """A search of a board that tries rows, columns, then directions in an order; numbers are positions."""

    def __init__(
        self,
        board: Board,
        directions: str,
        memory: bool = True,
        most: int = 1 << 30,
        cells: list[tuple[int, int]] | None = None,
        key: Callable[[int], Hashable] = itself,
    ) -> None:
        """Search the board.

        Args:
            most: how many boards it comes to at most.
            cells: the order of the cells from which jumps are tried, if not row by row.
            key: what a board is remembered by.
        """
        self.holes = Holes(board)
        steps = [STEPS[letter] for letter in directions]

        def turn(jump: Jump) -> tuple[object, int]:
            start = jump[:2] if cells is None else cells.index(jump[:2])
            return start, steps.index(((jump[2] - jump[0]) // 2, (jump[3] - jump[1]) // 2))

        self._jumps = sorted(self.holes.jumps, key=lambda each: turn(each[2]))
        self._memory, self._most, self._key = memory, most, key
        self.came_to: list[int] = []  # each board that it came to, in order, those found in its memory, too
        # what the boards given up on are remembered by, in order of time
        self.given_up: dict[Hashable, None] = {}
        self.hits = 0  # how often the memory helped
        self.stack: list[Jump] = []  # the jumps of the solution, the last one first
        self.fewest = self._search(self.holes.start)  # the fewest pegs of any board met, 1 when solved

    def _search(self, position: int) -> int:
        fewest = position.bit_count()
        if len(self.came_to) == self._most:
            return 1
        self.came_to.append(position)
        if fewest == 1:
            return 1
        if self._memory and self._key(position) in self.given_up:
            self.hits += 1
            return fewest
        for cells, pegs, jump in self._jumps:
            if position & cells == pegs:
                fewest = min(fewest, self._search(position ^ cells))
                if fewest == 1:
                    self.stack.append(jump)
                    return 1
        self.given_up[self._key(position)] = None
        return fewest

    @property
    def tried(self) -> list[Jump]:
        """The jumps of the board itself, as far as they were tried."""
        pegs = self.holes.start.bit_count() - 1
        return [self.jump(self.holes.start, each) for each in self.came_to if each.bit_count() == pegs]

    def jump(self, before: int, after: int) -> Jump:
        """Return the jump from one board to another."""
        return next(jump for *bits, jump in self._jumps if bits == [before ^ after, before & ~after])

    @property
    def deepest(self) -> int:
        """How many calls are open at most."""
        return 1 + self.holes.start.bit_count() - min(each.bit_count() for each in self.came_to)

    @property
    def first_end(self) -> int:
        """Which board, by its place in `came_to`, is the first from which the search does not go deeper."""
        pegs = [each.bit_count() for each in self.came_to]
        return next((at for at in range(len(pegs) - 1) if pegs[at + 1] >= pegs[at]), len(pegs) - 1)
