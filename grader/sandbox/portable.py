"""Runs student code where it can be limited but not confined: on macOS and Windows, and below tier 2.

This is so that students can work there. It is no safety: a program can start processes, and what it started
is measured and ended, by psutil, as far as it can be found. A thread reads each pipe of a child, since pipes
cannot be watched together everywhere.
"""

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psutil

from grader.sandbox.confine.limits import MIB, Usage
from grader.sandbox.parent.running import Arrived, Child, Wait

END_S = 5.0  # for killed processes to be gone
MOST_WAITING = 64  # pieces that were read and not yet taken
LAST_S = 1.0  # for what a dead process sent to be read; a process that it left may hold the pipe open


class PortableChild(Child):
    """A child process whose pipes are read by threads."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__(process.pid)
        self._process = process
        # what these threads have read; a flood has to wait, as in a pipe
        self._arrived: queue.Queue[Arrived] = queue.Queue(MOST_WAITING)
        self._open = 2  # how many of its pipes have not ended
        self._ended = False
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._stdin = process.stdin
        for printed, stream in ((False, process.stdout), (True, process.stderr)):
            threading.Thread(target=self._read, args=(stream, printed), daemon=True).start()

    def _read(self, stream: IO[bytes], printed: bool) -> None:
        data = b"-"
        with stream:
            while data:
                try:
                    data = os.read(stream.fileno(), 1 << 16)
                except OSError:
                    data = b""
                while not self._ended:
                    with contextlib.suppress(queue.Full):
                        self._arrived.put((printed, data), timeout=END_S)
                        break

    def poll(self) -> bool:
        """Return whether the process is dead."""
        self.returncode = self._process.poll()
        return self.returncode is not None

    def end(self) -> None:
        """Kill the process and what it started, and wait until it is gone."""
        self._ended = True
        below = descendants(self.pid) if self._process.poll() is None else []
        self._process.kill()
        end(below)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.returncode = self._process.wait(END_S)
        with contextlib.suppress(OSError):
            self._stdin.close()  # its other pipes end, and with them the threads that read them

    def usage(self) -> Usage | None:
        """Return the resources that the process and its descendants have used so far; None if unknown."""
        used = with_descendants(self.pid, usage(self.pid))
        if used is not None:
            self.cpu_s, self.peak_mib = used.cpu_s, max(self.peak_mib, used.peak_mib)
        return used

    @contextlib.contextmanager
    def ask(self, question: bytes) -> Iterator[Wait]:
        """Begin to send a question; the block's value waits so many seconds and yields what arrives."""
        threading.Thread(target=self._send, args=(question,), daemon=True).start()
        yield self._wait  # the threads read on, since another question may follow

    def _send(self, question: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # it is dead, or was ended meanwhile
            while question:
                question = question[os.write(self._stdin.fileno(), question) :]

    def _wait(self, seconds: float) -> Iterator[Arrived]:
        """Yield what arrives within some seconds; from a dead process, all that it sent."""
        dead = self.returncode is not None
        end = time.monotonic() + (LAST_S if dead else seconds)
        with contextlib.suppress(queue.Empty):
            for _ in range(MOST_WAITING):
                if self._open == 0:
                    break
                printed, data = self._arrived.get(timeout=max(0.0, end - time.monotonic()))
                self._open -= data == b""
                yield printed, data
                if not dead:
                    end = 0.0  # from here on only what has arrived already
        if self._open == 0 and not dead:  # it has closed its pipes and is still there
            time.sleep(seconds)


# ---- any process ---------------------------------------------------------------------------------


def usage(pid: int) -> Usage | None:
    """Return the resources that a running process has used so far; None if unknown."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            times, memory = process.cpu_times(), process.memory_info()
    except psutil.Error:
        return None
    peak = getattr(memory, "peak_wset", memory.rss)  # only Windows keeps it
    return Usage(times.user + times.system, memory.rss / MIB, peak / MIB, 0.0)


def with_descendants(pid: int, used: Usage | None) -> Usage | None:
    """Add what the descendants of a process use to what the process itself uses."""
    for each in descendants(pid) if used is not None else ():
        its = usage(each.pid)
        if used is not None and its is not None:
            resident = used.resident_mib + its.resident_mib
            used = Usage(used.cpu_s + its.cpu_s, resident, max(used.peak_mib, resident), used.waited_s)
    return used


def descendants(pid: int) -> list[psutil.Process]:
    """Return the processes that `pid` and its children started, except those whose parent is dead."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def below(home: Path) -> list[psutil.Process]:
    """Return the processes whose home, in their environment, is or was below a folder."""
    found = []
    try:
        listed = list(psutil.process_iter())
    except IndexError:  # in a container whose /proc is empty none can be seen
        return []
    for each in listed:
        with contextlib.suppress(psutil.Error, OSError):
            if home in Path(each.environ().get("HOME", "")).parents:
                found.append(each)
    return found


def end(processes: list[psutil.Process]) -> None:
    """Kill processes and wait until they are gone."""
    for each in processes:
        with contextlib.suppress(psutil.Error):
            each.kill()
    psutil.wait_procs(processes, END_S)
