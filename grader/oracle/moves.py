"""Prove the fewest moves, and list every solution with that number of moves."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from grader.oracle import move_kernels
from grader.oracle.move_kernels import MOVES_AT, NEVER, Members
from grader.oracle.sets import PositionSet, share_work
from grader.oracle.shape import image
from grader.oracle.winning_set import Counts, Progress, Winning, say_nothing

HoleNumbers = tuple[int, int]  # the holes where a jump starts and ends


class _States(NamedTuple):
    """States in solutions with the fewest moves, all after the same number of jumps.

    States are explained in `move_kernels.lead_back`.

    Attributes:
        positions: shape (states,), uint64.
        pegs: shape (states,), int64: the hole of the peg that jumps next; -1 at the end.
        made: shape (states,), int64: the number of moves from the position to the end.
        ways: shape (states,), object: how many jump sequences lead from each state to a goal, as int.
    """

    positions: np.ndarray
    pegs: np.ndarray
    made: np.ndarray
    ways: np.ndarray


class Solved(NamedTuple):
    """What was found out about a problem.

    Attributes:
        goals: the goals that can be reached.
        positions: how many positions lie on a way from the start to a goal.
        solutions: the number of jump sequences that solve the problem.
        moves: the least number of moves; None if there is no solution.
        optimal_solutions: the number of jump sequences with the least number of moves.
        best: one of them; empty if there is no solution.
    """

    goals: list[int]
    positions: Counts
    solutions: int
    moves: int | None
    optimal_solutions: int
    best: list[HoleNumbers]


class Ways:
    """How many jump sequences lead from the start to each winning position, and in how many moves.

    Attributes:
        winning: the positions on some way from the start to a goal.
        members: the same, numbered, after each number of jumps.
        pasts: after each number of jumps, what `move_kernels.follow` finds out about the moves.
    """

    def __init__(self, winning: Winning, progress: Progress = say_nothing) -> None:
        """Follow the winning positions jump by jump."""
        self.winning = winning
        self.members = [_numbered(each) for each in winning.levels]
        self.pasts: list[np.ndarray] = []
        if winning.solvable:
            self._follow(progress)

    def _follow(self, progress: Progress) -> None:
        field = self.winning.field
        pasts, ways = self._at_first()
        self.pasts.append(pasts)
        for number, (earlier, later) in enumerate(zip(self.members, self.members[1:], strict=False), 1):
            progress("moves", number, len(self.members))
            found_pasts = np.empty(later.size + 1, dtype=np.uint64)
            # Only a jump leads to a position, so one word is enough while this product fits into it.
            words = 2 if ways.shape[1] == 2 or int(ways.max()) * len(field.shape.jumps) >> 64 else 1
            found_ways = np.empty((later.size + 1, words), dtype=np.uint64)
            found_pasts[-1], found_ways[-1] = NEVER, 0

            def run(
                counter: np.ndarray, earlier: Members = earlier, pasts: np.ndarray = pasts,
                ways: np.ndarray = ways, later: Members = later, found_pasts: np.ndarray = found_pasts,
                found_ways: np.ndarray = found_ways, bits: np.ndarray = self.winning.levels[number].bits,
            ) -> None:  # fmt: skip
                move_kernels.follow(
                    earlier, pasts, ways, later, found_pasts, found_ways, bits, field.index.low, field.moves,
                    field.full, counter, field.lanes,
                )  # fmt: skip

            share_work(run, later.size)
            self.pasts.append(found_pasts)
            pasts, ways = found_pasts, found_ways
        self._last_ways = ways

    def _at_first(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the pasts and the number of jump sequences before the first jump."""
        return np.array([0, NEVER], dtype=np.uint64), np.array([[1], [0]], dtype=np.uint64)

    def to(self, goal: int) -> tuple[int, int]:
        """Return how many jump sequences lead from the start to a goal, and the least number of moves."""
        if not self.members:
            return 0, 0
        field, members = self.winning.field, self.members[-1]
        at = field.rank(min(image(symmetry, goal) for symmetry in field.group), members.level)
        word, before = (int(each) for each in members.words[at >> 6])
        if not word >> (at & 63) & 1:
            return 0, 0
        row = before + (word & ((1 << (at & 63)) - 1)).bit_count()
        count = sum(int(part) << 64 * place for place, part in enumerate(self._last_ways[row]))
        return count, int(self.pasts[-1][row]) >> int(MOVES_AT)


def bytes_for(winning: Winning) -> int:
    """Return how many bytes `Ways` takes: for all positions, and more for two levels at a time."""
    counts = [level.count for level in winning.levels]
    return 8 * sum(counts) + 48 * max(counts, default=0)


