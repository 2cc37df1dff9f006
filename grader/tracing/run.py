"""Follow the search of a small board: which boards it came to, in which order, and how it went on there."""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from framework.jumps import Jump
from grader.judging.causes.walk import follow
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.child.trace import CALLED, LEFT, NOTHING, PUT
from grader.sandbox.traces import Trace


class Visit(NamedTuple):
    """A board that the search came to.

    Attributes:
        before: the number of the visit from which a jump led here; -1 for the first.
        jump: that jump; None for the first.
    """

    position: int
    before: int
    jump: Jump | None


@dataclass(frozen=True)
class Run:
    """The search of a board.

    Attributes:
        visits: the boards it came to, in order; one that it came to twice is there twice.
        function: the number of the function that calls itself; None if the search is a loop.
        returned: what each visit's call returned, by the visit's number, in the order of returning.
    """

    known: Positions
    trace: Trace
    visits: list[Visit]
    function: int | None
    returned: dict[int, int]

    @property
    def put(self) -> list[int]:
        """The keys put into the table that the program was given, each once, in order."""
        return list(dict.fromkeys(self._put))

    @property
    def puts_again(self) -> bool:
        """Whether a key was put into that table more than once."""
        return len({*self._put}) < len(self._put)

    @property
    def _put(self) -> list[int]:
        return [event.second for event in self.trace.events if event.kind == PUT and event.first == 1]

    def line(self, visit: int) -> list[Jump]:
        """Return the jumps that led to a visit."""
        jumps: list[Jump] = []
        at = self.visits[visit]
        while at.jump is not None:
            jumps.append(at.jump)
            at = self.visits[at.before]
        return jumps[::-1]

    @property
    def first_end(self) -> int:
        """The number of the first visit from which the search did not go deeper."""
        following = range(1, len(self.visits))
        return next((at - 1 for at in following if self.visits[at].before != at - 1), len(self.visits) - 1)


def run_of(known: Positions, trace: Trace) -> Run | None:
    """Return the search of a board; None if it cannot be followed."""
    function = _calls_itself(known.start, trace)
    return _by_jumps(known, trace) if function is None else _by_calls(known, trace, function)


def _calls_itself(start: int, trace: Trace) -> int | None:
    """Return the number of the function that searches; None if none that is given the board calls itself."""
    is_open, again, first = Counter[int](), Counter[int](), dict[int, int]()
    for event in trace.events:
        if event.kind == CALLED:
            starts = first.setdefault(event.first, event.second) == start
            again[event.first] += starts and event.second >= 0 and is_open[event.first] > 0
            is_open[event.first] += 1
        elif event.kind == LEFT:
            is_open[event.first] -= 1
    return max(+again, key=lambda each: again[each], default=None)


def _by_calls(known: Positions, trace: Trace, function: int) -> Run | None:
    visits: list[Visit] = []
    returned: dict[int, int] = {}
    path: list[int] = []
    for event in trace.events:
        if event.kind not in (CALLED, LEFT) or event.first != function:
            continue
        if event.kind == LEFT:
            if not path:
                return None
            visit = path.pop()
            if event.second != NOTHING:
                returned[visit] = event.second
            continue
        before = path[-1] if path else -1
        came_from = visits[before].position if path else 0
        jump = known.jump_to(came_from, {event.second}) if path else None
        if event.second not in known.after or (jump is None) == bool(path) or (visits and not path):
            return None
        path.append(len(visits))
        visits.append(Visit(event.second, before, jump))
    return Run(known, trace, visits, function, returned)


def _by_jumps(known: Positions, trace: Trace) -> Run | None:
    walk = follow(known, trace.noted)
    if walk.lost:
        return None
    visits = [Visit(known.start, -1, None)]
    path = [0]
    for jump in walk.steps:
        if jump is None:
            path.pop()
            continue
        at = visits[path[-1]].position
        after = next(at ^ cells for cells, pegs, each in known.jumps if each == jump)
        visits.append(Visit(after, path[-1], jump))
        path.append(len(visits) - 1)
    return Run(known, trace, visits, None, {})
