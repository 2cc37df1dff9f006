"""Grade one submission of a class run, in any worker process.

The run and a worker exchange only `Job` and `Graded`, so the worker may be a process on this machine or on
another.
"""

import contextlib
import hashlib
import tempfile
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from grader import folders, paths
from grader.catalog import yaml_file
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Task, registry
from grader.course.store import UNREAD, Graded, Sources, Todo
from grader.judging import board_sets, calibration, kinds
from grader.judging.board_choice import BoardChoice
from grader.judging.board_sets import GradedBoards, checks_of
from grader.judging.grading import Choice, Grading
from grader.judging.task_run import settle
from grader.messages.catalogue import say
from grader.paths import DISTRIBUTION
from grader.reports import provenance
from grader.reports.provenance import version_of
from grader.result import Result, Verdict, any_fault
from grader.safe_text import one_line
from grader.sandbox.confine import kernel, tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission, framework_digest

JUDGING_ROOMS = ("catalog", "judging", "messages", "sandbox", "submissions")


@cache
def _boards(choice: BoardChoice | None) -> GradedBoards | None:
    """Return the boards that are chosen, those of a private set from its files; None: the tasks' own."""
    if choice is None:
        return None
    if not choice.files:
        return board_sets.boards_of(choice)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in choice.files:
            (Path(folder) / name).write_text(text, "utf-8")
        return _Loaded(board_sets.boards_of(replace(choice, folder=Path(folder))))


