"""Record a search as it runs as plain Python, see film_notes.py for what is recorded."""

import base64
import contextlib
import os
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType, ModuleType
from typing import Any

from grader.sandbox.child.film_notes import Notes
from grader.sandbox.child.plain_run import Enough, PlainRun
from grader.sandbox.child.recursion import classes_of, decorate_inside, functions_of, recursive
from grader.sandbox.child.whose import is_students

TICK_S = 0.05
MAX_JUMPS = 64  # a board of 64 cells has fewer

_leave = os._exit  # saved now, since the student's code may replace it


def film(
    request: dict[str, Any],
    module: ModuleType,
    client: Any,
    tell: Callable[[dict[str, Any]], Any],
    meaning: Callable[[int, Any], list[int]],
) -> dict[str, Any]:
    """Run `peg_solve` on a board and return what was recorded, however the program ended.

    Args:
        request: its `film_s` is the time in CPU seconds after which recording ends.
        tell: sends an answer at once, for a program that goes on when it is ended.
        meaning: returns the four numbers of a move.
    """
    noted = Notes()
    run = PlainRun(request, module, noted.cell_set)
    noted.begin(run)
    note_functions(noted)

    def decoded(moves: list[int]) -> list[list[int]]:
        try:
            return [meaning(move, client) for move in moves]
        except Exception:  # moves that cannot be read are no solution
            return []

    def frame() -> dict[str, Any]:
        size = int(run.moves.size[0])
        return {
            "number": run.number,
            "error": run.error,
            "calls": noted.calls,
            "others": noted.others,
            "film": base64.b64encode(zlib.compress(bytes(noted.events), 6)).decode(),
            "ended": noted.ended,
            "jumps": decoded(run.moves.items[:size][: -MAX_JUMPS - 1 : -1].tolist()),
            "pushed": decoded(list(noted.moves)),
        }

    # The time may also be up just before it is no longer looked at.
    with contextlib.suppress(Enough), _limited(noted, request["film_s"], lambda: tell(frame())):
        run.run(BaseException)
    return frame()


@contextlib.contextmanager
def _limited(noted: Notes, cpu_s: float, send: Callable[[], Any]) -> Iterator[None]:
    """End the program when its time is up; if it goes on, send what there is and end the process."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    end_s = time.process_time() + cpu_s

    def look(_signal: int, _frame: FrameType | None) -> None:
        if time.process_time() < end_s:
            return
        if noted.ended:
            signal.setitimer(signal.ITIMER_PROF, 0)
            send()
            _leave(0)
        noted.end("time")

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)
    try:
        yield
    finally:
        end_s = float("inf")
        signal.setitimer(signal.ITIMER_PROF, 0)


def note_functions(noted: Notes) -> None:
    """Have the student's functions and those of the table and the stack note what they do."""
    from framework import hash_table, stack

    own = [each for each in list(sys.modules.values()) if is_students(getattr(each, "__file__", None))]
    kept = dict(vars(hash_table))  # the table's own functions go on calling one another unnoted
    lookup, insert = (FunctionType(kept[name].__code__, kept, name) for name in ("ht_lookup", "ht_insert"))
    changed: dict[Any, Any] = {
        hash_table.ht_lookup: noted.after(lookup, noted.looked_up),
        hash_table.ht_insert: noted.inserting(insert),
        stack.push: noted.after(stack.push, noted.pushed),
        stack.pop: noted.after(stack.pop, noted.popped),
    }
    functions = {each: None for module in own for each in functions_of(module)}
    for each in recursive(list(functions)):
        changed[each] = noted.search(each)
    for each in functions:
        decorate_inside(each, noted.search)
        if each.__name__ == "board_key" and each not in changed:
            changed[each] = noted.after(each, noted.key_made)
    places = [*own, hash_table, stack, *(each for module in own for each in classes_of(module))]
    for place in places:
        for name, value in list(vars(place).items()):
            if isinstance(value, FunctionType) and value in changed:
                setattr(place, name, changed[value])
