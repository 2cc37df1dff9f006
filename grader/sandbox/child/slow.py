"""Report where a plain Python program that takes too long is running, just before it is stopped.

The judge stops it in any case and measures for itself; what is reported here is only for display.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from grader.sandbox.child import describe, whose

TICK_S = 0.1
FIRST_LOOK = 0.4  # share of the time until the second look, after which the calls are first sampled
MARGIN_S = 0.2  # before the limit: the second look, to report in time

_leave = os._exit  # saved now, since the student's code may replace it

Send = Callable[[dict[str, Any]], None]


@contextlib.contextmanager
def reports_when_slow(cpu_s: float, send: Send, importing: bool = False) -> Iterator[None]:
    """End the process shortly before the block has computed for `cpu_s` seconds, and report where it is.

    The call stack is sampled twice: the innermost call of the student's code that is running both times is
    the one that does not end. Compiled code cannot be sampled; it runs into the judge's limit.

    Args:
        cpu_s: the judge's limit, in CPU seconds from now on.
        send: sends a failure to the judge.
        importing: whether the block imports the student's files.
    """
    if cpu_s <= MARGIN_S or not hasattr(signal, "setitimer"):
        yield
        return
    started = time.process_time()
    looked: list[tuple[float, list[FrameType]]] = []

    def look(_signal: int, frame: FrameType | None) -> None:
        spent_s = time.process_time() - started
        if not looked and spent_s >= FIRST_LOOK * (cpu_s - MARGIN_S):
            looked.append((spent_s, whose.students_calls(frame)))
        if spent_s < cpu_s - MARGIN_S:
            return
        first_s, calls = looked[0]
        try:
            failure = describe.describe_slow(calls, whose.students_calls(frame), spent_s - first_s, importing)
        except BaseException:  # a value made to be hard to describe
            failure = {**describe.undescribed(TimeoutError()), "failure": describe.slow_kind(importing)}
        send(failure)
        _leave(0)  # no `except` of the student's comes in between

    signal.signal(signal.SIGPROF, look)
    signal.siginterrupt(signal.SIGPROF, False)  # so that no library needs to handle interrupted calls
    signal.setitimer(signal.ITIMER_PROF, TICK_S, TICK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
