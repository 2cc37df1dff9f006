"""Record a search as it runs as plain Python, see film_notes.py for what is recorded."""

import base64
import inspect
import os
import signal
import sys
import time
import zlib
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.film_notes import Enough, Notes
from grader.sandbox.child.recursion import classes_of, functions_of, recursive
from grader.sandbox.child.whose import is_students

TICK_S = 0.05

_leave = os._exit  # saved now, since the student's code may replace it


def film(
    request: dict[str, Any],
    module: ModuleType,
    client: Any,
    tell: Callable[[dict[str, Any]], Any],
    taken_apart: Callable[[int, Any], list[int]],
) -> dict[str, Any]:
    """Run `peg_solve` on a board and return what was recorded, however the program ended.

    Args:
        request: the question; `film_s` is the time in CPU seconds after which recording ends.
        module: the task's own module.
        client: the client's.
        tell: sends an answer at once, for a program that goes on when it is ended.
        taken_apart: returns the four numbers of a move.
    """
    from framework import board, hash_table, stack

    noted = Notes(request["board"])
    note_functions(noted)
    moves = stack.stack_new()
    tables = [hash_table.ht_new(1)] * request["table"]
    for table in tables:
        noted.take(table)
    said: dict[str, Any] = {"number": None, "error": None}

    def jumps() -> list[list[int]]:
        items = moves.items[: int(moves.size[0])][: -(board.SIZE**2) - 1 : -1].tolist()
        try:
            return [taken_apart(move, client) for move in items]
        except Exception:  # moves that cannot be read are no solution
            return []

    def frame() -> dict[str, Any]:
        packed = base64.b64encode(zlib.compress(bytes(noted.events), 6)).decode()
        counts = {"calls": noted.calls, "others": noted.others}
        return {**said, **counts, "film": packed, "ended": noted.ended, "jumps": jumps()}

    try:
        with _limited(noted, request["film_s"], lambda: tell(frame())):
            answer = module.peg_solve(noted.board, moves, *tables, *request["arguments"])
        said["number"] = int(answer) if isinstance(answer, (int, bool)) else None
    except Enough:
        pass
    except BaseException as found:
        said["error"] = describe.describe_failure(found, importing=False)
    return frame()


class _limited:
    """Ends a program when its time is up; if it goes on, sends what there is and ends the process."""

    def __init__(self, noted: Notes, cpu_s: float, send: Callable[[], Any]) -> None:
        self._noted, self._send = noted, send
        self._end_s = time.process_time() + cpu_s
        self._can = hasattr(signal, "setitimer")

    def __enter__(self) -> None:
        if self._can:
            signal.signal(signal.SIGPROF, self._look)
            signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)

    def __exit__(self, *_: object) -> None:
        self._end_s = float("inf")
        if self._can:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        if time.process_time() < self._end_s:
            return
        if self._noted.ended:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._send()
            _leave(0)
        self._noted.end("time")


def note_functions(noted: Notes) -> None:
    """Have the student's functions and those of the table note what they do, without contracts."""
    from framework import hash_table

    own = [each for each in list(sys.modules.values()) if is_students(getattr(each, "__file__", None))]
    ours = [each for name, each in list(sys.modules.items()) if name.startswith("framework.") and each]
    for module in (*own, *ours):
        for name, value in list(vars(module).items()):
            if inspect.isroutine(value) or hasattr(value, "py_func"):
                setattr(module, name, inspect.unwrap(value))
    kept = dict(vars(hash_table))  # the table's own functions go on calling one another unnoted
    changed: dict[Any, Any] = {}
    for name, make in (("ht_lookup", noted.ht_lookup), ("ht_insert", noted.ht_insert)):
        function = kept[name]
        changed[function] = make(FunctionType(function.__code__, kept, name))
    functions = {each: None for module in own for each in functions_of(module)}
    for each in recursive(list(functions)):
        changed[each] = noted.search(each)
    for each in functions:
        if each.__name__ == "board_key" and each not in changed:
            changed[each] = noted.board_key(each)
    places = [*own, hash_table, *(each for module in own for each in classes_of(module))]
    for place in places:
        for name, value in list(vars(place).items()):
            if isinstance(value, FunctionType) and value in changed:
                setattr(place, name, changed[value])
