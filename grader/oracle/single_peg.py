"""All problems of a shape with one vacancy and one goal; data that several of them share is computed once."""

from collections.abc import Iterator, Sequence
from itertools import product

from grader.oracle.sets import Field
from grader.oracle.shape import Hole, Shape, Symmetry
from grader.oracle.winning_set import Growth, Progress, Winning, find_winning, join_levels, say_nothing


class SinglePegProblems:
    """A shape's problems with one vacancy and one goal; data that several of them share is computed once.

    The complement of a goal is a position with one vacancy, so the levels grown from a vacancy serve all
    problems that start or end there. These levels are kept as long as all problems asked for are of the same
    parity class. The last answer is kept as well. So it is best to ask for the reverse of a problem right
    after the problem, and for all problems in the order of `problems`.
    """

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._classes: set[int] = set()  # of the vacancies whose growths are kept
        self._fields: dict[tuple[Symmetry, ...], Field] = {}
        self._growths: dict[tuple[int, tuple[Symmetry, ...]], Growth] = {}
        self._last: Winning | None = None

    def problems(self) -> Iterator[tuple[int, int]]:
        """Yield each problem as (start, goal).

        Of problems that are images of one another, only one is yielded. The problems of one parity class come
        together; each problem comes just before its reverse.
        """
        shape = self._shape
        families = [
            (shape.ends_of_class(1 << hole), shape.ends_of_class(shape.full ^ 1 << hole))
            for hole in range(len(shape.holes))
        ]
        seen = set()
        for vacancies, goals in sorted(families, key=lambda each: -self._locality(each[0])):
            for one, other in product(vacancies, goals):
                for vacancy, goal in ((one, other), (other, one)):
                    pair = shape.number[vacancy], shape.number[goal]
                    least = min((symmetry[pair[0]], symmetry[pair[1]]) for symmetry in shape.symmetries)
                    if least not in seen:
                        seen.add(least)
                        yield shape.full ^ 1 << pair[0], 1 << pair[1]

    def _locality(self, holes: Sequence[Hole]) -> int:
        """Return how many of the first half of the holes stay in that half, added up over symmetries.

        The symmetries are those that keep `holes`. The more holes stay, the nearer in memory a position is to
        the least of its images.
        """
        half = len(self._shape.holes) // 2
        kept = self._shape.symmetries_that_keep(1 << self._shape.number[hole] for hole in holes)
        return sum(to < half for symmetry in kept for to in symmetry[:half])

    def winning(self, start: int, goal: int, progress: Progress = say_nothing) -> Winning:
        """Return the winning positions from `start`, which has one vacancy, to `goal`, a single peg."""
        shape = self._shape
        vacancies = [start, shape.full ^ goal]
        classes = {shape.class_of(each) for each in vacancies}
        if classes != self._classes:
            self._classes, self._last = classes, None
            self._growths.clear()
        last = self._last
        if last is not None and [shape.full ^ last.goals[0], last.start] == vacancies:
            return last.reverse()
        if start.bit_count() < 2 or shape.class_of(goal) != shape.class_of(start):
            return find_winning(shape, start, [goal], progress)
        group = tuple(shape.symmetries_that_keep([start], [goal]))
        forward = self._growth(start, group)
        mirror = forward.field.mirror(*vacancies)
        backward = self._growth(vacancies[1], group) if mirror is None else forward
        self._last = join_levels(
            forward.field, start, [goal], forward, backward, mirror or forward.field, progress
        )
        return self._last

    def _growth(self, start: int, group: tuple[Symmetry, ...]) -> Growth:
        """Return the levels of positions grown from `start`.

        Positions that are known to reach no goal of its parity class are not followed.
        """
        if (start, group) not in self._growths:
            shape = self._shape
            field = self._fields.setdefault(group, Field(shape, group))
            goals = [1 << shape.number[hole] for hole in shape.ends_of_class(start)]
            self._growths[start, group] = Growth(field, [start], field.pruning(goals))
        return self._growths[start, group]
