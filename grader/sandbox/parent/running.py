"""The judge's child processes and the pipes to them, on Linux; see portable.py for any other system."""

import contextlib
import os
import selectors
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, ClassVar

from grader.sandbox.confine import limits
from grader.sandbox.confine.limits import Usage

if TYPE_CHECKING:
    import resource  # absent on Windows

TICK_S = 0.01  # between two looks at a child, and at what it prints
STARTING = threading.RLock()  # held while a new process is not in `Running.alive` yet
PIECE = 1 << 18  # bytes that are read at a time: more than wait in a socket
SHOWN_BYTES = 4096  # of the head of a program's output, and as many of its tail
Arrived = tuple[bool, bytes]  # whether the program printed it; b"" at the end of the stream
Wait = Callable[
    [float], Iterator[Arrived]
]  # sends what can be sent, and yields what arrives within some seconds


class Child(ABC):
    """A child process of the judge."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None  # its exit status once it is dead, negative for a signal
        self.cpu_s, self.peak_mib = 0.0, 0.0  # over its whole life, once it is dead
        self.head, self.tail = bytearray(), bytearray()  # the beginning and the end of what it has printed
        self.printed = 0  # how many bytes it printed

    @abstractmethod
    def poll(self) -> bool:
        """Reap the process if it is dead; return whether it is."""

    @abstractmethod
    def end(self) -> None:
        """Kill the process and all that it started, reap it, and close the pipes."""

    @abstractmethod
    def usage(self) -> Usage | None:
        """Return the resources that the process has used so far; None if unknown."""

    @abstractmethod
    def ask(self, question: bytes) -> AbstractContextManager[Wait]:
        """Begin to send a question; the block's value waits so many seconds and yields what arrives."""

    def take_output(self, data: bytes) -> None:
        """Keep the beginning and the end of what is printed."""
        self.printed += len(data)
        space = max(0, SHOWN_BYTES - len(self.head))
        self.head += data[:space]
        self.tail += data[space:]
        del self.tail[:-SHOWN_BYTES]


class Running(Child):
    """A child process on Linux, and the judge's ends of its pipes, all non-blocking."""

    alive: ClassVar[set[int]] = set()  # the processes of this kind that are not reaped yet

    def __init__(self, pid: int, send: int, frames: int, output: int, alone: bool = False) -> None:
        """Take over a process.

        Args:
            send: where questions go.
            frames: where answers come from; may be the same descriptor as `send`.
            output: where the text that it prints comes from.
            alone: whether its filter keeps it from starting any other process.
        """
        super().__init__(pid)
        self.send, self.frames, self.output = send, frames, output
        self._alone = alone
        Running.alive.add(pid)
        for descriptor in (send, frames, output):
            os.set_blocking(descriptor, False)

    def poll(self) -> bool:
        """Reap the process if it is dead; return whether it is."""
        if self.returncode is None:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid and not os.WIFSTOPPED(status):
                self._take_end(status, used)
        return self.returncode is not None

    def end(self) -> None:
        """Kill the process and all that it started, reap it, and close the pipes."""
        if self._alone or not limits.children(self.pid):
            self._kill()
        else:
            from grader.sandbox import portable  # imports psutil, which most runs do not need

            below = portable.descendants(self.pid)
            self._kill()
            portable.end(below)  # now, when they are children of this process
        for descriptor in {self.send, self.frames, self.output}:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.send = self.frames = self.output = -1  # these numbers may be another file's soon

    def _kill(self) -> None:
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)
            self._take_end(*_reap(self.pid))

    def _take_end(self, status: int, used: "resource.struct_rusage") -> None:
        Running.alive.discard(self.pid)
        self.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_s = used.ru_utime + used.ru_stime
        self.peak_mib = used.ru_maxrss / 1024

    def usage(self) -> Usage | None:
        """Return the resources that the process and its descendants have used so far; None if unknown."""
        used = limits.usage(self.pid)
        if self._alone or not limits.children(self.pid):
            return used
        from grader.sandbox import portable

        return portable.with_descendants(self.pid, used)

    @contextlib.contextmanager
    def ask(self, question: bytes) -> Iterator[Wait]:
        """Begin to send a question; the block's value waits so many seconds and yields what arrives."""
        with selectors.DefaultSelector() as selector:
            yield _Pipes(self, question, selector).wait


class _Pipes:
    """The pipes of a process on Linux, watched together while one question is asked."""

    def __init__(self, running: Running, question: bytes, selector: selectors.BaseSelector) -> None:
        self._running = running
        self._question = question
        self._selector = selector
        self._read_again = 0.0  # when the output is, which was read just now and is not watched until then
        wanted = {running.frames: selectors.EVENT_READ, running.output: selectors.EVENT_READ}
        if question:
            wanted[running.send] = wanted.get(running.send, 0) | selectors.EVENT_WRITE
        for descriptor, events in wanted.items():
            self._selector.register(descriptor, events)

    def wait(self, seconds: float) -> Iterator[Arrived]:
        """Send what can be sent, and yield what arrives within some seconds.

        Output arrives once in TICK_S, since a program could wake the judge with each byte; what was printed
        before an answer arrives with it, and without time to wait all that is there.
        """
        if self._read_again and (not seconds or time.monotonic() >= self._read_again):
            self._selector.register(self._running.output, selectors.EVENT_READ)
            self._read_again = 0.0
        for key, events in self._selector.select(seconds):
            if events & selectors.EVENT_WRITE:
                self._question = _send(self._running.send, self._question)
                if not self._question:
                    self._stop_sending()
            if events & selectors.EVENT_READ:
                if self._read_again and (printed := _receive(self._running.output)):
                    yield True, printed
                data = _receive(key.fd)
                if data == b"" or (data and key.fd == self._running.output):
                    self._selector.unregister(key.fd)
                if data and key.fd == self._running.output:
                    self._read_again = time.monotonic() + TICK_S
                if data is not None:
                    yield key.fd == self._running.output, data

    def _stop_sending(self) -> None:
        if self._running.send == self._running.frames:
            self._selector.modify(self._running.frames, selectors.EVENT_READ)
        else:
            self._selector.unregister(self._running.send)


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
        return os.read(descriptor, PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _reap(pid: int) -> tuple[int, "resource.struct_rusage"]:
    """Wait for a process that was killed; return its status and resource usage, as wait4(2) does.

    A process that asked to be traced, see ptrace(2), has its parent, the judge, as its tracer. The judge must
    then wait for each of its threads before the process itself is gone.
    """
    while True:
        found, status, used = os.wait4(pid, os.WNOHANG)
        if found and not os.WIFSTOPPED(status):
            return status, used
        with contextlib.suppress(OSError):  # it is gone
            for thread in {int(name) for name in os.listdir(f"/proc/{pid}/task")} - {pid}:
                with contextlib.suppress(OSError):
                    os.waitpid(thread, os.WNOHANG)
        time.sleep(0.0005)


def reap_orphans() -> None:
    """Reap the dead processes that checks left behind; those of this process's own session are not theirs."""
    with STARTING:
        for pid in limits.children(os.getpid()):
            with contextlib.suppress(OSError):
                if pid not in Running.alive and os.getsid(pid) != os.getsid(0):
                    os.waitpid(pid, os.WNOHANG)
