"""`grade class DIR`: grade a whole class, keep it, and write what a course needs of it."""

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from grader import errors, paths
from grader.catalog.boards import unknown
from grader.catalog.tasks import chosen_tasks, registry
from grader.course import class_run, jobs
from grader.course.handins.intake import Intake, take_in
from grader.course.jobs import BoardChoice
from grader.course.reports.all_reports import check_formats, write_reports
from grader.course.reports.standings import BOARDS
from grader.course.rules.policies import attempts_that_may_count, unknown_extensions
from grader.course.rules.policy_file import read_policies
from grader.course.store import ClassStore, Graded, Todo
from grader.course.workers import Cluster, Processes, Workers
from grader.errors import InputError
from grader.judging import board_sets
from grader.messages.phrases import count
from grader.result import Verdict
from grader.sandbox.confine import tiers

OPTIONS = "options"  # the store's note of what was typed last
EVERY_S = 0.2  # between two lines of progress on a terminal
SHARE = 10  # lines of progress in all where there is no terminal


@dataclass(frozen=True)
class Typed:
    """What was typed.

    Attributes:
        folder: the submissions, or a platform's download.
        tasks: names of tasks, or `all`; empty for all.
        output: the folder for what comes of it; None for one beside `folder`.
        roster: a CSV file with the students, or None.
        policy: the course.yaml, or None.
        attempt: `latest` or `best` in the place of what the policy says.
        only: students to grade; empty for all.
        again: students and tasks to grade again: of students all tasks, of tasks all students, of both those.
        board_folder: a private set of boards, or None.
        boards: what else was typed about the boards.
        formats: of the feedback files.
        named: whether the leaderboard has names instead of pseudonyms.
        scheduler: the address of a Dask scheduler, or None for processes here.
        tier: what must hold the students' processes; None for the best that is had by itself.
    """

    folder: Path
    tasks: tuple[str, ...]
    output: Path | None
    roster: Path | None
    policy: Path | None
    attempt: str | None
    only: tuple[str, ...]
    again: tuple[str, ...]
    board_folder: Path | None
    boards: BoardChoice
    formats: tuple[str, ...]
    named: bool
    scheduler: str | None
    tier: int | None


def run(typed: Typed) -> int:
    """Grade a class and return the exit status."""
    started = time.monotonic()
    tasks = chosen_tasks(typed.tasks or ("all",))
    check_formats(typed.formats)
    board_set, options = board_sets.chosen(
        typed.board_folder, typed.boards.count, typed.boards.seed, typed.boards.turn, typed.boards.also_own
    )
    boards = replace(typed.boards, files=tuple(jobs.board_files(typed.board_folder).items()))
    needed = tiers.best() if typed.tier is None else tiers.require(typed.tier)
    policies = read_policies(typed.policy, tasks)
    if typed.attempt is not None:
        policies = policies.with_attempt(typed.attempt)
    intake = take_in(typed.folder, typed.roster)
    _say(f"{paths.shown(typed.folder)}: {intake.layout}, {count(len(intake.students), 'student')}, "
         f"{count(len(intake.handins), 'submission')}")  # fmt: skip
    for note in [*intake.notes, *unknown_extensions(policies, intake.students)]:
        _say(note)
    students = _named_students(typed.only, intake)
    again_tasks = [each for each in typed.again if each in [task.name for task in tasks]]
    _check_regraded(typed.again, again_tasks, [student.id for student in intake.students])
    again_students = _named_students([each for each in typed.again if each not in again_tasks], intake)
    folder = typed.folder.resolve()
    output = typed.output or folder.with_name(f"{folder.stem}-graded")
    with ClassStore(output, create=True) as store:
        class_run.take_class(store, intake, tasks, board_set)
        store.note(BOARDS, _as_students_read(typed.board_folder, options))
        _tell_what_is_left_out(
            store, {"--roster": typed.roster, "--policy": typed.policy, options.strip(): options or None}
        )
        if typed.again:
            wanted = store.want_again(
                again_students or [student.id for student in intake.students],
                again_tasks or [task.name for task in tasks],
            )
            _say(f"--regrade: {count(wanted, 'result')} to be made again; the old ones stand until then")
        counted = {
            student.id: sorted(attempts_that_may_count(policies, student, store.attempts(student.id)))
            for student in intake.students
            if not typed.only or student.id in students
        }
        todo = store.todo(counted)
        try:
            faults = _grade(store, todo, boards, needed, typed.scheduler) if todo else 0
            files = write_reports(store, policies, output, typed.formats, typed.named)
        except KeyboardInterrupt:
            _say("stopped; what was graded is kept, and the same command goes on")
            return errors.INTERRUPTED
    took = time.monotonic() - started
    _say(f"graded {count(sum(map(len, todo)), 'task')} of {count(len(counted), 'student')} in {took:.0f} s"
         if todo else "nothing to grade: all of it is graded already")  # fmt: skip
    if faults:
        _say(f"{count(faults, 'task')} could not be graded, by the grader's own fault; "
             "type the same command again to have them graded")  # fmt: skip
    click.echo(
        f"{paths.shown(output)}: {count(len(files), 'file')}; look at {paths.shown(output / 'index.html')}"
    )
    return errors.OUR_FAULT if faults else errors.FULL_MARKS


