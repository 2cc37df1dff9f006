"""Start Python processes that run child/main.py: a zygote, or where nothing can be forked one for each check.

A zygote imports numba and the other libraries once for all submissions, which takes half a second; it never
runs student code.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

from grader import paths
from grader.sandbox.confine import limits, offers
from grader.sandbox.confine.limits import PRELOAD_CPU_S, Limits
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.environment import child_environment
from grader.sandbox.parent.exchange import exchange, prepare_limit
from grader.sandbox.parent.forks import READY, Forker, ForkFault, line
from grader.sandbox.parent.running import Child, Running
from grader.sandbox.parent.strays import end_strays

CHILD = paths.PACKAGE / "sandbox" / "child" / "main.py"
ENOUGH_MIB = 2048


def start(debug: bool, scratch: Path) -> Child:
    """Start child/main.py in a new Python process, in the way that this system supports."""
    process = _popen(debug, scratch)
    if offers.wait_by_id():
        return _running(process)
    from grader.sandbox.parent.by_threads import RunningByThreads

    return RunningByThreads(process)


def _popen(debug: bool, scratch: Path, *passed: int) -> "subprocess.Popen[bytes]":
    optimized = () if debug else ("-O",)
    return subprocess.Popen(
        [sys.executable, "-s", "-P", *optimized, str(CHILD), str(paths.FRAMEWORK_ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=scratch,
        env=child_environment(scratch),
        start_new_session=True,
        pass_fds=passed,
    )


def _running(process: "subprocess.Popen[bytes]") -> Running:
    process.returncode = 0  # from here on `Running` waits for it
    return Running(process.pid, _own(process.stdin), _own(process.stdout), _own(process.stderr))


def _own(stream: Any) -> int:
    """Return a duplicate of a stream's descriptor, and close the stream."""
    descriptor = os.dup(stream.fileno())
    stream.close()
    return descriptor


class Zygote(Forker):
    """Forks a process for each submission, with the libraries imported.

    Attributes:
        marker: a string in the environment of all its forks.
    """

    _count = 0
    _before: ClassVar[set[int]] = set()
    _counting = threading.Lock()

    def __init__(
        self, debug: bool, tier: int, scratch: Path, stop: threading.Event, many: bool = False
    ) -> None:
        """Start the zygote, without waiting for it. The kernel ends it with the thread that started it.

        Args:
            debug: whether its children run plain Python.
            tier: what confines its children, see tiers.py.
            scratch: a folder of its own.
            stop: ends a wait immediately when it is set.
            many: whether to compile the functions that nearly all submissions call: a slower start, but
                faster for a class.
        """
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with Zygote._counting:
            if Zygote._count == 0:
                Zygote._before = set(limits.children(os.getpid()))
            Zygote._count += 1
        with theirs:
            running = _running(_popen(debug, scratch, theirs.fileno()))
            order = {
                "zygote": True,
                "debug": debug,
                "tier": tier,
                "judge": os.getpid(),
                "control": theirs.fileno(),
                "many": many,
            }
            with contextlib.suppress(OSError):  # it is dead, which `await_ready` reports
                os.write(running.send, line(order))
        super().__init__(running, control, stop)
        self.marker = str(scratch)

    def await_ready(self) -> None:
        """Wait until it can fork.

        Raises:
            ForkFault: it did not come up; the caller must close it.
        """
        limit = prepare_limit(Limits(PRELOAD_CPU_S, ENOUGH_MIB))
        outcome = exchange(self.running, b"", limit, self._stop)
        if outcome.end != End.ANSWERED or outcome.frame + b"\n" != READY:
            raise ForkFault(_why_not(outcome))

    def close(self) -> None:
        """End the zygote, and the processes that its children left running."""
        super().close()
        with Zygote._counting:
            Zygote._count -= 1
            end_strays(self.marker, (), None if Zygote._count else Zygote._before)


def _why_not(outcome: Outcome) -> str:
    if outcome.end == End.STOPPED:
        return "stopped"
    printed = (outcome.head + outcome.tail).decode("utf-8", "replace").strip().splitlines()
    return f"its Python did not come up: {printed[-1] if printed else outcome.end.name}"
