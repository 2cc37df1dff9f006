"""Prove the fewest moves, and list every solution with that number of moves."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from framework.jumps import Jump
from grader.oracle import move_kernels
from grader.oracle.move_kernels import MOVES_AT, NEVER, Members
from grader.oracle.problem import jump_of
from grader.oracle.sets import PositionSet, share_work
from grader.oracle.shape import Hole
from grader.oracle.winning_set import Counts, Progress, Winning, say_nothing

# Before the first jump: pasts and ways as in `move_kernels.follow`.
FIRST_PASTS = np.array([0, NEVER], dtype=np.uint64)
ONE_WAY = np.array([[1], [0]], dtype=np.uint64)


class _States(NamedTuple):
    """States in solutions with the fewest moves, all after the same number of jumps.

    States are explained in `move_kernels.lead_back`.
    """

    positions: np.ndarray  # shape (states,), uint64
    pegs: np.ndarray  # shape (states,), int64: the hole of the peg that jumps next; -1 at the end
    made: np.ndarray  # shape (states,), int64: the number of moves from the position to the end
    # shape (states,), object: how many jump sequences lead from each state to a goal, as int
    ways: np.ndarray


class Solved(NamedTuple):
    """What was found out about a problem."""

    goals: list[Hole]  # the goals that can be reached
    positions: Counts  # how many positions lie on a way from the start to a goal
    solutions: int  # the number of jump sequences that solve the problem
    moves: int | None  # the least number of moves; None if there is no solution
    optimal_solutions: int  # the number of jump sequences with the least number of moves
    best: list[Jump]  # one of them; empty if there is no solution


class Solutions:
    """The solutions from a start to some goals: how many there are, and the fewest moves they need.

    `goals`, `count` and `moves` are the goals, solutions and moves of `Solved`.
    """

    def __init__(self, winning: Winning, progress: Progress = say_nothing) -> None:
        self.winning = winning
        self._members = [_numbered(each) for each in winning.levels]
        self._pasts: list[np.ndarray] = []  # after each number of jumps, what `move_kernels.follow` finds out
        if winning.solvable:
            self._follow(progress)
        found = {goal: self.ways_to(goal) for goal in winning.goals}
        self.goals = [goal for goal, (count, _) in found.items() if count]
        self.count = sum(count for count, _ in found.values())
        self.moves = min((found[goal][1] for goal in self.goals), default=None)
        self._best_goals = [goal for goal in self.goals if found[goal][1] == self.moves]

    def _follow(self, progress: Progress) -> None:
        field = self.winning.field
        pasts, ways = FIRST_PASTS, ONE_WAY
        self._pasts.append(pasts)
        for number, (earlier, later) in enumerate(pairwise(self._members), 1):
            progress("moves", number, len(self._members))
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
            self._pasts.append(found_pasts)
            pasts, ways = found_pasts, found_ways
        self._last_ways = ways

    def ways_to(self, goal: int) -> tuple[int, int]:
        """Return how many jump sequences lead from the start to a goal, and the least number of moves."""
        if not self._members:
            return 0, 0
        field, members = self.winning.field, self._members[-1]
        at = field.rank(field.least_image(goal), members.level)
        word, before = (int(each) for each in members.words[at >> 6])
        if not word >> (at & 63) & 1:
            return 0, 0
        row = before + (word & ((1 << (at & 63)) - 1)).bit_count()
        count = sum(int(part) << 64 * place for place, part in enumerate(self._last_ways[row]))
        return count, int(self._pasts[-1][row]) >> int(MOVES_AT)

    def summary(self) -> Solved:
        """Return what was found out."""
        shape = self.winning.field.shape
        return Solved(
            [shape.holes[goal.bit_length() - 1] for goal in self.goals],
            self.winning.counts,
            self.count,
            self.moves,
            self.optimal_count,
            next(self.best(), []),
        )

    @property
    def optimal_count(self) -> int:
        """The number of jump sequences that solve the problem in the fewest moves."""
        if self.moves is None:
            return 0
        return sum(int(ways) for ways in self._best_states[0].ways)

    @cached_property
    def _best_states(self) -> list[_States]:
        """For each number of jumps, the states in the solutions with the fewest moves."""
        ends = self._best_goals
        ones = np.array([1] * len(ends), dtype=object)
        places = np.full(len(ends), -1, dtype=np.int64)
        states = [_States(np.array(ends, np.uint64), places, np.zeros(len(ends), np.int64), ones)]
        for number in reversed(range(len(self._members) - 1)):
            states.append(self._states_before(states[-1], number))
        return states[::-1]

    def _states_before(self, states: _States, number: int) -> _States:
        """Return the states one jump before, each with the number of jump sequences from it to a goal."""
        assert self.moves is not None
        field, room = self.winning.field, 0
        while True:
            befores, origins = np.empty(room, np.uint64), np.empty(room, np.int64)
            pegs, made = np.empty(room, np.int64), np.empty(room, np.int64)
            count = move_kernels.lead_back(
                states.positions, states.pegs, states.made, self.moves,
                self._members[number], self._pasts[number], field.index.low, field.moves, field.full,
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

    def best(self) -> Iterator[list[Jump]]:
        """Yield every jump sequence with the least number of moves, in a fixed order."""
        if self.moves is None:
            return
        levels = [
            set(zip(states.positions.tolist(), states.pegs.tolist(), states.made.tolist(), strict=True))
            for states in self._best_states
        ]
        shape = self.winning.field.shape
        made: list[Jump] = []

        def go_on(number: int, state: tuple[int, int, int]) -> Iterator[list[Jump]]:
            position, peg, left = state
            if number == len(levels) - 1:
                yield list(made)
                return
            for start, end, needed, cells in shape.jumps:
                if start != peg or position & cells != needed:
                    continue
                after = position ^ cells
                others = [hole for hole in range(len(shape.holes)) if hole != end and after >> hole & 1]
                for following in [(after, end, left), *((after, peg, left - 1) for peg in (-1, *others))]:
                    if following in levels[number + 1]:
                        made.append(jump_of(shape, start, end))
                        yield from go_on(number + 1, following)
                        made.pop()

        for state in sorted(levels[0]):
            yield from go_on(0, state)


def _numbered(positions: PositionSet) -> Members:
    words = np.zeros((len(positions.bits), 2), dtype=np.uint64)
    words[:, 0] = positions.bits
    np.cumsum(np.bitwise_count(positions.bits[:-1]), out=words[1:, 1])
    return Members(positions.level, words, positions.count)
