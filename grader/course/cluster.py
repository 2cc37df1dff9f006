"""Provide the workers of a Dask cluster for a class run."""

import contextlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any
from urllib.parse import urlsplit

from grader.course.jobs import Abilities, abilities
from grader.course.workers import Processes
from grader.errors import InputError
from grader.messages.phrases import count

CONNECT_S = 5.0
Say = Callable[[str], None]


class Cluster:
    """The workers of a Dask cluster that have the run's own grader and can provide its sandbox tier."""

    def __init__(self, address: str, needed: Abilities, say: Say) -> None:
        """Connect to the cluster."""
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