class _Loaded:
    """A set of boards that is read completely, and so no longer needs its folder."""

    def __init__(self, boards: GradedBoards) -> None:
        self.names = boards.names
        self.where_listed = boards.where_listed
        self.checks = boards.checks
        self._found = {name: boards.find(name) for name in boards.names}

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name` from the set, or else from the course."""
        return self._found.get(name) or course_boards().find(name)


@dataclass(frozen=True)
class Part:
    """A task of a submission."""

    todo: Todo
    sources: Sources
    # None to run the visible checks; their results, as `Graded` had them, to run the hidden ones
    begun: Sequence[Result] | None = None


@dataclass(frozen=True)
class Job:
    """All that a worker needs to grade a submission."""

    parts: tuple[Part, ...]
    boards: BoardChoice | None
    tier: int
    code: str
    cores: int = 1
    beside: int = 1
    # when it is graded, as students read it: in a class when the run began, since the time between two
    # results would tell how long a hidden check took
    date: str = field(default_factory=provenance.now)
    run: str = ""  # the run that it belongs to; the workers of a cluster outlive it, but no sandbox may


@dataclass(frozen=True)
class Abilities:
    """The abilities of a worker, which gets work only if they match the run's needs."""

    version: str
    code: str
    tier: int


class WrongWorkerError(Exception):
    """The worker's grader differs from the run's."""


def abilities() -> Abilities:
    """Return the abilities of this process."""
    tier = next(tier.number for tier in reversed(tiers.TIERS) if tiers.missing(tier.number) is None)
    return Abilities(version_of(DISTRIBUTION), code_digest(), tier)


@cache
def code_digest() -> str:
    """Return a digest of everything that determines verdicts: the judging code, the tasks and the boards."""
    return _digest_of(judge_digest(), [paths.TASKS_FILE, *paths.BOARDS.iterdir()])


@cache
def judge_digest() -> str:
    """Return a digest of the judging code, the framework included."""
    return _digest_of(
        framework_digest(), [file for room in JUDGING_ROOMS for file in (paths.PACKAGE / room).rglob("*.py")]
    )


def _digest_of(base: str, files: Sequence[Path]) -> str:
    digest = hashlib.sha256(base.encode())
    for file in sorted(files):
        if file.is_file():
            digest.update(f"{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:32]


def grade_job(job: Job) -> list[Graded]:
    """Grade a job, and return the outcome of each part.

    Raises:
        WrongWorkerError: this worker's grader differs from the run's.
    """
    if job.code != code_digest():
        raise WrongWorkerError(f"its grader is another one ({version_of(DISTRIBUTION)}) than that of the run")
    try:
        sandbox = _sandbox(job.tier, job.run)
        place = sandbox.folder("job-")  # not in the cache, since the same job may run twice at a time
        try:
            return _grade(job, sandbox, place)
        finally:
            folders.remove(place)
    except BaseException:
        end_worker()  # the next job then gets a new sandbox
        raise


def _grade(job: Job, sandbox: Sandbox, place: Path) -> list[Graded]:
    sources = {part.todo.task: part.sources for part in job.parts}
    factor = calibration.factor()
    choice = Choice(Path("student"), (), _boards(job.boards), tier=job.tier, time_factor=factor)

    def read(task: Task) -> Submission:
        of_task = sources[task.name]
        if of_task.problem:
            raise SubmissionFault(of_task.problem, of_task.help, of_task.missing, of_task.raw == UNREAD)
        return Submission("student", dict(of_task.files), place)

    made = replace(provenance.here(), date=job.date)
    grading = Grading(
        choice, registry(), lambda *_: None, sandbox, read=read, cores=job.cores, graders=job.beside
    )
    tasks = [registry().find(task) for task in sources]
    runs = grading.half(tasks, [part.begun for part in job.parts])
    found = []
    for part, run in zip(job.parts, runs, strict=True):
        begun = run.begun
        results = run.results() if begun is None else begun
        found.append(Graded(part.todo, job.tier, factor, results, made, begun is not None))
    if any(any_fault(graded.results) for graded in found):
        end_worker()
    return found


def failed(job: Job, why: str) -> list[Graded]:
    """Return the outcome of a job that no worker could finish: its checks are faults of the grader."""
    fault = say("grader-fault", fault=one_line(why), report="")
    boards = _boards(job.boards)
    found = []
    for part in job.parts:
        task = registry().find(part.todo.task)
        kind, checks, begun = kinds.of(task), checks_of(task, boards), deque(part.begun or ())
        used = [find_board(check.board, boards) if kind.has_board(check) else None for check in checks]
        results = []
        for check, board in zip(checks, used, strict=True):
            hidden = board is not None and board.hidden
            blank = Result(task.name, check.name, Verdict.GRADER_ERROR, check.points, tier=job.tier)
            ours = replace(blank, **fault.fields, hidden=hidden)
            results.append(ours if hidden or not begun else begun.popleft())
        settled = settle(task, results, [*zip(checks, used, strict=True)])
        found.append(Graded(part.todo, job.tier, 1.0, settled))
    return found


def _sandbox(tier: int, run: str = "") -> Sandbox:
    """Return this thread's sandbox, which is kept from job to job of a run, with its zygote started."""
    kept: Sandbox | None = getattr(_of_thread, "sandbox", None)
    if kept is None or kept.tier != tier or _of_thread.run not in ("", run):
        end_worker()
        kernel.hide_memory()
        kept = _of_thread.sandbox = Sandbox(tier, False, threading.Event(), many=True)
    _of_thread.run = run
    kept.warm()
    return kept


def prepare_worker(tier: int) -> None:
    """Start the sandbox that jobs of this tier will use, and read meanwhile what the first of them needs."""
    _sandbox(tier)
    import grader.sandbox.parent.runner  # noqa: F401 - which a sandbox imports when it is first used

    with contextlib.suppress(Exception):  # which the first job meets again, and reports
        course_boards()
        code_digest()


def end_worker() -> None:
    """End the sandbox that this thread keeps for its jobs."""
    kept: Sandbox | None = getattr(_of_thread, "sandbox", None)
    if kept is not None:
        _of_thread.sandbox = None
        kept.__exit__()


_of_thread = threading.local()


def board_files(folder: Path | None) -> Mapping[str, str]:
    """Return the files of a private set of boards by name; it was read before, so they can be read."""
    if folder is None:
        return {}
    index = folder / "index.yaml"
    listed = yaml_file.read_mapping(index, "").mapping("boards")
    files = (index, *(folder / f"{name}.txt" for name in listed))
    return {file.name: file.read_text("utf-8", "replace") for file in files}