def find_solutions(winning: Winning, progress: Progress = say_nothing) -> "Solutions":
    """Return the solutions of a problem; for the arguments see `Ways`."""
    return Solutions(Ways(winning, progress), winning.goals)


class Solutions:
    """The solutions from a start to some goals: how many there are, and the fewest moves they need.

    Attributes:
        goals: the goals that can be reached.
        count: the number of jump sequences that solve the problem.
        moves: the least number of moves; None if there is no solution.
    """

    def __init__(self, ways: Ways, goals: Sequence[int]) -> None:
        self._ways = ways
        self.winning = ways.winning
        found = {goal: ways.to(goal) for goal in goals}
        self.goals = [goal for goal, (count, _) in found.items() if count]
        self.count = sum(count for count, _ in found.values())
        self.moves = min((found[goal][1] for goal in self.goals), default=None)
        self._best_goals = [goal for goal in self.goals if found[goal][1] == self.moves]
        self._states: list[_States] | None = None

    def summary(self, positions: Counts) -> Solved:
        """Return what was found out, given the number of winning positions."""
        best = next(self.best(), [])
        return Solved(self.goals, positions, self.count, self.moves, self.optimal_count, best)

    @property
    def optimal_count(self) -> int:
        """The number of jump sequences that solve the problem in the fewest moves."""
        if self.moves is None:
            return 0
        return sum(int(ways) for ways in self._best_states()[0].ways)

    def _best_states(self) -> list[_States]:
        """Return, for each number of jumps, the states in the solutions with the fewest moves."""
        if self._states is None:
            ends = self._best_goals
            ones = np.array([1] * len(ends), dtype=object)
            places = np.full(len(ends), -1, dtype=np.int64)
            states = [_States(np.array(ends, np.uint64), places, np.zeros(len(ends), np.int64), ones)]
            for number in reversed(range(len(self._ways.members) - 1)):
                states.append(self._states_before(states[-1], number))
            self._states = states[::-1]
        return self._states

    def _states_before(self, states: _States, number: int) -> _States:
        """Return the states one jump before, each with the number of jump sequences from it to a goal."""
        assert self.moves is not None
        field, found = self.winning.field, self._ways
        room = 0
        while True:
            befores, origins = np.empty(room, np.uint64), np.empty(room, np.int64)
            pegs, made = np.empty(room, np.int64), np.empty(room, np.int64)
            count = move_kernels.lead_back(
                states.positions, states.pegs, states.made, self.moves,
                found.members[number], found.pasts[number], field.index.low, field.moves, field.full,
                field.lanes, befores, origins, pegs, made,
            )  # fmt: skip
            if count <= room:
                break
            room = count
        order = np.lexsort((made, pegs, befores))
        befores, pegs, made, ways = befores[order], pegs[order], made[order], states.ways[origins[order]]
        fresh = np.ones(count, dtype=bool)
        fresh[1:] = (befores[1:] != befores[:-1]) | (pegs[1:] != pegs[:-1]) | (made[1:] != made[:-1])
        return _States(befores[fresh], pegs[fresh], made[fresh], np.add.reduceat(ways, np.flatnonzero(fresh)))

    def best(self) -> Iterator[list[HoleNumbers]]:
        """Yield every jump sequence with the least number of moves, in a fixed order.

        A jump is a pair of numbers: those of the holes where it starts and ends.
        """
        if self.moves is None:
            return
        levels = [
            set(zip(states.positions.tolist(), states.pegs.tolist(), states.made.tolist(), strict=True))
            for states in self._best_states()
        ]
        shape = self.winning.field.shape
        made: list[HoleNumbers] = []

        def go_on(number: int, state: tuple[int, int, int]) -> Iterator[list[HoleNumbers]]:
            position, peg, left = state
            if number == len(levels) - 1:
                yield list(made)
                return
            for start, end, needed, cells in shape.jumps:
                if start != peg or position & cells != needed:
                    continue
                after = position ^ cells
                for following in [
                    (after, end, left),
                    *((after, other, left - 1) for other in other_pegs(after, end)),
                ]:
                    if following in levels[number + 1]:
                        made.append((start, end))
                        yield from go_on(number + 1, following)
                        made.pop()

        def other_pegs(position: int, moved: int) -> list[int]:
            return [-1, *(hole for hole in range(len(shape.holes)) if hole != moved and position >> hole & 1)]

        for state in sorted(levels[0]):
            yield from go_on(0, state)


def _numbered(positions: PositionSet) -> Members:
    words = np.zeros((len(positions.bits), 2), dtype=np.uint64)
    words[:, 0] = positions.bits
    np.cumsum(np.bitwise_count(positions.bits[:-1]), out=words[1:, 1])
    return Members(positions.level, words, positions.count)
