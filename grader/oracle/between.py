"""Count the winning positions between one of several starts and one of several goals."""

from typing import NamedTuple

import numpy as np

from grader.oracle.move_kernels import NEVER, Members, count_between
from grader.oracle.moves import Ways
from grader.oracle.sets import share_work
from grader.oracle.winning_set import Counts, Winning


class Reached(NamedTuple):
    """Which starts lead to each winning position.

    Attributes:
        starts: the starts.
        members: the winning positions, numbered, after each number of jumps.
        images_of_starts: as in `Ways`.
        from_starts: after each number of jumps, shape (positions + 1, starts), bool; the last row is False.
    """

    starts: tuple[int, ...]
    members: list[Members]
    images_of_starts: np.ndarray
    from_starts: list[np.ndarray]


def reached(ways: Ways) -> Reached:
    """Return which starts lead to each winning position."""
    from_starts = [each != NEVER for each in ways.pasts]
    return Reached(ways.winning.starts, ways.members, ways.images_of_starts, from_starts)


class Between:
    """How many of the winning positions lie between each start and each goal."""

    def __init__(self, winning: Winning, forward: Reached, backward: Reached) -> None:
        """Count them.

        Args:
            winning: the winning positions.
            forward: which starts lead to each of them.
            backward: the same for the reverse problem, whose starts are the complements of the goals.
        """
        self._forward, self._backward = forward, backward
        self._full = winning.field.shape.full
        self._found: list[np.ndarray] = []  # after each number of jumps, what `count_between` returns
        field, last = winning.field, len(winning.levels) - 1
        for number, level in enumerate(winning.levels):

            def run(
                counter: np.ndarray,
                bits: np.ndarray = level.bits,
                number: int = number,
                other: int = last - number,
            ) -> np.ndarray:
                found: np.ndarray = count_between(
                    forward.members[number], bits, forward.from_starts[number], backward.members[other],
                    backward.from_starts[other], backward.images_of_starts, field.index.low, field.moves,
                    field.full, counter, field.lanes,
                )  # fmt: skip
                return found

            self._found.append(sum(share_work(run, level.count)))

    def counts(self, start: int, goal: int) -> Counts:
        """Return how many positions lie between a start and a goal, after each number of jumps.

        Images under the symmetries that keep both the start and the goal count as one in `Counts.canonical`;
        how many that are follows from Burnside's lemma. There are no counts if the start does not lead to the
        goal.
        """
        starts, goals = self._forward.images_of_starts, self._backward.images_of_starts
        first, last = self._forward.starts.index(start), self._backward.starts.index(self._full ^ goal)
        images = set(zip(starts[:, first].tolist(), goals[:, last].tolist(), strict=True))
        keeping = [
            (symmetry, goal, start)
            for start, goal in images
            for symmetry in range(len(starts))
            if (starts[symmetry, start], goals[symmetry, goal]) == (start, goal)
        ]
        raw = [
            sum(int(found[0, goal, start]) for start, goal in images) // len(images) for found in self._found
        ]
        canonical = [sum(int(found[each]) for each in keeping) // len(starts) for found in self._found]
        return Counts(canonical, raw) if sum(raw) else Counts([], [])
