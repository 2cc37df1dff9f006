"""Start processes: the zygote, and the forks that it and its templates make for the judge.

A zygote imports numba and the other libraries once for all submissions, which takes half a second; it never
runs student code. A template, itself a fork of the zygote, loads one submission and forks a child for each
check. The judge becomes the parent of each fork: of a template's at once, of the zygote's as subreaper, once
the process in between has ended. So the judge itself measures, kills and reaps the fork, and need not trust a
template.
"""

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from grader import paths
from grader.sandbox.confine import kernel, limits, offers
from grader.sandbox.confine.limits import PRELOAD_CPU_S, Limits
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.environment import child_environment
from grader.sandbox.parent.exchange import exchange, prepare_limit
from grader.sandbox.parent.running import Child, Running, reap, strangers

CHILD = paths.PACKAGE / "sandbox" / "child" / "main.py"
READY = b'{"ready": true}\n'
CONFINED = b'{"confined": true}\n'
FORK_S = 20.0  # for a fork to start, even on a very busy machine
END_S = 5.0  # for killed processes to be gone
ENOUGH_MIB = 2048


class ForkFault(Exception):
    """No fork started, or it could not be confined; the text says why."""


def can_fork() -> bool:
    """Return whether the judge can use forks here; if so, this process adopts orphans from now on."""
    if not offers.forks():
        return False
    try:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    except OSError:
        return False
    return True


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


class Forker:
    """A process that forks on request. Thread-safe.

    Attributes:
        running: the process.
        turn: held while any process forks, so that each child of the judge is either known or a stray.
    """

    turn: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, running: Running, control: socket.socket, stop: threading.Event) -> None:
        self.running = running
        self._control = control
        self._stop = stop

    def fork(self, message: dict[str, Any], control: socket.socket | None = None) -> Running:
        """Return a fork that waits for its order.

        Args:
            message: what the process needs to know to fork.
            control: for a fork that will itself fork, its end of the socket that delivers requests to fork.

        Raises:
            ForkFault: no fork started.
        """
        channel, theirs = socket.socketpair()
        output, written = os.pipe()
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        passed = [theirs.fileno(), written, *([control.fileno()] if control is not None else [])]
        ends = (os.fstat(theirs.fileno()).st_ino, os.fstat(written).st_ino)
        with Forker.turn:
            try:
                self._let_fork(True)
                try:
                    with contextlib.suppress(OSError):  # the process is dead, which `_await` reports
                        socket.send_fds(self._control, [line(message)], passed)
                    theirs.close()
                    os.close(written)
                    pid = self._await(channel)
                finally:
                    self._let_fork(False)
            except BaseException:
                channel.close()
                os.close(output)
                raise
            descriptor = channel.detach()
            started = Running(pid, descriptor, descriptor, output)
            self._look_at(started, *ends)
        return started

    def _let_fork(self, may_fork: bool) -> None:
        if self.running.gatekeeper is not None:
            self.running.gatekeeper.expect_fork(may_fork)

    def _watch(self) -> None:
        """Check the process while it forks."""

    def _look_at(self, started: Running, channel: int, output: int) -> None:
        """Check a fork before it is asked anything; `channel` and `output` are the inodes of its pipes."""

    def _await(self, channel: socket.socket) -> int:
        """Return the id of the fork, for which the kernel vouches, once the fork is our own child."""
        size = struct.calcsize("3i")
        channel.settimeout(0.05)
        deadline = time.monotonic() + FORK_S
        pid: int | None = None
        while time.monotonic() < deadline and not self._stop.is_set():
            self._watch()
            if pid in Running.known:
                break  # a template that poses as the fork, under its own id or another's
            if pid is not None:
                if _is_our_child(pid):
                    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
                    return pid
                time.sleep(0.0005)  # the process in between has not ended yet
                continue
            with contextlib.suppress(TimeoutError):
                data, ancillary, _, _ = channel.recvmsg(len(READY), socket.CMSG_SPACE(size))
                if data != READY:
                    break
                for level, kind, value in ancillary:
                    if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                        pid = struct.unpack("3i", value[:size])[0]
        raise ForkFault("stopped" if self._stop.is_set() else "no process could be forked for it")

    def close(self) -> None:
        """End the process, but not its forks: whoever asked for a fork also ends it."""
        self.running.end()
        self._control.close()


def _is_our_child(pid: int) -> bool:
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def await_confined(running: Running, must_ask: bool, stop: threading.Event) -> None:
    """Wait until a fork reports that it is confined; from then on a gatekeeper serves its filter.

    Args:
        running: the fork, to which its order was sent.
        must_ask: whether its filter refers some system calls to the judge.
        stop: ends the wait immediately when it is set.

    Raises:
        ForkFault: it could not be confined.
    """
    deadline = time.monotonic() + FORK_S
    with socket.socket(fileno=os.dup(running.frames)) as channel:
        channel.settimeout(0.05)
        while time.monotonic() < deadline and not stop.is_set():
            with contextlib.suppress(TimeoutError):
                # Read no more: the next message may have arrived already.
                data, descriptors, _, _ = socket.recv_fds(channel, len(CONFINED), 1)
                if data != CONFINED or len(descriptors) != must_ask:
                    raise ForkFault(_why_unconfined(data and data + channel.recv(1 << 12)))
                for listener in descriptors:
                    from grader.sandbox.parent.gatekeeper import Gatekeeper  # imports what only Linux has

                    running.gatekeeper = Gatekeeper(listener, running.pid)
                return
    raise ForkFault("stopped" if stop.is_set() else "it could not be confined in time")


def _why_unconfined(message: bytes) -> str:
    with contextlib.suppress(ValueError):
        return str(json.loads(message)["unconfined"])
    return "it died while it was confined"


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


def end_strays(marker: str, sessions: Collection[int], spared: set[int] | None = None) -> None:
    """Kill and reap the processes that checks left running outside of their process groups.

    As subreaper the judge is the parent of such processes. They are recognized by `marker` in their
    environment and by their session, which no process can leave under the filter.

    Args:
        marker: a string that only their environment has.
        sessions: when a template ends, its session and those of its forks; when a zygote ends, none.
        spared: None while another zygote runs; otherwise the children that the judge had before the first
            zygote. Any other child outside of the judge's own session is then a stray, since all zygotes and
            their forks have left that session, and no process can enter it again.
    """
    if not offers.forks():
        return

    def strays() -> Iterator[int]:
        for pid in strangers():
            with contextlib.suppress(OSError):
                its = os.getsid(pid)
                left = spared is not None and pid not in spared and its != os.getsid(0)
                if left or its in sessions or marker.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                    yield pid

    with Forker.turn:  # otherwise a process that is just being forked would be taken for a stray
        end_all(strays)


def end_all(find: Callable[[], Iterable[int]]) -> None:
    """Kill and reap the processes that `find` returns, repeatedly until it returns none."""
    deadline = time.monotonic() + END_S
    while (found := list(find())) and time.monotonic() < deadline:
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                reap(pid)
        time.sleep(0.001)  # another process's child is gone only once its parent reaps it


def line(data: dict[str, Any]) -> bytes:
    """Return an object as a line of JSON."""
    return json.dumps(data).encode() + b"\n"