def _tell_what_is_left_out(store: ClassStore, typed: Mapping[str, object]) -> None:
    """Say what the last run in the same folder was told and this one was not: it changes the gradebook."""
    now = {name: "" if name == str(value).strip() else str(value) for name, value in typed.items() if value}
    before = json.loads(store.noted(OPTIONS) or "{}")
    if lost := [f"{name} {value}".strip() for name, value in before.items() if name not in now]:
        _say(f"not as the last time: without {', '.join(lost)}")
    store.note(OPTIONS, json.dumps(now))


def _check_regraded(again: Sequence[str], tasks: Sequence[str], students: Sequence[str]) -> None:
    """Raise InputError for a task that is to be graded again, but is not graded in this run."""
    for each in again:
        if each in registry().tasks and each not in tasks and each not in students:
            raise InputError(
                f"--regrade {each}: this run does not grade that task",
                f"name it, too: grade class DIR {each} --regrade {each}",
            )


def _as_students_read(board_folder: Path | None, options: str) -> str:
    """Return the options that chose the boards; where a private set is kept is nothing to students."""
    return options if board_folder is None else options.replace(paths.shown(board_folder), board_folder.name)


def _grade(
    store: ClassStore, todo: Sequence[Sequence[Todo]], boards: BoardChoice, tier: int, scheduler: str | None
) -> int:
    """Grade what is to be graded; return how many tasks the grader could not."""
    workers: Workers
    if scheduler is None:
        workers = Processes()
    else:
        workers = Cluster(scheduler, replace(jobs.abilities(), tier=tier), _say)
    progress = _Progress(sum(map(len, todo)))
    faults = 0
    try:
        for graded in class_run.grade_class(store, todo, workers, boards, tier):
            faults += any(result.verdict == Verdict.GRADER_ERROR for result in graded.results)
            progress.done(graded)
    finally:
        progress.end()
        workers.close()
    return faults


def _named_students(named: Sequence[str], intake: Intake) -> set[str]:
    """Return the ids of the students that are named by id or e-mail.

    Raises:
        InputError: there is no such student.
    """
    known = {student.id: student.id for student in intake.students}
    known |= {student.email: student.id for student in intake.students if student.email}
    for each in named:
        if each not in known:
            raise unknown("student", each, known, "name them as gradebook.csv does, by id or e-mail")
    return {known[each] for each in named}


class _Progress:
    """Tells how far the run is: a line that is written over on a terminal, some lines elsewhere."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks
        self._done = 0
        self._checks = 0
        self._verdicts: Counter[str] = Counter()
        self._began = time.monotonic()
        self._shown = 0.0
        self._on_terminal = sys.stderr.isatty()

    def done(self, graded: Graded) -> None:
        """Count a task that is graded, and tell."""
        self._done += 1
        self._checks += sum(result.verdict != Verdict.NOT_RUN for result in graded.results)
        self._verdicts.update(str(result.verdict) for result in graded.results)
        now = time.monotonic()
        if self._on_terminal and now - self._shown > EVERY_S:
            self._shown = now
            click.echo(f"\r\x1b[K{self.said()}"[: 3 + 100], nl=False, err=True)
        elif (
            not self._on_terminal
            and self._done * SHARE // self._tasks > (self._done - 1) * SHARE // self._tasks
        ):
            _say(self.said())

    def said(self) -> str:
        """Return how far it is: tasks, checks a second, the time that is left, the verdicts so far."""
        took = max(time.monotonic() - self._began, 0.001)
        left = (self._tasks - self._done) * took / max(self._done, 1)
        verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in self._verdicts.most_common(3))
        return (
            f"{self._done:,} of {count(self._tasks, 'task')}, {self._checks / took:.0f} checks a second, "
            f"{_duration(left)} left: {verdicts}"
        )

    def end(self) -> None:
        """Leave the line of the terminal."""
        if self._on_terminal:
            click.echo("\r\x1b[K", nl=False, err=True)


def _duration(seconds: float) -> str:
    minutes = int(seconds + 59) // 60
    return (
        f"{seconds:.0f} s"
        if seconds < 100
        else f"{minutes} min"
        if minutes < 100
        else f"{minutes / 60:.1f} h"
    )


def _say(line: str) -> None:
    click.echo(line, err=True)
