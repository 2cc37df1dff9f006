"""Prove the fewest moves, and list every solution with that number of moves."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from grader.oracle import move_kernels
from grader.oracle.move_kernels import MOVES_AT, NEVER, Members
from grader.oracle.sets import PositionSet, share_work
from grader.oracle.winning_set import Progress, Winning, say_nothing

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


class Solutions:
    """The solutions of a problem: how many there are, and the fewest moves they need.

    Attributes:
        winning: the positions on some way from the start to a goal.
        count: the number of jump sequences that solve the problem.
        moves: the least number of moves; None if there is no solution.
    """

    def __init__(self, winning: Winning, progress: Progress = say_nothing) -> None:
        self.winning = winning
        self._members = [_numbered(each) for each in winning.levels]
        self._pasts: list[np.ndarray] = []  # by jump, by member; see move_kernels.follow
        self.count = 0
        self.moves: int | None = None
        if winning.solvable:
            self._follow(progress)
        self._states: list[_States] | None = None

    def _follow(self, progress: Progress) -> None:
        field = self.winning.field
        rooms = [np.empty((max(each.size for each in self._members) + 1, 2), np.uint64) for _ in range(2)]
        pasts, ways = np.array([0, NEVER], dtype=np.uint64), np.array([[1, 0], [0, 0]], dtype=np.uint64)
        self._pasts.append(pasts)
        for number, (earlier, later) in enumerate(zip(self._members, self._members[1:], strict=False), 1):
            progress("moves", number, len(self._members))
            found_pasts = np.empty(later.size + 1, dtype=np.uint64)
            found_ways = rooms[number % 2][: later.size + 1]
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
        self.moves = int(pasts.min()) >> int(MOVES_AT)
        for goal in self.winning.goals:
            member = self._number(goal)
            if member is not None:
                self.count += int(ways[member, 0]) + (int(ways[member, 1]) << 64)

    def _number(self, goal: int) -> int | None:
        """Return which of the last positions a goal is, counted from 0; None when the goal is not reached."""
        field, last = self.winning.field, self._members[-1]
        at = field.rank(field.least_image(goal), last.level)
        word, before = (int(each) for each in last.words[at >> 6])
        if not word >> (at & 63) & 1:
            return None
        return before + (word & ((1 << (at & 63)) - 1)).bit_count()

    @property
    def goals(self) -> list[int]:
        """The goals that can be reached."""
        return [goal for goal in self.winning.goals if self._members and self._number(goal) is not None]

    @property
    def optimal_count(self) -> int:
        """The number of jump sequences that solve the problem in the fewest moves."""
        if self.moves is None:
            return 0
        return sum(int(ways) for ways in self._best_states()[0].ways)

    def _best_states(self) -> list[_States]:
        """Return, for each number of jumps, the states in the solutions with the fewest moves."""
        if self._states is None:
            assert self.moves is not None
            ends = [
                goal for goal in self.winning.goals
                if (number := self._number(goal)) is not None
                and int(self._pasts[-1][number]) >> int(MOVES_AT) == self.moves
            ]  # fmt: skip
            ones = np.array([1] * len(ends), dtype=object)
            places = np.full(len(ends), -1, dtype=np.int64)
            states = [_States(np.array(ends, np.uint64), places, np.zeros(len(ends), np.int64), ones)]
            for number in reversed(range(len(self._members) - 1)):
                states.append(self._states_before(states[-1], number))
            self._states = states[::-1]
        return self._states

    def _states_before(self, states: _States, number: int) -> _States:
        """Return the states one jump before, each with the number of jump sequences from it to a goal."""
        assert self.moves is not None
        field = self.winning.field
        room = 0
        while True:
            befores, origins = np.empty(room, np.uint64), np.empty(room, np.int64)
            pegs, made = np.empty(room, np.int64), np.empty(room, np.int64)
            count = move_kernels.lead_back(
                states.positions, states.pegs, states.made, self.moves,
                self._members[number], self._pasts[number],
                field.index.low, field.moves, field.full, field.lanes, befores, origins, pegs, made,
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
