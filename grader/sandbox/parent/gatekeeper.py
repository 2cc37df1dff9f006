"""Decides, in the judge, about the system calls that a child must ask for: new processes, threads, signals.

A process may be started only when the judge itself has asked for it, and only as a template starts a check:
one that would be the template's child, have its own namespaces or share the caller's files is refused. A
process may send signals only to itself, and may start threads up to a number that no honest program needs,
the way the C library does it.

The kernel holds the call until it is answered, see seccomp_unotify(2). Only the call's numeric arguments are
examined, which the child cannot change while it waits.
"""

import errno
import fcntl
import os
import select
import signal
import struct
import threading
from collections import Counter
from pathlib import Path

from grader.sandbox.confine.kernel import AS_SIBLING, CLONE

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_REQUEST = struct.Struct("=QIIiIQ6Q")  # seccomp_notif: id, pid, flags; nr, arch, address, 6 arguments
_ANSWER = struct.Struct("=QqiI")  # seccomp_notif_resp: id, value, error, flags
_CONTINUE = 1  # let the kernel carry the call out
# The flags of clone(2) that pthread_create(3) of glibc uses: CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD,
# _SYSVSEM, _SETTLS, _PARENT_SETTID and _CHILD_CLEARTID.
_THREAD = 0x3D0F00
MOST_THREADS = 32  # of one process at a time; numba and numpy are told to use one
MOST_STARTED = 32  # of one process in its life: each takes an id that the next process would have had
MOST_QUESTIONS = 5000  # of one process; then it is killed, so that it cannot keep the judge busy


class Gatekeeper:
    """Decides about the system calls of one process and its forks, until `close`.

    Args:
        listener: the descriptor on which the kernel asks.
        process: the only process that may fork, when the judge asks it to.
    """

    def __init__(self, listener: int, process: int) -> None:
        self._listener = listener
        self._process = process
        self._closing, self._wake = os.pipe()
        self._lock = threading.Lock()
        self._may_fork = False
        # By process: what one check uses up of a number must not be missing for the next.
        self._threads_started: Counter[int] = Counter()
        self._asked: Counter[int] = Counter()
        self._thread = threading.Thread(target=self._answer_all, daemon=True)
        self._thread.start()

    def expect_fork(self, expected: bool) -> None:
        """Allow the next fork, and none after it; or none if none is expected any more."""
        with self._lock:
            self._may_fork = expected

    def close(self) -> None:
        """Stop answering; later requests fail."""
        os.write(self._wake, b"x")
        self._thread.join()
        for descriptor in {self._listener, self._closing, self._wake} - {-1}:
            os.close(descriptor)

    def _answer_all(self) -> None:
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        poll.register(self._closing, select.POLLIN)
        while True:
            events = dict(poll.poll())
            if self._closing in events:
                return
            if events[self._listener] & select.POLLIN:
                self._answer()
            else:  # every process with this filter is dead
                poll.unregister(self._listener)
                os.close(self._listener)
                self._listener = -1

    def _answer(self) -> None:
        request = bytearray(_REQUEST.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, request)
            number, caller, _, call, _, _, first, *_ = _REQUEST.unpack(request)
            status = _status(caller)
            self._asked[status["Tgid"]] += 1
            if self._asked[status["Tgid"]] > MOST_QUESTIONS:
                os.kill(status["Tgid"], signal.SIGKILL)
            if call == CLONE[os.uname().machine]:
                allowed = (first == _THREAD and self._may_start_thread(status)) or (
                    first == AS_SIBLING and self._takes_fork(caller)
                )
            else:  # a signal to the process with the id `first` in the caller's namespace
                allowed = first == status["NStgid"]
            answer = (number, 0, 0, _CONTINUE) if allowed else (number, 0, -errno.EPERM, 0)
            fcntl.ioctl(self._listener, _SEND, _ANSWER.pack(*answer))
        except OSError:
            pass  # the caller is dead

    def _may_start_thread(self, status: dict[str, int]) -> bool:
        self._threads_started[status["Tgid"]] += 1
        return status["Threads"] < MOST_THREADS and self._threads_started[status["Tgid"]] <= MOST_STARTED

    def _takes_fork(self, caller: int) -> bool:
        """Return whether the calling thread may fork: only the main thread of the process, and only once."""
        with self._lock:
            allowed = self._may_fork and caller == self._process
            self._may_fork = self._may_fork and not allowed
        return allowed


def _status(thread: int) -> dict[str, int]:
    """Return the thread count and the ids (here and in its namespace) of a thread's process."""
    found = {}
    for line in Path(f"/proc/{thread}/status").read_text("ascii", "replace").splitlines():
        name, _, value = line.partition(":")
        if name in ("Tgid", "NStgid", "Threads"):
            found[name] = int(value.split()[-1])  # in the innermost namespace
    return found
