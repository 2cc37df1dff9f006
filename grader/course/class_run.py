"""Grade a class: store the submissions, grade those without results, and store the results."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache

from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Task
from grader.course import jobs
from grader.course.handins.intake import Handin, Intake
from grader.course.jobs import BoardChoice, Job, Part
from grader.course.pool import Pool
from grader.course.store import ClassStore, Graded, Setting, Sources, Todo
from grader.course.workers import Workers
from grader.judging import kinds
from grader.judging.board_sets import GradedBoards
from grader.submissions.submission import SubmissionFault, framework_digest, submission_from


def take_class(store: ClassStore, intake: Intake, tasks: Sequence[Task], boards: GradedBoards | None) -> None:
    """Put the submissions into the store; results that it already has are kept.

    Args:
        store: the store.
        intake: the class and its submissions.
        tasks: the tasks to grade.
        boards: the boards that replace the tasks' own, or None.
    """
    attempts = ((handin.attempt, _sources(handin, tasks)) for handin in intake.handins)
    store.take_class(intake.students, attempts, [_setting(task, boards) for task in tasks])


def grade_class(
    store: ClassStore, todo: Sequence[Sequence[Todo]], workers: Workers, boards: BoardChoice, tier: int
) -> Iterator[Graded]:
    """Grade the submissions in random order, and yield each result as soon as it is stored.

    A submission can see when it starts, so it can tell how long the submission before it took, even in hidden
    checks. The random order keeps it from knowing whose submission that was.

    Raises:
        InputError: the store cannot be written, or no workers are left; results already yielded stay stored.
    """
    code = jobs.code_digest()
    work = (
        Job(tuple(Part(todo, store.sources_called(todo.sources)) for todo in each), boards, tier, code)
        for each in secrets.SystemRandom().sample(todo, len(todo))
    )
    for graded in Pool(work, workers).results():
        store.keep(graded)
        yield graded


def _sources(handin: Handin, tasks: Sequence[Task]) -> Mapping[str, Sources]:
    """Return the files handed in for each task, reading each file once."""
    attempt, read = handin.attempt, cache(handin.read)
    if attempt.problem:
        return {task.name: Sources({}, attempt.problem, attempt.help) for task in tasks}
    found = {}
    for task in tasks:
        try:
            found[task.name] = Sources(submission_from("student", task.files, read).sources)
        except SubmissionFault as fault:
            found[task.name] = Sources({}, fault.message, fault.help)
    return found


def _setting(task: Task, boards: GradedBoards | None) -> Setting:
    """Return all that a task's grading depends on but the files; if it changes, the task is graded again."""
    kind = kinds.of(task)
    own = boards is None or not kind.takes_boards
    checks = task.checks if own or boards is None else boards.checks(task)
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
