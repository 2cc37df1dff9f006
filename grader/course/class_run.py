"""Grade a class: store the submissions, give those without results to workers, and store the results."""

import hashlib
import json
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import asdict, replace
from functools import cache

from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Task
from grader.course import jobs
from grader.course.handins.intake import Handin, Intake
from grader.course.jobs import Job, Part, failed, grade_job
from grader.course.records import Attempt
from grader.course.store import UNREAD, ClassStore, Graded, Setting, Sources, Todo, text_digest
from grader.course.workers import Workers
from grader.judging import kinds
from grader.judging.board_choice import BoardChoice
from grader.judging.board_sets import GradedBoards, checks_of
from grader.reports.provenance import now
from grader.submissions import slips
from grader.submissions.source_file import SubmissionFault, decode_source
from grader.submissions.submission import submission_from

Reads = Callable[[str], bytes | None]  # may raise SubmissionFault
AHEAD = 2  # jobs given out per place, so that no place waits for its next job
TICK_S = 1.0  # between two polls of the list of workers
STRIKES = 3  # worker deaths after which a job is reported as a fault of the grader


class Pool:
    """Runs jobs; a job whose worker dies is run again.

    If it is unknown which of several running jobs killed a worker, each of their parts is run again alone, as
    is each part of a job in which the grader failed. So a task that kills its worker every time ends as a
    fault of the grader, and no other task is affected.
    """

    def __init__(
        self, jobs: Iterable[Job], workers: Workers, grade: Callable[[Job], list[Graded]] = grade_job
    ) -> None:
        self._jobs = iter(jobs)
        self._workers = workers
        self._grade = grade
        self._again: deque[Job] = deque()
        self._suspects: deque[Job] = deque()
        self._in_work: dict[Future[list[Graded]], Job] = {}
        self._alone = False  # whether the running job is a suspect
        self._strikes: Counter[Todo] = Counter()  # deaths by suspect; a suspect has only one part

    def results(self) -> Iterator[Graded]:
        """Yield the outcome of each part of each job, in the order in which the jobs end."""
        while True:
            waits = self.give_out()
            if not self._in_work and not waits:
                return
            if self._in_work:
                done, _ = wait(self._in_work, TICK_S, FIRST_COMPLETED)
                yield from self._take(done)
            else:
                time.sleep(TICK_S)  # there are no workers now
            if self._workers.have_changed():
                self._take_back()

    def give_out(self) -> bool:
        """Give jobs to the workers while there are places; return whether any job is still waiting."""
        while True:
            places = AHEAD * self._workers.places
            if len(self._in_work) >= places or (self._in_work and (self._alone or self._suspects)):
                return True
            self._alone = bool(self._suspects)
            waiting = self._suspects or self._again
            job = waiting.popleft() if waiting else next(self._jobs, None)
            if job is None:
                return False
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
            elif not self._workers.lost(error) and len(job.parts) > 1:
                self._again.extend(replace(job, parts=(part,)) for part in job.parts)
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
            self._suspects.extend(replace(job, parts=(part,)) for job in lost for part in job.parts)

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


def take_class(
    store: ClassStore,
    intake: Intake,
    tasks: Sequence[Task],
    boards: GradedBoards | None,
    only: Collection[str] = (),
) -> None:
    """Put the submissions, of all or of some students, into the store; results that it has are kept."""
    attempts = (_read(handin, tasks) for handin in intake.handins)
    store.take_class(intake.students, attempts, [_setting(task, boards) for task in tasks], only)


def grade_class(
    store: ClassStore, todo: Sequence[Sequence[Todo]], workers: Workers, boards: BoardChoice | None, tier: int
) -> Iterator[Graded]:
    """Begin to grade the submissions in random order; the iterator yields each result once it is stored.

    All visible checks of the class come before the first hidden one. What a hidden check does may be noticed
    by a check beside it or after it, so that must be one of which students read no more than whether it
    passed. The random order keeps anybody from knowing whose check it was.

    Raises:
        InputError: the store cannot be written, or no workers are left; results already yielded stay stored.
    """
    code, cores = jobs.code_digest(), workers.cores_for_each(len(todo))
    date, run = now(), secrets.token_hex()

    def work(hidden: bool) -> Iterator[Job]:
        for each in secrets.SystemRandom().sample(todo, len(todo)):
            parts = [
                Part(one, store.sources_called(one.sources), begun)
                for one in each
                if ((begun := store.begun(one, tier)) is not None) == hidden
            ]
            if parts:
                yield Job(tuple(parts), boards, tier, code, cores, workers.beside(len(todo)), date, run)

    pools = [Pool(work(hidden), workers) for hidden in (False, True)]
    pools[0].give_out()  # so that they run before anybody waits for results
    return _kept(store, pools)


