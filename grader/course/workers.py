"""Provide workers for a class run: processes on this machine, or the workers of a Dask cluster.

Both hand out a `concurrent.futures.Executor`, so the run has one way through; see `pool.py`.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import Any, Protocol, cast

from grader.course.jobs import Abilities, abilities, end_worker
from grader.errors import InputError
from grader.messages.phrases import count
from grader.sandbox.confine import kernel
from grader.sandbox.confine.limits import usable_cores

CONNECT_S = 5.0
END_S = 10.0  # for a worker to end what it keeps
Say = Callable[[str], None]


class Workers(Protocol):
    """Who grades."""

    @property
    def places(self) -> int:
        """How many jobs can run at the same time; 0 while there are no workers."""

    def executor(self) -> Executor:
        """Return who takes jobs now."""

    def have_changed(self) -> bool:
        """Return whether jobs that were given out must be given out again, for who had them may be gone."""

    def lost(self, error: BaseException) -> bool:
        """Return whether an error says that a worker died, so that its job may be done by another."""

    def renew(self) -> bool:
        """Have workers again after one died; return whether the jobs of all others are lost with it."""

    def close(self) -> None:
        """End, with all work that is still going on."""


class _Executor(ProcessPoolExecutor):
    """A pool that says that it broke, also where it breaks while it starts a process for a job.

    Python 3.11 closes its queue meanwhile, and `submit` fails with "handle is closed".
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have `fn` called in a process.

        Raises:
            BrokenProcessPool: a process died.
        """
        try:
            return super().submit(fn, *args, **kwargs)
        except OSError as error:
            if self._broken:
                raise BrokenProcessPool(str(error)) from error
            raise


class Processes:
    """Worker processes on this machine, one a core."""

    def __init__(self) -> None:
        self.places = usable_cores()
        self._executor: _Executor | None = None

    def executor(self) -> Executor:
        """Return the pool, which is made when it is asked for first."""
        if self._executor is None:
            self._executor = _Executor(
                self.places,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(os.getpid(),),
            )
        return self._executor

    def have_changed(self) -> bool:
        """Return False: a lost job's future says so."""
        return False

    def lost(self, error: BaseException) -> bool:
        """Return whether a process of the pool died, which ends them all."""
        return isinstance(error, BrokenProcessPool)

    def renew(self) -> bool:
        """Forget the broken pool, which did not survive it."""
        self.close()
        return True

    def close(self) -> None:
        """End the processes."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        working = {process.sentinel: process for process in (executor._processes or {}).values()}
        for process in working.values():
            process.terminate()  # a job may take minutes; what it started ends with it
        deadline = time.monotonic() + END_S
        while working and time.monotonic() < deadline:
            for sentinel in connection.wait(list(working), deadline - time.monotonic()):
                del working[cast(int, sentinel)]
        for process in working.values():
            process.kill()
        executor.shutdown(cancel_futures=True)


def _begin(run: int) -> None:
    """Prepare a worker process: it ends with the run, and leaves nothing behind.

    Args:
        run: the process id of the run.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's to handle
    signal.signal(signal.SIGTERM, _end)
    if sys.platform.startswith("linux"):
        # A softer signal would end the job alone, and leave the process to wait for the next one for ever.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != run:  # it died before it could be watched
            os._exit(1)


def _end(number: int, frame: object) -> None:
    """End this worker process, and what it keeps, in the midst of a job or of waiting for one."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would leave what the first is to end
    end_worker()
    os._exit(128 + number)


class Cluster:
    """The workers of a Dask cluster that have the run's own grader and its tier."""

    def __init__(self, address: str, needed: Abilities, say: Say) -> None:
        """Connect to it.

        Args:
            address: of its scheduler, as `tcp://host:8786`.
            needed: what a worker must be able to do.
            say: prints a line to the user.

        Raises:
            InputError: there is no scheduler, or none of its workers can grade for this run.
        """
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
        self._threads: dict[str, int] = {}  # of each worker that was seen
        self._why_not: dict[str, str] = {}  # why it is not used; empty where it is
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
                "install this course's folder on each, the same commit; grade doctor there shows its tier",
            )

    @property
    def places(self) -> int:
        """The threads of the workers that are used."""
        return sum(self._threads[each] for each in self._good())

    def executor(self) -> Executor:
        """Return an executor that gives work to those workers alone."""
        if self._executor is None:
            self._executor = self._client.get_executor(workers=self._good(), pure=False)
        return self._executor

    def have_changed(self) -> bool:
        """Return whether workers came or went; who came is first asked what it can do.

        Raises:
            InputError: the scheduler is gone.
        """
        try:
            threads: dict[str, int] = dict(self._client.nthreads())
        except Exception as error:  # Dask has many for it
            raise InputError(
                f"the Dask scheduler is gone: {type(error).__name__}: {error}",
                "start it and type the same command again: what was graded is kept",
            ) from None
        if threads == self._threads:
            return False
        before, self._threads, self._executor = self._good(), threads, None
        self._why_not = {each: why for each, why in self._why_not.items() if each in threads}
        for address in sorted(threads.keys() - self._why_not.keys()):
            self._why_not[address] = self._unfit(address)
            if self._why_not[address]:
                self._say(f"worker {address} gets no work: {self._why_not[address]}")
        return self._good() != before

    def lost(self, error: BaseException) -> bool:
        """Return whether Dask gave a job up since workers died of it, or with it."""
        return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError")

    def renew(self) -> bool:
        """Leave it to Dask, which keeps the others at work."""
        return False

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        with contextlib.suppress(Exception):
            self._client.close()

    def _good(self) -> list[str]:
        return sorted(address for address, why in self._why_not.items() if not why)

    def _unfit(self, address: str) -> str:
        """Return why a worker cannot be used, or nothing if it can."""
        try:
            found: Abilities = self._client.run(abilities, workers=[address])[address]
        except Exception as error:  # whatever its Python raises, from no such module on
            return f"its grader cannot be asked: {type(error).__name__}: {error}"
        if found.version != self._needed.version:
            return f"expected grader {self._needed.version}, found {found.version}"
        if found.code != self._needed.code:
            return "its grader, tasks or boards are not those of this run"
        if found.tier < self._needed.tier:
            return f"expected tier {self._needed.tier}, found {found.tier} at best"
        return ""
