"""Ask a student's program questions in the sandbox, as plain Python, and follow its search of a small board.

Each answer is kept. A search is followed from board to board: which it came to, in which order, and how it
went on there.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from framework.board import SIZE, Board, format_board
from framework.jumps import Jump
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Check, Task
from grader.judging.causes.walk import follow
from grader.judging.check_run import answer_of
from grader.judging.judge import Judge
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.solve import question
from grader.judging.kinds.table_truth import Positions
from grader.result import Result
from grader.sandbox import answers
from grader.sandbox.answers import Failure, FrameError, Noted
from grader.sandbox.asking import Asks, End, Load, Outcome, Place
from grader.sandbox.child.trace import CALLED, FIELDS, LEFT, MOST_EVENTS, NOTHING, PUT, SET
from grader.submissions.submission import Submission

T = TypeVar("T")

CPU_S = 2.0  # for a small board: a hundred times what it takes
ANSWER_BYTES = 2 << 20  # a trace of MOST_EVENTS, with keys of 20 digits
MOST_FUNCTIONS = 100
MAX_NAME = 100
ODD = re.compile(r"[^\w. <>/]")  # what neither a file's nor a function's name has


class Event(NamedTuple):
    """Something that a search did, see child/trace.py for the kinds and what belongs to them."""

    kind: int
    first: int
    second: int
    line: int


@dataclass(frozen=True)
class Trace:
    """What a search did, run as plain Python."""

    number: int | None  # what it returned; None if that was no number, or if it did not end
    functions: list[str]  # the student's functions that were called, by number: each as file and name
    calls: list[int]  # how many times each was called
    events: list[Event]  # what it did, in order
    board: Board  # the board after it
    error: Failure | None  # how it failed, if it did

    @property
    def noted(self) -> Noted:
        """The cells that were set on the given board."""
        set_there = [event.second for event in self.events if event.kind == SET and event.first == 0]
        cells = [answers.cell_set(max(0, what)) for what in set_there]
        return Noted(self.number, cells, self.board, self.error)

    @property
    def is_whole(self) -> bool:
        """Whether all that the search did is in `events`."""
        return len(self.events) < MOST_EVENTS and self.error is None


def parse_trace(loaded: dict[str, Any]) -> Trace:
    """Return what a search did; raise FrameError if the frame is malformed."""
    functions = answers.listed(loaded, "functions")
    if len(functions) > MOST_FUNCTIONS or not all(type(name) is str for name in functions):
        raise FrameError("functions that have no names, or too many")
    calls = answers.integers(loaded, "calls")
    if len(calls) != len(functions):
        raise FrameError("calls of other functions")
    numbers = answers.integers(loaded, "events")
    if len(numbers) % FIELDS or len(numbers) > FIELDS * MOST_EVENTS:
        raise FrameError("events that are incomplete, or too many")
    events = [Event(*numbers[at : at + FIELDS]) for at in range(0, len(numbers), FIELDS)]
    for event in events:
        if not SET <= event.kind <= LEFT:
            raise FrameError("an event of no known kind")
        if event.kind == SET and not -1 <= event.second < 9 * SIZE * SIZE:
            raise FrameError("a cell that is not on the board")
        if event.kind in (CALLED, LEFT) and not 0 <= event.first < len(functions):
            raise FrameError("a call of no known function")
    number = loaded.get("number")
    return Trace(
        None if number is None else answers.integer(number),
        [ODD.sub("?", name)[:MAX_NAME] for name in functions],
        calls,
        events,
        answers.a_board(answers.text(loaded, "board")),
        answers.failure_in(loaded, "error"),
    )


class Visit(NamedTuple):
    """A board that the search came to."""

    position: int
    before: int  # the number of the visit from which a jump led here; -1 for the first
    jump: Jump | None  # that jump; None for the first


@dataclass(frozen=True)
class Run:
    """The search of a board."""

    known: Positions
    trace: Trace
    visits: list[Visit]  # the boards it came to, in order; one that it came to twice is there twice
    function: int | None  # the number of the function that calls itself; None if the search is a loop
    returned: dict[int, int]  # by the visit's number, in the order of returning

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


class Program:
    """A student's program for a task; use it in a `with` block."""

    def __init__(self, task: Task, submission: Submission, place: Place, cpu_s: float = CPU_S) -> None:
        """Prepare the program; each question imports it anew. `cpu_s` is its limit, in CPU seconds."""
        self.task = task
        self._cpu_s = cpu_s
        self.submission = submission
        self._judge = Judge(task, submission, place.tier)
        load = Load(submission.clean_folder(), task.module, task.memory_mib, ANSWER_BYTES)
        self._runner = place.runner(load, hidden=False)
        self._asks: Asks
        self._outcomes: dict[str, Outcome] = {}

    def __enter__(self) -> "Program":
        self._asks = self._runner.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.__exit__(None, None, None)

    # ---- questions -----------------------------------------------------------------------------

    def ask(self, request: dict[str, Any], parse: Callable[[dict[str, Any]], T]) -> T | None:
        """Return the answer to a question; None if there was none."""
        return answer_of(self._outcome(request), parse)

    def trace(self, board: Board) -> Trace | None:
        """Return the trace of the search on a board; None if it gave no answer."""
        return self.ask(self._tracing(board), parse_trace)

    def run(self, board: Board) -> Run | None:
        """Return the search of a board; None if it did not end, or cannot be followed."""
        trace = self.trace(board)
        return None if trace is None or not trace.is_whole else run_of(table_truth.positions(board), trace)

    def is_slow(self, board: Board) -> bool:
        """Return whether the search of a board did not end within its CPU time."""
        return self._outcome(self._tracing(board)).end == End.CPU_LIMIT

    def keys(self, boards: Sequence[str]) -> list[int] | None:
        """Return the keys of boards by `board_key`; None if there are none."""
        said = self.client(boards=boards)
        return None if said is None else said.keys

    def client(
        self,
        made: Sequence[Jump] = (),
        moves: Sequence[int] = (),
        boards: Sequence[str] = (),
        hashed: bool = False,
    ) -> answers.ClientAnswer | None:
        """Return what the functions of client.py return; None if one of them fails.

        `made` are the jumps to make moves of, `moves` the moves to take apart.
        """
        asks = client.question(list(made), list(boards), hashed, moves)
        said = self.ask(asks, answers.parse_client_answer)
        as_asked = said is not None and len(said.made) == len(made) and len(said.moves) == len(moves)
        if said is None or not as_asked or len(said.keys) != len(boards):
            return None
        return said if len(said.hashes) == len(boards) * hashed else None

    def winning(self, board: Board, jumps: int) -> int | None:
        """Return how many boards `fill_winning` puts into its table; None if it does not."""
        said = self.ask(self._filling(board, jumps), answers.parse_winning_table)
        return None if said is None else said.size

    # ---- failures ------------------------------------------------------------------------------

    def why_no_trace(self, board: NamedBoard) -> Result | None:
        """Return the result that says why the search of a board gives no trace; None if it does."""
        request = self._tracing(board.board)
        trace = self.ask(request, parse_trace)
        if trace is not None and trace.error is None:
            return None
        return self._failed(board, request, None if trace is None else trace.error)

    def why_not_filled(self, board: NamedBoard, jumps: int) -> Result:
        """Return the result that says why `fill_winning` gave no table."""
        return self._failed(board, self._filling(board.board, jumps), None)

    def _failed(self, board: NamedBoard, request: dict[str, Any], failure: Failure | None) -> Result:
        asked = Asked(Check(board.name, 0, self._cpu_s), board, self.task, debug=True)
        if failure is not None:
            return self._judge.failed(asked, failure).harmless()
        return self._judge.said(asked, self._outcome(request))[0].harmless()

    def _outcome(self, request: dict[str, Any]) -> Outcome:
        name = json.dumps(request)
        if name not in self._outcomes:
            self._outcomes[name] = self._asks.run(request, self._cpu_s)
        return self._outcomes[name]

    def _tracing(self, board: Board) -> dict[str, Any]:
        asks = question(NamedBoard("", board, Facts()), self.task)
        return {**asks, "kind": "trace", "module": self.task.module}

    def _filling(self, board: Board, jumps: int) -> dict[str, Any]:
        return {"kind": "winning", "board": format_board(board), "jumps": jumps}
