"""Grade a class: store the submissions, grade those without results, and store the results."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache

from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Task
from grader.course import jobs
from grader.course.cluster import Workers
from grader.course.handins.handin import Handin
from grader.course.handins.intake import Intake
from grader.course.jobs import BoardChoice, Job, Part
from grader.course.pool import Pool
from grader.course.records import Attempt
from grader.course.store import ClassStore, Graded, Setting, Sources, Todo
from grader.judging import kinds
from grader.judging.board_sets import GradedBoards, checks_of
from grader.reports import provenance
from grader.submissions import slips
from grader.submissions.source_file import SubmissionFault, decode_source
from grader.submissions.submission import framework_digest, submission_from

Reads = Callable[[str], bytes | None]  # may raise SubmissionFault


def take_class(store: ClassStore, intake: Intake, tasks: Sequence[Task], boards: GradedBoards | None) -> None:
    """Put the submissions into the store; results that it already has are kept."""
    attempts = (_read(handin, tasks) for handin in intake.handins)
    store.take_class(intake.students, attempts, [_setting(task, boards) for task in tasks])


def grade_class(
    store: ClassStore, todo: Sequence[Sequence[Todo]], workers: Workers, boards: BoardChoice, tier: int
) -> Iterator[Graded]:
    """Begin to grade the submissions in random order; the iterator yields each result once it is stored.

    All visible checks of the class come before the first hidden one. What a hidden check does may be noticed
    by a check beside it or after it, so that must be one of which students read no more than whether it
    passed. The random order keeps anybody from knowing whose check it was.

    Raises:
        InputError: the store cannot be written, or no workers are left; results already yielded stay stored.
    """
    code, cores = jobs.code_digest(), workers.cores_for_each(len(todo))
    date, run = provenance.now(), secrets.token_hex()

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
    pools[0].begin()
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
        nothing = Sources({}, attempt.problem, help, missing=handin.missing)
        return attempt, {task.name: nothing for task in tasks}
    found = {}
    for task in tasks:
        try:
            found[task.name] = Sources(submission_from("student", task.files, read).sources)
        except SubmissionFault as fault:
            raw = _raw_digest(task, read)
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
    return slips.of_content(sources, problems, needs, handin.beside)


def _setting(task: Task, boards: GradedBoards | None) -> Setting:
    """Return all that a task's grading depends on but the files; if it changes, the task is graded again."""
    kind = kinds.of(task)
    own = boards is None or not kind.takes_boards
    checks = checks_of(task, boards)
    names = sorted({check.board for check in checks if kind.has_board(check)})
    found = [find_board(name, course_boards() if own or boards is None else boards) for name in names]
    return Setting(
        task.name,
        {
            "boards": _digest(
                [[board.name, board.board.tobytes().hex(), asdict(board.facts)] for board in found]
            ),
            "checks": _digest([asdict(check) for check in checks]),
            "task": _digest([task.kind, task.files, task.table, task.memory_mib]),
            "framework": framework_digest()[:32],
            "grader": jobs.version(),
        },
    )


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]
