"""Exchange one question and one answer with a child, within limits; measure, kill and reap it."""

import contextlib
import os
import selectors
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from grader.sandbox.confine import limits
from grader.sandbox.confine.limits import CLOSE_RUN, Limits, Usage
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.gatekeeper import Gatekeeper

if TYPE_CHECKING:
    import resource  # absent on Windows

TICK_S = 0.01
SHOWN_BYTES = 4096  # of the head of a program's output, and as many of its tail
ANSWER_BYTES = 4 << 20  # the largest answer: the client's keys and hashes of 50,000 boards

OverLimit = Callable[[Outcome, Usage | None], End | None]


@dataclass
class Running:
    """A child process and the judge's ends of its pipes, all non-blocking.

    Attributes:
        pid: the process, which is the judge's own child.
        send: where questions go.
        frames: where answers come from; may be the same descriptor as `send`.
        output: where the text that it prints comes from.
        returncode: its exit status once it is dead, negative for a signal.
        cpu_s, peak_mib: CPU seconds and peak memory over its whole life, once it is dead.
        head, tail: the beginning and the end of what it has printed so far.
        printed: how many bytes it printed.
        gatekeeper: decides about the system calls that its filter refers to the judge, if it has a filter.
        known: all processes of this kind that are not yet reaped.
        ending: the processes that are just being reaped, which are no longer in `known`.
    """

    pid: int
    send: int
    frames: int
    output: int
    returncode: int | None = None
    cpu_s: float = 0.0
    peak_mib: float = 0.0
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    printed: int = 0
    gatekeeper: Gatekeeper | None = None
    known: ClassVar[set[int]] = set()
    ending: ClassVar[set[int]] = set()

    def __post_init__(self) -> None:
        Running.known.add(self.pid)
        for descriptor in (self.send, self.frames, self.output):
            os.set_blocking(descriptor, False)

    def poll(self) -> bool:
        """Reap the process if it is dead; return whether it is."""
        if self.returncode is None:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid and not os.WIFSTOPPED(status):
                Running.known.discard(self.pid)
                self._take_end(status, used)
        return self.returncode is not None

    def end(self) -> None:
        """Kill the process, its descendants and its process group, reap it, and close the pipes."""
        below = list(limits.descendants(self.pid)) if sys.platform.startswith("linux") else []
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: a group of zombies
                os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
                Running.ending.add(self.pid)
                Running.known.discard(self.pid)  # before its id can be reused
                self._take_end(*reap(self.pid))
        Running.ending.discard(self.pid)
        for pid in sorted(below):  # parents first, so that each is the judge's child when it is reaped
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                reap(pid)
        if self.gatekeeper is not None:
            self.gatekeeper.close()
        for descriptor in {self.send, self.frames, self.output}:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _take_end(self, status: int, used: "resource.struct_rusage") -> None:
        self.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_s = used.ru_utime + used.ru_stime
        self.peak_mib = used.ru_maxrss / (1024 if sys.platform != "darwin" else limits.MIB)

    def take_output(self, data: bytes) -> None:
        """Keep the beginning and the end of what is printed."""
        self.printed += len(data)
        space = max(0, SHOWN_BYTES - len(self.head))
        self.head += data[:space]
        self.tail += data[space:]
        del self.tail[:-SHOWN_BYTES]


def strangers() -> set[int]:
    """Return the judge's children that are neither `known` nor `ending`; call it only while nothing forks."""
    spared = Running.known | Running.ending  # also those reaped during this call
    return set(limits.children(os.getpid())) - spared - Running.known - Running.ending


def reap(pid: int) -> tuple[int, "resource.struct_rusage"]:
    """Wait for a process that was killed; return its status and resource usage, as wait4(2) does.

    A process that asked to be traced, see ptrace(2), has its parent, the judge, as its tracer. The judge must
    then wait for each of its threads before the process itself is gone.
    """
    while True:
        found, status, used = os.wait4(pid, os.WNOHANG)
        if found and not os.WIFSTOPPED(status):
            return status, used
        for thread in {int(path.name) for path in Path(f"/proc/{pid}/task").glob("*")} - {pid}:
            with contextlib.suppress(OSError):
                os.waitpid(thread, os.WNOHANG)
        time.sleep(0.0005)


