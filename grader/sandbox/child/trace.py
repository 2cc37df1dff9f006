"""Run a search as plain Python and note what it does: its calls, the cells it sets, its table and its stack.

    {"kind": "trace", "module", "board", "table", "arguments"}
    -> {"number", "functions", "calls", "events", "board", "error"}

An event is four whole numbers: its kind, two that the kind gives a meaning, and the line of the task's own
file that led to it. A key or a move of more than 64 bits is noted as 0. A call during which
nothing was noted, of a function that was not open already, is only counted, in `calls`.

    SET      0 for the board that was given, 1 for a part of it, 2 for another array; what, see `number_of`
    LOOKED   2 if the key was found, else 0; add 1 if it is the table that was given; the key
    PUT      1 if it is the table that was given, else 0; the key
    PUSHED   0; the move
    POPPED   0; 0
    CALLED   the function's number in `functions`; the pegs of the board that it was given, each as the bit
             8 * row + col; -1 if it was given none
    LEFT     the function's number; what it returned; NOTHING if that was no number
"""

import inspect
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any

from grader.sandbox.child import whose
from grader.sandbox.child.plain_run import Enough, PlainRun, is_board, number_of, pegs_of

SET, LOOKED, PUT, PUSHED, POPPED, CALLED, LEFT = range(7)
FIELDS = 4
MOST_EVENTS = 15_000
NOTHING = -(2**62)


class Recorder:
    """Notes events."""

    def __init__(self, module: str, framework: dict[CodeType, Callable[[FrameType, Any], None]]) -> None:
        """Prepare the recorder.

        Args:
            framework: what to call when a function of the framework that a student's function called ends.
        """
        self.events: list[int] = []  # four numbers each
        self.functions: dict[CodeType, int] = {}  # the student's, in the order of their calls, by number
        self.calls = Counter[int]()  # how many times each was called
        self.table: Any = None  # the table that the program was given, if any
        self._own = f"{module}.py"
        self._of_own: dict[CodeType, bool] = {}  # kept, since Python asks about each call of anything
        self._not_students = set[CodeType]()
        self._framework = framework
        self._open = Counter[int]()
        self._begun: list[int] = []  # of each open call, how long `events` was then

    def note(self, kind: int, first: int, second: Any, frame: FrameType | None) -> None:
        """Note an event that a frame led to; raise Enough if there are too many of them."""
        if len(self.events) >= FIELDS * MOST_EVENTS:
            raise Enough
        number = int(second)
        self.events += (kind, first, number if -(2**63) <= number < 2**64 else 0, self._line(frame))

    def _line(self, frame: FrameType | None) -> int:
        """Return the line of the task's own file, in a frame or nearest above it; 0 if there is none."""
        while frame is not None:
            code = frame.f_code
            is_own = self._of_own.get(code)
            if is_own is None:
                file = code.co_filename
                is_own = self._of_own[code] = whose.is_students(file) and whose.short(file) == self._own
            if is_own:
                return frame.f_lineno or 0
            frame = frame.f_back
        return 0

    def profile(self, frame: FrameType, what: str, value: Any) -> None:
        """Note a call or its end; Python calls this for each."""
        code = frame.f_code
        if what == "return":
            if code in self.functions:
                self._end(self.functions[code], value, frame)
            elif code in self._framework and self._called_by_student(frame):
                self._framework[code](frame, value)
        elif what == "call" and code not in self._not_students:
            if code in self.functions or whose.is_students(code.co_filename):
                self._begin(self.functions.setdefault(code, len(self.functions)), code, frame)
            else:
                self._not_students.add(code)

    def _begin(self, number: int, code: CodeType, frame: FrameType) -> None:
        self.calls[number] += 1
        self._open[number] += 1
        values = frame.f_locals  # a copy, each time
        board = next(filter(is_board, map(values.get, code.co_varnames[: code.co_argcount])), None)
        self.note(CALLED, number, -1 if board is None else pegs_of(board) or -1, frame.f_back)
        self._begun.append(len(self.events))

    def _end(self, number: int, value: Any, frame: FrameType) -> None:
        self._open[number] -= 1
        begun = self._begun.pop()
        if begun == len(self.events) and not self._open[number]:
            del self.events[begun - FIELDS :]  # it only looked at something, as most calls do
        else:
            self.note(LEFT, number, value if _is_number(value) else NOTHING, frame)

    def _called_by_student(self, frame: FrameType) -> bool:
        """Return whether a function of the framework was not called by another one of those noted."""
        above = frame.f_back
        while above is not None and not whose.is_students(above.f_code.co_filename):
            if above.f_code in self._framework:
                return False
            above = above.f_back
        return above is not None


def trace(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return what `peg_solve` answered on a board, the events on the way, and the board after it."""
    from framework import hash_table, stack

    def looked(frame: FrameType, found: Any) -> None:
        own = frame.f_locals["table"] is recorder.table
        recorder.note(LOOKED, 2 * bool(found) + own, frame.f_locals["key"], frame)

    def put(frame: FrameType, nothing: Any) -> None:
        recorder.note(PUT, int(frame.f_locals["table"] is recorder.table), frame.f_locals["key"], frame)

    def pushed(frame: FrameType, nothing: Any) -> None:
        recorder.note(PUSHED, 0, frame.f_locals["item"], frame)

    def popped(frame: FrameType, item: Any) -> None:
        recorder.note(POPPED, 0, 0, frame)

    noted = {"ht_lookup": looked, "ht_insert": put, "push": pushed, "pop": popped}
    codes: dict[CodeType, Callable[[FrameType, Any], None]] = {
        inspect.unwrap(getattr(hash_table if name.startswith("ht") else stack, name)).__code__: note
        for name, note in noted.items()
    }
    recorder = Recorder(request["module"], codes)
    run = PlainRun(
        request,
        module,
        lambda what, *set_to: recorder.note(SET, what, number_of(*set_to[:3]), sys._getframe(2)),
    )
    recorder.table = run.tables[0] if run.tables else None
    sys.setprofile(recorder.profile)
    try:
        run.run()
    finally:
        sys.setprofile(None)
    return {
        **run.said(),
        "functions": [f"{whose.short(code.co_filename)} {code.co_name}" for code in recorder.functions],
        "calls": [recorder.calls[number] for number in range(len(recorder.functions))],
        "events": recorder.events,
    }


def _is_number(value: object) -> bool:
    return type(value) in (int, bool) and -(2**63) <= int(value) < 2**63  # type: ignore[call-overload]
