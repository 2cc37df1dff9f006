"""Run jobs on workers, and yield each result exactly once even if workers die."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait

from grader.course.cluster import Workers
from grader.course.jobs import Job, failed, grade_job
from grader.course.store import Graded, Todo

AHEAD = 2  # jobs given out per place, so that no place waits for its next job
TICK_S = 1.0  # between two polls of the list of workers
STRIKES = 3  # worker deaths after which a job is reported as a fault of the grader


class Pool:
    """Runs jobs; a job whose worker dies is run again.

    If it is unknown which of several running jobs killed a worker, each of their parts is run again alone.
    So a task that kills its worker every time ends as a fault of the grader, and no other task is affected.
    """

    def __init__(
        self, jobs: Iterable[Job], workers: Workers, grade: Callable[[Job], list[Graded]] = grade_job
    ) -> None:
        """Prepare the pool.

        Args:
            jobs: the jobs; the next one is taken when there is a place for it.
        """
        self._jobs = iter(jobs)
        self._workers = workers
        self._grade = grade
        self._again: deque[Job] = deque()
        self._suspects: deque[Job] = deque()
        self._in_work: dict[Future[list[Graded]], Job] = {}
        self._alone = False  # whether the running job is a suspect
        self._strikes: Counter[Todo] = Counter()  # deaths by suspect; a suspect has only one part

    def begin(self) -> None:
        """Give out the first jobs, so that they run before anybody waits for results."""
        self._give_out()

    def results(self) -> Iterator[Graded]:
        """Yield the outcome of each part of each job, in the order in which the jobs end."""
        while True:
            waits = self._give_out()
            if not self._in_work and not waits:
                return
            if self._in_work:
                done, _ = wait(self._in_work, TICK_S, FIRST_COMPLETED)
                yield from self._take(done)
            else:
                time.sleep(TICK_S)  # there are no workers now
            if self._workers.have_changed():
                self._take_back()

    def _give_out(self) -> bool:
        """Give jobs to the workers while there are places; return whether any job is still waiting."""
        while True:
            places = AHEAD * self._workers.places
            if len(self._in_work) >= places or (self._in_work and (self._alone or self._suspects)):
                return True
            self._alone = bool(self._suspects)
            if self._suspects:
                job = self._suspects.popleft()
            elif self._again:
                job = self._again.popleft()
            else:
                following = next(self._jobs, None)
                if following is None:
                    return False
                job = following
            try:
                future = self._workers.executor().submit(self._grade, job)
            except BrokenExecutor:  # a worker died while it was idle
                self._workers.renew()
                self._again.appendleft(job)
                continue
            self._in_work[future] = job

    def _take(self, done: Iterable[Future[list[Graded]]]) -> Iterator[Graded]:
        """Yield the results of finished jobs, and put aside the jobs whose worker died, to run them again."""
        lost = []
        for future in done:
            job = self._in_work.pop(future)
            error = _error(future)
            if error is None:
                yield from future.result()
            elif not self._workers.lost(error):
                yield from failed(job, f"{type(error).__name__}: {error}")
            elif self._strikes[job.parts[0].todo] + 1 >= STRIKES:
                yield from failed(job, "its worker died each time it was tried")
            else:
                lost.append(job)
        if lost:
            if self._workers.renew():
                lost += self._in_work.values()
                self._in_work.clear()
            self._strikes.update(job.parts[0].todo for job in lost if self._alone)
            self._suspects.extend(part for job in lost for part in job.split())

    def _take_back(self) -> None:
        """Take back all jobs that were given out, to give them out again."""
        for future in self._in_work:
            future.cancel()
        self._again.extend(self._in_work.values())
        self._in_work.clear()


def _error(future: "Future[list[Graded]]") -> BaseException | None:
    """Return the exception that ended a job, or None if it has a result."""
    try:
        return future.exception()
    except BaseException as error:  # it was cancelled, for which Dask and Python have different exceptions
        return error