def exchange(
    running: Running, question: bytes, over_limit: OverLimit, stop: threading.Event, whole: bool = False
) -> Outcome:
    """Send the line `question`, and wait for a one-line answer or for the child's end.

    Times are measured from the call. The child is left running, whatever the outcome. Unless it answered
    within its limits, the caller must end it.

    Args:
        running: the child.
        question: what to send.
        over_limit: returns which limit the running child has exceeded, if any.
        stop: ends the wait immediately when it is set.
        whole: whether CPU time counts from the child's start, not from the call.
    """
    outcome = Outcome()
    frames = bytearray()
    started = time.monotonic()
    used = limits.usage(running.pid)
    cpu_before = used.cpu_s if used and not whole else 0.0
    waited_before, waited_s = used.waited_s if used else 0.0, 0.0
    with selectors.DefaultSelector() as selector:
        _listen(selector, running, bool(question))
        while True:
            dead = running.poll()  # polled before reading, so that nothing it sent is missed
            received = False
            for key, events in selector.select(0 if dead else TICK_S):
                if events & selectors.EVENT_WRITE:
                    question = _send(running.send, question)
                    if not question:
                        _stop_sending(selector, running)
                if events & selectors.EVENT_READ:
                    data = _receive(key.fd)
                    received = received or bool(data)
                    if data == b"":
                        selector.unregister(key.fd)
                    elif data and key.fd == running.output:
                        running.take_output(data)
                    elif data:
                        frames += data
            used = None if dead else limits.usage(running.pid)
            if used is not None:
                waited_s = used.waited_s - waited_before
                outcome.cpu_s = used.cpu_s - cpu_before
                outcome.peak_mib = max(outcome.peak_mib, used.peak_mib)
            elif dead:
                outcome.cpu_s = max(outcome.cpu_s, running.cpu_s - cpu_before)
                outcome.peak_mib = max(outcome.peak_mib, running.peak_mib)
            # What it waited for may have begun before this call, so the time that is left has a lower bound.
            outcome.wall_s = max(outcome.cpu_s, time.monotonic() - started - waited_s)
            if dead and received:
                continue  # there may be more to read
            end = _end_of(outcome, bytes(frames), running, used, over_limit)
            if end is None and stop.is_set():
                end = End.STOPPED
            if end is not None:
                outcome.end, outcome.returncode = end, running.returncode
                outcome.head, outcome.tail = bytes(running.head), bytes(running.tail)
                return outcome


def _end_of(
    outcome: Outcome, frames: bytes, running: Running, used: Usage | None, over_limit: OverLimit
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
        killed = running.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return (over_limit(outcome, None) if killed else None) or End.DIED
    return over_limit(outcome, used)


def _listen(selector: selectors.BaseSelector, running: Running, asking: bool) -> None:
    wanted = {running.frames: selectors.EVENT_READ, running.output: selectors.EVENT_READ}
    if asking:
        wanted[running.send] = wanted.get(running.send, 0) | selectors.EVENT_WRITE
    for descriptor, events in wanted.items():
        selector.register(descriptor, events)


def _stop_sending(selector: selectors.BaseSelector, running: Running) -> None:
    if running.send == running.frames:
        selector.modify(running.frames, selectors.EVENT_READ)
    else:
        selector.unregister(running.send)


def _send(descriptor: int, data: bytes) -> bytes:
    """Send what the pipe accepts and return the rest; empty if the child has closed the pipe."""
    try:
        return data[os.write(descriptor, data) :]
    except BlockingIOError:
        return data
    except OSError:
        return b""


def _receive(descriptor: int) -> bytes | None:
    """Return what has arrived: b"" at the end of the stream, None when there is nothing yet."""
    try:
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def check_limit(most: Limits) -> OverLimit:
    """Return a function that watches a check's limits; a close run (CLOSE_RUN) may exceed its CPU limit."""

    def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
        if used is not None and used.resident_mib > most.memory_mib:
            return End.MEMORY_LIMIT
        stopped_by_system = used is None and outcome.cpu_s > most.cpu_s
        if outcome.cpu_s > most.cpu_s * CLOSE_RUN or stopped_by_system:
            return End.CPU_LIMIT
        return End.WALL_LIMIT if outcome.wall_s > most.wall_s else None

    return over_limit


def prepare_limit(most: Limits) -> OverLimit:
    """Return a function that watches the limits of importing."""
    by_check = check_limit(most)

    def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
        passed = by_check(outcome, used)
        return End.PREPARE_LIMIT if passed in (End.CPU_LIMIT, End.WALL_LIMIT) else passed

    return over_limit
