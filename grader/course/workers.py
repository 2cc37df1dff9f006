"""Provide workers for a class run: processes on this machine; for those of a cluster see cluster.py.

Both provide a `concurrent.futures.Executor` and have the same methods, so `class_run.Pool` treats them alike.
"""

import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, cast

from grader.course.jobs import end_worker, prepare_worker
from grader.judging import calibration
from grader.sandbox.confine import kernel, limits, offers

END_S = 10.0  # for a worker to end its sandbox
ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # signals that end a run


class _Executor(ProcessPoolExecutor):
    """A pool whose `submit` raises BrokenProcessPool even if the pool breaks just while it starts a process.

    Python 3.11 closes the pool's queue at that moment, so `submit` would fail with "handle is closed".
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn` in a worker process, which may be started for it."""
        try:
            with _no_signals():
                return super().submit(fn, *args, **kwargs)
        except OSError as error:
            if self._broken:
                raise BrokenProcessPool(str(error)) from error
            raise


class _FirstForked(SpawnContext):
    """Starts processes anew, except the first: it is forked, so it has imported already what it needs.

    It is forked only from a process that is like a new one: with no other thread and no child.
    """

    def __init__(self) -> None:
        alone = offers.forks() and len(os.listdir("/proc/self/task")) == 1
        self._forks_next = alone and not limits.children(os.getpid())

    def Process(self, *args: Any, **named: Any) -> BaseProcess:  # type: ignore[override]  # or a forked one
        """Return a process that is yet to be started."""
        forks, self._forks_next = self._forks_next, False
        return get_context("fork").Process(*args, **named) if forks else super().Process(*args, **named)


class Processes:
    """Worker processes on this machine; one per core, unless their number is given.

    They are fewer if there is less memory than `memory_mib` for each.
    """

    def __init__(self, number: int | None = None, memory_mib: int = 0) -> None:
        self.places = number or limits.usable_cores()
        while self.places > 1 and limits.most_mib(self.places) < memory_mib:
            self.places -= 1
        self._executor: _Executor | None = None
        self._preparing: list[Future[None]] = []

    def cores_for_each(self, jobs: int) -> int:
        """Return how many cores each of so many jobs may use: several if they are fewer than the places."""
        return max(1, self.places // jobs)

    def beside(self, jobs: int) -> int:
        """Return how many of so many jobs run at the same time."""
        return min(jobs, self.places)

    def executor(self) -> Executor:
        """Return the pool, created by the first call, once a process that is getting ready is so.

        Otherwise the pool would start another process for the first job, which would come later.
        """
        wait(self._preparing)
        self._preparing = []
        if self._executor is None:
            self._executor = self._pool(SpawnContext())
        return self._executor

    def prepare(self, tier: int) -> None:
        """Have one process get ready, where this one leaves it a core; there may be nothing to grade.

        Call it while nothing is open that a process that grades must not have, such as the class's store.
        """
        if limits.usable_cores() > 1:
            gc.freeze()  # what is imported stays: neither process need look for garbage in it
            self._executor = self._pool(_FirstForked())
            self._preparing = [self._executor.submit(prepare_worker, tier)]

    def _pool(self, context: SpawnContext) -> _Executor:
        calibration.factor()  # saved for the workers; otherwise each would measure its own
        return _Executor(self.places, context, _begin, (os.getpid(),))

    def have_changed(self) -> bool:
        """Return False: if the process of a job dies, its `Future` reports the error."""
        return False

    def lost(self, error: BaseException) -> bool:
        """Return whether a process of the pool died, which breaks the whole pool."""
        return isinstance(error, BrokenProcessPool)

    def renew(self) -> bool:
        """Drop the broken pool, and return True because all its jobs are lost."""
        self.close()
        return True

    def close(self) -> None:
        """End the processes."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        working = {process.sentinel: process for process in (executor._processes or {}).values()}
        for process in working.values():
            process.terminate()  # a job may take minutes; the processes it started end with it
        deadline = time.monotonic() + END_S
        while working and time.monotonic() < deadline:
            for sentinel in connection.wait(list(working), deadline - time.monotonic()):
                del working[cast(int, sentinel)]
        for process in working.values():
            process.kill()
        executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _no_signals() -> Iterator[None]:
    """Let no signal reach a process that is started meanwhile: a worker takes them from `_begin` on."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(run: int) -> None:
    """Prepare a worker process, which must end with the run and leave nothing behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's to handle
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a forked process has the run's handler
    if sys.platform.startswith("linux"):
        # A softer signal would end only the job, and leave the process waiting for another one forever.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != run:  # the run ended before prctl was called
            os._exit(1)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)  # see `_no_signals`


def _end(number: int, frame: object) -> None:
    """End this worker process and its sandbox, during a job or while it waits for one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal would interrupt the clean-up
    end_worker()
    os._exit(128 + number)