def _kept(store: ClassStore, pools: Sequence[Pool]) -> Iterator[Graded]:
    """Yield what the pools return, each pool after the one before it has ended; each takes its jobs then."""
    for pool in pools:
        for graded in pool.results():
            store.keep(graded)
            yield graded


def _read(handin: Handin, tasks: Sequence[Task]) -> tuple[Attempt, Mapping[str, Sources]]:
    """Return an attempt and the files handed in for each task, reading each file once."""
    attempt, read = handin.attempt, _once(handin.read)
    if attempt.problem:
        names = dict.fromkeys(name for task in tasks for name in task.files)
        help = f"{attempt.help}: {', '.join(names)}" if handin.missing else attempt.help
        nothing = Sources({}, attempt.problem, help, UNREAD * handin.ours, handin.missing)
        return attempt, {task.name: nothing for task in tasks}
    found = {}
    for task in tasks:
        try:
            found[task.name] = Sources(submission_from("student", task.files, read, True).sources)
        except SubmissionFault as fault:
            raw = UNREAD if fault.ours else _raw_digest(task, read)
            found[task.name] = Sources({}, fault.message, fault.help, raw, fault.missing)
    return replace(attempt, slips=tuple(slips.few([*attempt.slips, *_slips(handin, tasks, read)]))), found


def _once(read: Reads) -> Reads:
    """Return a function that reads each file once, also one that cannot be used."""

    @cache
    def outcome(name: str) -> bytes | SubmissionFault | None:
        try:
            return read(name)
        except SubmissionFault as fault:
            return fault

    def again(name: str) -> bytes | None:
        found = outcome(name)
        if isinstance(found, SubmissionFault):
            raise found
        return found

    return again


def _raw_digest(task: Task, read: Reads) -> str:
    """Return a digest of the bytes of a task's own file; empty if there is none, or it cannot be read."""
    try:
        raw = read(task.file)
    except SubmissionFault:
        raw = None
    return hashlib.sha256(raw).hexdigest()[:32] if raw else ""


def _slips(handin: Handin, tasks: Sequence[Task], read: Reads) -> list[str]:
    """Return the slips that only the content of the files shows."""
    sources, problems = {}, {}
    for name in handin.names:
        try:
            sources[name] = decode_source(name, read(name) or b"")
        except SubmissionFault as fault:
            problems[name] = fault.message.removeprefix("student/")
    needs = {task.file: task.files[:1] for task in tasks if task.file != task.files[0]}
    wanted = {name for task in tasks for name in task.files}
    return [
        *slips.of_content(sources, problems, needs, handin.beside),
        *slips.left_over(wanted, handin.names, handin.beside),
    ]


def _setting(task: Task, boards: GradedBoards | None) -> Setting:
    """Return all that a task's grading depends on but the files; if it changes, the task is graded again."""
    kind = kinds.of(task)
    own = boards is None or not kind.takes_boards
    checks = checks_of(task, boards)
    names = sorted({name for check in checks if kind.has_board(check) for name in check.boards})
    found = [find_board(name, course_boards() if own or boards is None else boards) for name in names]
    return Setting(
        task.name,
        {
            "boards": _digest(
                [[board.name, board.board.tobytes().hex(), asdict(board.facts)] for board in found]
            ),
            "checks": _digest([asdict(check) for check in checks]),
            "task": _digest([task.kind, task.files, task.table, task.memory_mib]),
            "grader": jobs.judge_digest(),
        },
    )


def _digest(data: object) -> str:
    return text_digest(json.dumps(data, sort_keys=True))
