"""Provide workers for a class run: processes on this machine, or the workers of a Dask cluster.

Both provide a `concurrent.futures.Executor` and have the same methods, so `class_run.Pool` treats them alike.
"""

import contextlib
import gc
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, cast
from urllib.parse import urlsplit

from grader.course.jobs import Abilities, abilities, end_worker, prepare_worker
from grader.errors import InputError
from grader.judging import calibration
from grader.messages.phrases import count
from grader.sandbox.confine import kernel, limits, offers

END_S = 10.0  # for a worker to end its sandbox
CONNECT_S = 5.0
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


class Cluster:
    """The workers of a Dask cluster that have the run's own grader and can provide its sandbox tier."""

    def __init__(self, address: str, needed: Abilities, say: Callable[[str], None]) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InputError(
                "--scheduler needs distributed, which is not installed",
                "in the course's folder: pip install -e '.[class]'",
            ) from None
        self._needed = needed
        self._say = say
        self._executor: Executor | None = None
        self._threads: dict[str, int] = {}  # by the address of each worker in the cluster
        self._why_not: dict[str, str] = {}  # by address, why a worker is not used; empty if it is
        try:
            self._client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"--scheduler {address}: no Dask scheduler answers there: {error}",
                "start one with: dask scheduler; and workers with: dask worker ADDRESS",
            ) from None
        self.have_changed()
        if not self._good():
            seen = count(len(self._threads), "worker")
            self.close()
            raise InputError(
                f"--scheduler {address}: expected workers with grader {needed.version}, tier {needed.tier}, "
                f"none of {seen} is",
                "install the same commit of this course on each; to see a worker's tier: grade doctor",
            )

    @property
    def places(self) -> int:
        """The number of threads of the workers in use."""
        return sum(self._threads[each] for each in self._good())

    def cores_for_each(self, jobs: int) -> int:
        """Return 1: it is not known on which machine a job will run, nor what else runs there."""
        return 1

    def beside(self, jobs: int) -> int:
        """Return how many threads the workers in use have on one machine, at most."""
        threads: Counter[str | None] = Counter()
        for each in self._good():
            threads[urlsplit(each).hostname] += self._threads[each]
        return max(threads.values(), default=1)

    def executor(self) -> Executor:
        """Return an executor that gives work only to the workers in use."""
        if self._executor is None:
            self._executor = self._client.get_executor(workers=self._good(), pure=False)
        return self._executor

    def have_changed(self) -> bool:
        """Return whether the workers in use have changed; new workers are first asked for their abilities."""
        try:
            threads: dict[str, int] = dict(self._client.nthreads())
        except Exception as error:  # Dask raises many types here
            raise InputError(
                f"the Dask scheduler is gone: {type(error).__name__}: {error}",
                "start it and type the same command again: what was graded is kept",
            ) from None
        if threads == self._threads:
            return False
        before, self._threads, self._executor = self._good(), threads, None
        for address in before:
            if address not in threads:
                self._say(f"worker {address} is gone; what it had is given to another")
        self._why_not = {each: why for each, why in self._why_not.items() if each in threads}
        for address in sorted(threads.keys() - self._why_not.keys()):
            self._why_not[address] = self._unfit(address)
            if self._why_not[address]:
                self._say(f"worker {address} gets no work: {self._why_not[address]}")
        after = self._good()
        if before and not after:
            self._say(
                "no worker is left: the run waits until one joins; Ctrl-C stops it, and nothing is lost"
            )
        elif before:  # not at the beginning
            for address in after:
                if address not in before:
                    self._say(f"worker {address} joined")
        return after != before

    def lost(self, error: BaseException) -> bool:
        """Return whether Dask gave up a job because workers died during it."""
        return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError")

    def renew(self) -> bool:
        """Do nothing and return False, because Dask keeps the jobs of the other workers running."""
        return False

    def close(self) -> None:
        """Disconnect from the cluster; its workers stay."""
        with contextlib.suppress(Exception):
            self._client.close()

    def _good(self) -> list[str]:
        return sorted(address for address, why in self._why_not.items() if not why)

    def _unfit(self, address: str) -> str:
        """Return why a worker cannot be used; empty if it can."""
        try:
            found: Abilities = self._client.run(abilities, workers=[address])[address]
        except Exception as error:  # whatever its Python raises, such as a missing module
            return f"its grader cannot be asked: {type(error).__name__}: {error}"
        if found.version != self._needed.version:
            return f"expected grader {self._needed.version}, found {found.version}"
        if found.code != self._needed.code:
            return "its grader, tasks or boards are not those of this run"
        if found.tier < self._needed.tier:
            return f"expected tier {self._needed.tier}, found {found.tier} at best"
        return ""


Workers = Processes | Cluster  # those that grade, on this machine or on others
