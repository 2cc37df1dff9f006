"""A process that has loaded one submission and forks a child for each check."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from grader.sandbox.confine import limits
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.forks import Forker, ForkFault
from grader.sandbox.parent.running import Running, strangers
from grader.sandbox.parent.strays import end_all

IDLE_CPU_S, FORK_CPU_S = 1.0, 0.1  # CPU seconds a template may use after loading, and for each fork
LOOK_S = 0.2  # seconds without a new fork after which the template's processes are checked
SETTLE_S = 5.0  # for a template to close what it was given, and to stop; it takes a millisecond


class HoldsFiles(Exception):
    """A fork has more files open than it was given."""


class Template(Forker):
    """A process that has loaded student code, and is not trusted.

    It must do nothing but fork. Otherwise a thread or timer that the student's file left behind could compute
    between checks, and the time would be charged to none of them. So the template is stopped except while it
    forks, and watched while it does.
    """

    def __init__(
        self,
        running: Running,
        control: socket.socket,
        memory_mib: int,
        sessions: set[int],
        stop: threading.Event,
    ) -> None:
        """Take over a process that has loaded its submission and listens to `control`.

        Args:
            running, control, stop: as for `Forker`.
            memory_mib: the limit on its resident memory.
            sessions: collects the ids of its forks, each of which may have begun a session.
        """
        super().__init__(running, control, stop)
        self._memory_mib = memory_mib
        self._sessions = sessions
        self._asked = 0.0
        self._closed = False
        os.kill(running.pid, signal.SIGSTOP)
        self._own = {*_open_files(running.pid)}
        used = limits.usage(running.pid)
        self._cpu_s = IDLE_CPU_S + (used.cpu_s if used is not None else 0.0)

    _fork_s = 5.0  # less than for a zygote, since meanwhile no other submission's template can fork

    def _let_fork(self, may_fork: bool) -> None:
        super()._let_fork(may_fork)
        self._asked = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.running.pid, signal.SIGCONT if may_fork else signal.SIGSTOP)

    def _watch(self) -> None:
        alone = limits.usage_of_one(self.running.pid)
        used = limits.with_descendants(self.running.pid, alone)
        # A fork shares the template's memory until one of them changes it: do not count that memory twice.
        if alone is not None and alone.resident_mib > self._memory_mib:
            os.kill(self.running.pid, signal.SIGKILL)
        computes = used is not None and used.cpu_s > self._cpu_s
        if time.monotonic() - self._asked > LOOK_S:  # no new fork: what are its processes doing?
            for pid in self._others():
                its = limits.usage_of_one(pid)
                much = its is not None and its.resident_mib > self._memory_mib
                computes = computes or much or (its is not None and its.cpu_s > IDLE_CPU_S)
        if computes:
            raise ForkFault("it computes and does not fork")

    def _others(self) -> list[int]:
        """Return the judge's children from this template that are not checks; they share its session."""
        found = []
        for pid in strangers():
            with contextlib.suppress(OSError):
                if os.getsid(pid) == self.running.pid:
                    found.append(pid)
        return found

    def _settle(self) -> None:
        """Wait until the template has nothing open but what it had before its first fork; see `_look_at`.

        Raises:
            ForkFault: it keeps more.
        """
        self._until(self._holds_only_its_own)

    def _look_at(self, started: Running, channel: int, output: int) -> None:
        """Refuse a fork that has anything open but /dev/null, its output and its channel.

        Anything else would be shared with the forks before and after it. A position in a file, or bytes left
        in a socket, would then be a message to the next fork. Nor may the template have kept anything of the
        fork's: it could read its question, and answer in its place. It is looked at again now that it has
        stopped, since a thread may move descriptors about while they are looked at. Once it has lost a
        descriptor it cannot get it back: no socket is opened by its name.

        Raises:
            HoldsFiles: the fork has more open.
            ForkFault: the template keeps more, or does not stop.
        """
        self._sessions.add(started.pid)
        given = [os.devnull, *(f"socket:[{output}]",) * 2, f"socket:[{channel}]"]
        found = _open_files(started.pid)
        if not found and started.poll():  # it is dead, as its outcome will say
            found = given
        if found != given or limits.children(started.pid):
            raise HoldsFiles
        self._until(lambda: _has_stopped(self.running.pid))
        if not self._holds_only_its_own() and not self.running.poll():
            raise ForkFault("it keeps what belongs to a check")
        end_all(self._others)  # a process that posed as the check's parent may still be there

    def _holds_only_its_own(self) -> bool:
        found = _open_files(self.running.pid)
        return bool(found) and self._own.issuperset(found)

    def _until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, or the template is dead.

        Raises:
            ForkFault: it does not hold in time.
        """
        deadline = time.monotonic() + SETTLE_S
        while not holds() and not self.running.poll():
            if time.monotonic() > deadline:
                raise ForkFault("it keeps what belongs to a check, or does not stop")
            time.sleep(0.0002)

    def close(self) -> None:
        """End the process."""
        self._closed = True
        super().close()

    def fork_check(self) -> Running | Outcome:
        """Return a fork, or the outcome if the template has ended or exceeded its limits.

        Raises:
            ForkFault: the template does not answer.
        """
        used = limits.usage(self.running.pid)
        self._cpu_s += FORK_CPU_S
        if used is not None and used.cpu_s > self._cpu_s:
            return Outcome(End.PREPARE_LIMIT, cpu_s=used.cpu_s)
        if used is not None and used.resident_mib > self._memory_mib:
            return Outcome(End.MEMORY_LIMIT, peak_mib=used.peak_mib)
        try:
            return self.fork({})
        except HoldsFiles:
            return Outcome(End.HOLDS_FILES)
        except ForkFault:
            if not self._closed and self.running.poll():  # ended by code that the file left running
                return Outcome(End.DIED, returncode=self.running.returncode)
            raise


def _open_files(pid: int) -> list[str]:
    """Return what each of a process's descriptors is, in order; empty if it is dead, or changes them."""
    folder = f"/proc/{pid}/fd"
    try:
        return [os.readlink(f"{folder}/{number}") for number in sorted(map(int, os.listdir(folder)))]
    except OSError:
        return []


def _has_stopped(pid: int) -> bool:
    """Return whether every thread of a process has stopped."""
    try:
        stats = [file.read_text("utf-8", "replace") for file in Path(f"/proc/{pid}/task").glob("*/stat")]
    except OSError:  # a thread has just ended
        return False
    return bool(stats) and all(stat.rpartition(")")[2].split()[0] in "Tt" for stat in stats)
