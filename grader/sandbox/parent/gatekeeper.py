"""Decides, in the judge, about the system calls that a child must ask for: new processes, threads, signals.

A process may be started only when the judge itself has asked for it. A process may send signals only to
itself, and may start threads up to a number that no honest program needs. Processes and threads must be
started the way the C library does it: a process that would become the judge's own child, have its own
namespaces or share the caller's files is refused.

The kernel holds the call until it is answered, see seccomp_unotify(2). Only the call's numeric arguments are
examined, which the child cannot change while it waits.
"""

import errno
import fcntl
import os
import select
import struct
import threading
from collections import Counter
from pathlib import Path

from grader.sandbox.confine.syscalls import CLONE

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_REQUEST = struct.Struct("=QIIiIQ6Q")  # seccomp_notif: id, pid, flags; nr, arch, address, 6 arguments
_ANSWER = struct.Struct("=QqiI")  # seccomp_notif_resp: id, value, error, flags
_CONTINUE = 1  # let the kernel carry the call out
# The flags of clone(2) that fork(3) and pthread_create(3) of glibc use.
_FORK = 0x1200011  # CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID, SIGCHLD
_THREAD = (
    0x3D0F00  # CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD, _SYSVSEM, _SETTLS, _PARENT_SETTID, _CHILD_CLEARTID
)
MOST_THREADS = 32  # of one process at a time; numba and numpy are told to use one
MOST_STARTED = 32  # of one process in its life: each takes an id that the next process would have had
MOST_QUESTIONS = 5000  # then the kernel refuses every call, so that a child cannot keep the judge busy


class Gatekeeper:
    """Decides about the system calls of one process and its forks, until `close`.

    Args:
        listener: the descriptor on which the kernel asks.
        process: the only process that may fork (a double fork, see forks.py), when the judge asks it to.
    """

    def __init__(self, listener: int, process: int) -> None:
        self._listener = listener
        self._process = process
        self._closing, self._wake = os.pipe()
        self._lock = threading.Lock()
        self._forks_left = 0
        self._threads_started: Counter[int] = Counter()  # by process
        self._thread = threading.Thread(target=self._answer_all, daemon=True)
        self._thread.start()

    def expect_forks(self, number: int) -> None:
        """Allow the next `number` forks, and none after them."""
        with self._lock:
            self._forks_left = number

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
        questions = 0
        while True:
            events = dict(poll.poll())
            if self._closing in events:
                return
            if events[self._listener] & select.POLLIN and questions < MOST_QUESTIONS:
                questions += 1
                self._answer()
            else:  # too many, or every process with this filter is dead
                poll.unregister(self._listener)
                os.close(self._listener)
                self._listener = -1

    def _answer(self) -> None:
        request = bytearray(_REQUEST.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, request)
            number, caller, _, call, _, _, first, *_ = _REQUEST.unpack(request)
            status = _status(caller)
            if call == CLONE[os.uname().machine]:
                allowed = (first == _THREAD and self._may_start_thread(status)) or (
                    first == _FORK and self._may_fork(caller, status)
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

    def _may_fork(self, caller: int, status: dict[str, int]) -> bool:
        """Return whether the calling thread may fork.

        Only two forks are allowed: first by the main thread of the process, then by its child's main thread.
        """
        with self._lock:
            turn = {
                2: caller == self._process,
                1: status["PPid"] == self._process and status["Tgid"] == caller,
            }
            allowed = turn.get(self._forks_left, False)
            self._forks_left -= allowed
        return allowed


def _status(thread: int) -> dict[str, int]:
    """Return the parent, the thread count and the ids (here and in its namespace) of a thread's process."""
    found = {}
    for line in Path(f"/proc/{thread}/status").read_text("ascii", "replace").splitlines():
        name, _, value = line.partition(":")
        if name in ("Tgid", "PPid", "NStgid", "Threads"):
            found[name] = int(value.split()[-1])  # in the innermost namespace
    return found
