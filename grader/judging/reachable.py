"""Find every position that can be reached from a small board, and which of them can win."""

from collections import Counter

from framework.board import Board
from framework.rules import GOAL_CELLS
from grader.judging.holes import Holes


class TooManyPositions(Exception):
    """More positions can be reached than were to be found."""


class Reachable(Holes):
    """Every position that can be reached from a board.

    Attributes:
        after: for each position, those that its jumps lead to; positions after fewer jumps come first.
        winning: the positions that can still win.
    """

    def __init__(self, board: Board, most: int | None = None) -> None:
        """Find the positions.

        Args:
            board: the board.
            most: how many positions there may be; None for any number.

        Raises:
            TooManyPositions: there are more than `most`.
        """
        super().__init__(board)
        self.after: dict[int, list[int]] = {}
        found = {self.start: None}
        todo = [self.start]
        for position in todo:
            reached = self.positions_after(position)
            self.after[position] = reached
            todo += [each for each in dict.fromkeys(reached) if each not in found]
            found.update(dict.fromkeys(reached))
            if most is not None and len(found) > most:
                raise TooManyPositions
        self.winning: set[int] = set()
        for position in reversed(self.after):
            won = position.bit_count() == 1 and position & GOAL_CELLS
            if won or not self.winning.isdisjoint(self.after[position]):
                self.winning.add(position)

    @property
    def fewest(self) -> int:
        """The fewest pegs of any position."""
        return min(map(int.bit_count, self.after))

    @property
    def forced(self) -> bool:
        """Whether no position leaves a choice of jumps."""
        return all(len(reached) <= 1 for reached in self.after.values())

    def ways(self) -> Counter[int]:
        """Return, for each position but the start, how many jumps lead to it."""
        return Counter(each for reached in self.after.values() for each in reached)
