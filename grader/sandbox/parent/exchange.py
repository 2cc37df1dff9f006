"""Exchange one question and one answer with a child, within limits, and measure what the child uses."""

import signal
import threading
import time
from collections.abc import Callable

from grader.result import waited
from grader.sandbox.asking import End, Outcome
from grader.sandbox.confine import limits
from grader.sandbox.confine.limits import CLOSE_RUN, Limits, Usage
from grader.sandbox.parent.running import TICK_S, Child

PAUSE_S = 2.0  # since the last look, many times TICK_S
ANSWER_BYTES = 4 << 20  # the largest answer: the client's keys and hashes of 50,000 boards
# How the system itself ends a process at a limit; Windows has no such signals.
STOPPED = [-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name)]

OverLimit = Callable[[Outcome, Usage | None], End | None]


def exchange(running: Child, question: bytes, over_limit: OverLimit, stop: threading.Event) -> Outcome:
    """Send the line `question`, and wait for a one-line answer or for the child's end.

    Times are measured from the call. The child is left running, whatever the outcome. Unless it answered
    within its limits, the caller must end it.

    Args:
        running: the child.
        question: what to send.
        over_limit: returns which limit the running child has exceeded, if any.
        stop: ends the wait immediately when it is set.
    """
    outcome = Outcome()
    frames = bytearray()
    started = time.monotonic()
    look_again = started
    own_wait_s = limits.own_wait_s()
    used = running.usage()
    cpu_before = used.cpu_s if used else 0.0
    waited_before, waited_s = used.waited_s if used else 0.0, 0.0
    passed, paused_s = started, 0.0
    with running.ask(question) as wait:
        while True:
            dead = running.poll()  # polled before reading, so that nothing it sent is missed
            received = ended = False
            for printed, data in wait(0 if dead else TICK_S):
                received = received or bool(data)
                if printed:
                    running.take_output(data)
                else:
                    frames += data
                    ended = ended or b"\n" in data
            now = time.monotonic()
            # The judge was stopped, or all was, as by Ctrl-Z or `docker pause`.
            paused_s += now - passed if now - passed > PAUSE_S else 0.0
            passed = now
            if not (dead or ended or stop.is_set()) and now < look_again:
                continue  # a look costs more than a byte that wakes this loop
            look_again = now + TICK_S
            used = None if dead else running.usage()
            if used is not None:
                waited_s = used.waited_s - waited_before
                outcome.cpu_s = used.cpu_s - cpu_before
                outcome.peak_mib = max(outcome.peak_mib, used.peak_mib)
            elif dead:
                outcome.cpu_s = max(outcome.cpu_s, running.cpu_s - cpu_before)
                outcome.peak_mib = max(outcome.peak_mib, running.peak_mib)
            # What it waited for may have begun before this call, so the time that is left has a lower bound.
            outcome.wall_s = max(outcome.cpu_s, now - started - waited_s - paused_s)
            if dead and received:
                continue  # there may be more to read
            end = _end_of(outcome, bytes(frames), running, used, over_limit)
            if end is None and stop.is_set():
                end = End.STOPPED
            if end is not None:
                outcome.end, outcome.returncode = end, running.returncode
                # An answer may wait for the judge, and the judge for a core.
                seen_s = outcome.wall_s - (limits.own_wait_s() - own_wait_s)
                if limits.TELLS_WAITS and waited(outcome.cpu_s, seen_s):
                    outcome.idle_s = seen_s - outcome.cpu_s
                outcome.head, outcome.tail = bytes(running.head), bytes(running.tail)
                return outcome


def _end_of(
    outcome: Outcome, frames: bytes, running: Child, used: Usage | None, over_limit: OverLimit
) -> End | None:
    """Return how the exchange has ended, or None if it has not."""
    answer, newline, rest = frames.partition(b"\n")
    if newline:
        outcome.frame = answer
        if rest:
            return End.BAD_FRAME
        return (over_limit(outcome, used) if used is not None else None) or End.ANSWERED
    if len(frames) > ANSWER_BYTES:
        return End.BAD_FRAME
    if running.printed > limits.OUTPUT_BYTES:
        return End.OUTPUT_LIMIT
    if running.returncode is not None:
        # The hard CPU limit kills a child that the watch below missed, which is no ordinary death.
        return (over_limit(outcome, None) if running.returncode in STOPPED else None) or End.DIED
    return over_limit(outcome, used)


def check_limit(most: Limits, importing: bool = False) -> OverLimit:
    """Return a function that watches a check's limits, or those of importing.

    A run may take CLOSE_RUN times its CPU limit.
    """

    def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
        if used is not None and used.resident_mib > most.memory_mib:
            return End.MEMORY_LIMIT
        stopped_by_system = used is None and outcome.cpu_s > most.cpu_s
        if outcome.cpu_s > most.cpu_s * CLOSE_RUN or stopped_by_system:
            return End.PREPARE_LIMIT if importing else End.CPU_LIMIT
        if outcome.wall_s > most.wall_s:
            return End.PREPARE_LIMIT if importing else End.WALL_LIMIT
        return None

    return over_limit
