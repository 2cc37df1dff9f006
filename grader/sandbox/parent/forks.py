"""Have processes fork for the judge: the zygote, and templates.

A zygote, see zygote.py, has imported the libraries. A template, itself a fork of the zygote, loads one
submission and forks a child for each check. The judge becomes the parent of each fork: of a template's at
once, of the zygote's as subreaper, once the process in between has ended. So the judge itself measures, kills
and reaps the fork, and need not trust a template.
"""

import contextlib
import json
import os
import socket
import struct
import threading
import time
from typing import Any, ClassVar

from grader.sandbox.confine import kernel, offers
from grader.sandbox.parent.running import Running

READY = b'{"ready": true}\n'
CONFINED = b'{"confined": true}\n'
FORK_S = 20.0  # for a fork to start, even on a very busy machine


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


class Forker:
    """A process that forks on request. Thread-safe.

    Attributes:
        running: the process.
        turn: held while any process forks, so that each child of the judge is either known or a stray.
    """

    turn: ClassVar[threading.Lock] = threading.Lock()
    _fork_s = FORK_S  # the longest wait for a fork, while no other process can fork

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
        output, written = socket.socketpair()  # no pipe, which others could open by its name in /proc
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        passed = [theirs.fileno(), written.fileno(), *([control.fileno()] if control is not None else [])]
        ends = (os.fstat(theirs.fileno()).st_ino, os.fstat(written.fileno()).st_ino)
        with Forker.turn:
            try:
                self._let_fork(True)
                with contextlib.suppress(OSError):  # the process is dead, which `_await` reports
                    socket.send_fds(self._control, [line(message)], passed)
                theirs.close()
                written.close()
                pid = self._await(channel)
            except BaseException:
                self._let_fork(False)
                channel.close()
                output.close()
                raise
            descriptor = channel.detach()
            started = Running(pid, descriptor, descriptor, output.detach())
            try:
                self._settle()
                self._let_fork(False)
                self._look_at(started, *ends)
            except BaseException:
                self._let_fork(False)
                started.end()
                raise
        return started

    def _let_fork(self, may_fork: bool) -> None:
        if self.running.gatekeeper is not None:
            self.running.gatekeeper.expect_fork(may_fork)

    def _watch(self) -> None:
        """Check the process while it forks."""

    def _settle(self) -> None:
        """Wait until the process has closed what it was given for a fork."""

    def _look_at(self, started: Running, channel: int, output: int) -> None:
        """Check a fork before it is asked anything; `channel` and `output` are the inodes of its sockets."""

    def _await(self, channel: socket.socket) -> int:
        """Return the id of the fork, for which the kernel vouches, once the fork is our own child."""
        size = struct.calcsize("3i")
        channel.settimeout(0.05)
        deadline = time.monotonic() + self._fork_s
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


def line(data: dict[str, Any]) -> bytes:
    """Return an object as a line of JSON."""
    return json.dumps(data).encode() + b"\n"
