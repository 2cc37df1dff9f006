"""`grade class DIR`: grade a whole class, store the results, and write the files that a course needs."""

import json
import os
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from grader import errors, paths
from grader.catalog.tasks import chosen_tasks, registry
from grader.commands import class_plan, options
from grader.commands.options import progress_line, space_notes
from grader.course import class_run, jobs
from grader.course.handins.intake import Intake, take_in
from grader.course.reports.all_reports import check_formats, get_ready, write_reports
from grader.course.reports.standings import BOARDS, COMMAND
from grader.course.rules.adjustments_file import read_adjustments
from grader.course.rules.applying import attempts_that_may_count
from grader.course.rules.policies import Given, not_graded, unknown_students
from grader.course.rules.policy_file import FIELDS, read_policies
from grader.course.store import ClassStore, Todo, holds_other_files
from grader.course.workers import Cluster, Processes, Workers
from grader.errors import InputError, unknown
from grader.judging import board_sets
from grader.judging.board_choice import LEAST_SEED, BoardChoice, new_seed
from grader.messages.phrases import count
from grader.result import any_fault
from grader.safe_text import listed, shown_text
from grader.sandbox.confine import offers, tiers

COURSE = "course.yaml"
GIVEN = "given"  # key of the store's note with what the last run was given
NAMED_OTHERWISE = {  # options of former versions whose lines have other names
    "policy": f"save that file as {COURSE}",
    "names": f"write `leaderboard: names` in {COURSE}",
}
EVERY_S = 0.2  # between two updates of the progress line on a terminal


class _Class(click.Command):
    """The command; what the course says of every run is a line of course.yaml, and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args`; of an option with the name of such a line, say where to write it."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            field = error.option_name.lstrip("-")
            if field not in (*FIELDS, *NAMED_OTHERWISE):
                raise
            help = NAMED_OTHERWISE.get(field, f"write `{field}: ...` in {COURSE}")
            raise InputError(
                f"{error.option_name}: is not an option; {COURSE} says it",
                f"{help}, in the folder where you type `grade class`",
            ) from None


@click.command("class", cls=_Class)
@click.argument("folder", metavar="DIR", type=options.PATH)
@click.argument("names", nargs=-1, metavar="[TASK]...")
@click.option(
    "-o", "output", type=options.PATH, metavar="OUT",
    help="Output folder; reuse it to resume a run (default: DIR-graded).",
)  # fmt: skip
@click.option("--only", multiple=True, metavar="WHO", help="Grade only this student (repeatable).")
@click.option(
    "--regrade", multiple=True, metavar="WHO|TASK",
    help="Also grade this student or task again, even if graded already (repeatable).",
)  # fmt: skip
@click.option(
    "--scheduler", metavar="tcp://HOST:PORT", help="Grade on a Dask cluster instead of in local processes."
)
@click.option(
    "--viva", "with_viva", is_flag=True,
    help="Also write questions for each student about their own files, for a talk: OUT/viva.",
)  # fmt: skip
@click.option(
    "-j", "processes", type=click.IntRange(min=1), metavar="N",
    help="Grade in N processes at the same time (default: one per core).",
)  # fmt: skip
@click.option(
    "--dry-run", is_flag=True, help="Only say who was found, and what would be graded; write nothing."
)
@options.TIER
def class_(
    folder: Path,
    names: tuple[str, ...],
    output: Path | None,
    only: tuple[str, ...],
    regrade: tuple[str, ...],
    scheduler: str | None,
    with_viva: bool,
    processes: int | None,
    dry_run: bool,
    tier: int | None,
) -> int:
    """Grade a class. DIR is a folder of submissions, or what a course platform exports.

    If no TASK is named, all tasks are graded but the extra ones without a weight in course.yaml. That file,
    in the folder where you type this, names the roster, the rules, the boards and what students get.

    Each run writes the files in OUT anew: change points by adjustments in course.yaml, not there.
    """
    if not offers.compiles():
        raise InputError("class: needs numba", options.NO_COMPILER)
    for library in ("jinja2", "distributed") if scheduler else ("jinja2",):
        if find_spec(library) is None:
            raise InputError(
                f"class: needs {library}, which is not installed; nothing was graded",
                "it belongs to the extra `class`; in the course's folder: pip install '.[class]'",
            )
    if scheduler and processes:
        raise InputError("-j is for processes on this machine", "leave out -j or --scheduler")
    started = time.monotonic()
    named = chosen_tasks(names) if names else []
    course = _course_file(folder)
    every = [*registry().tasks.values()]
    policies = read_policies(course, every)
    counting = {task.name for task in policies.tasks if task.counts}
    tasks = named or [task for task in every if task.name in counting]
    given, others = policies.given, policies.given.boards
    check_formats(given.feedback)
    if with_viva:
        from grader.commands import class_viva  # which imports much that no other run needs

        class_viva.to_ask_about(tasks)
    tier = tiers.chosen(tier, guarded=True, private=others is not None and others.hidden)
    if lower := tiers.note(tier):
        _say(lower)
    for note in space_notes():
        _say(note)
    board_set, set_options = None, ""
    if others is not None:
        board_set, set_options = board_sets.boards_of(others), others.options
        if others.count and others.seed < LEAST_SEED:
            found = f"random:{others.count}:{others.seed}: the seed is found by trying"
            _say(f"{found}; one that is not: {new_seed()}")
        others = replace(others, files=tuple(jobs.board_files(others.folder).items()))
    for line in board_sets.not_judged(tasks, board_set, set_options):
        _say(line)
    memory_mib = max(task.memory_mib for task in tasks)
    processes_here = None if scheduler or dry_run else Processes(processes, memory_mib)
    if processes_here:
        if processes and processes_here.places < processes:
            _say(f"-j {processes}: this machine has memory for {processes_here.places}")
        click.get_current_context().call_on_close(processes_here.close)
        processes_here.prepare(tier)  # while the class is taken in
    zone = policies.zone if policies.has_zone else None
    intake = take_in(folder, given.roster, given.times, zone, policies.merges)
    _say(f"{paths.shown(folder)}: {intake.layout}, {count(len(intake.students), 'student')}, "
         f"{count(len(intake.handins), 'submission')}")  # fmt: skip
    students = _named_students(only, intake)
    again_tasks = [each for each in regrade if each in [task.name for task in tasks]]
    _check_regraded(regrade, again_tasks, [student.id for student in intake.students])
    again_students = _named_students([each for each in regrade if each not in again_tasks], intake)
    whole = folder.resolve()
    output = output or whole.with_name(f"{whole.name if whole.is_dir() else whole.stem}-graded")
    if output.resolve() == whole:
        raise InputError(f"-o {paths.shown(output)}: the submissions are there", "name another folder")
    _check_owner(output)
    if holds_other_files(output):
        raise InputError(f"-o {paths.shown(output)}: holds other files", "name another folder: -o FOLDER")
    with class_plan.place(output, dry_run) as place, ClassStore(place, create=True) as store:
        _check_owner(output)  # somebody may have made it since; from now on nobody can replace ours
        if given.adjustments:
            policies = replace(policies, adjustments=read_adjustments(given.adjustments))
        notes = [*unknown_students(policies, intake.students), *not_graded(policies, tasks)]
        for note in [*intake.notes, *notes]:
            _say(note)
        policies = policies.for_tasks(tasks)
        before = _graded(store)
        class_run.take_class(store, intake, tasks, board_set, students)
        if packed := store.with_slips():
            _say(f"{count(len(packed), 'student')} with remarks on the files, which are in "
                 f"summary.md: {listed(packed)}")  # fmt: skip
        if unread := store.unread():
            _say(f"your account cannot read all files of {listed(unread)}, which costs no points: "
                 "chmod -R u+rX, or grade as who owns them")  # fmt: skip
        store.note(COMMAND, " ".join(map(paths.quoted, ["grade", *sys.argv[1:]])))
        as_read = others  # by students: of a private set only the folder's name
        if others is not None and others.folder is not None:
            as_read = replace(others, folder=Path(others.folder.name))
        store.note(BOARDS, as_read.options if as_read else "")
        _report_missing(store, course, given, set_options)
        if regrade:
            wanted = store.want_again(
                again_students or [student.id for student in intake.students],
                again_tasks or [task.name for task in tasks],
            )
            _say(f"--regrade: {count(wanted, 'result')} to be graded again; the old ones are kept until then")
        counted = {
            student.id: sorted(attempts_that_may_count(policies, student, store.attempts(student.id)))
            for student in intake.students
            if not only or student.id in students
        }
        _report_left_out(store, before, counted)
        todo = store.todo(counted, tier)
        if dry_run:
            places = 0 if scheduler else Processes(processes, memory_mib).places
            click.echo(class_plan.format_plan(store, intake, todo, places))
            return errors.FULL_MARKS
        try:
            files = []
            if with_viva:  # before the hidden checks: the papers tell what the programs return
                files += class_viva.write_papers(store, counted, tasks, output / "viva", tier, _say)
            faults = _grade(store, todo, others, tier, processes_here or scheduler) if todo else 0
            _check_owner(output)  # where others may write, they may have put another folder there
            files += write_reports(
                store, policies, output, given.feedback, given.named, intake.worksheet, _say
            )
        except KeyboardInterrupt:
            _say("stopped; what was graded is kept: run the same command again to resume")
            return errors.INTERRUPTED
    took = time.monotonic() - started
    _say(f"graded {count(sum(map(len, todo)), 'task')} of {count(len(counted), 'student')} in {took:.0f} s"
         if todo else "nothing to grade: everything is graded already")  # fmt: skip
    if faults:
        _say(f"{count(faults, 'task')} could not be graded, through the grader's own fault; "
             "run the same command again to grade them")  # fmt: skip
    click.echo(
        f"{paths.shown(output)}: {count(len(files), 'file')}; look at {paths.shown(output / 'index.html')}"
    )
    return errors.OUR_FAULT if faults else errors.FULL_MARKS


def _course_file(handed_in: Path) -> Path | None:
    """Return the file with the course's rules in the current folder, if there is one."""
    file = Path(COURSE)
    if not file.is_file():
        for name in os.listdir():
            if name.casefold() in (COURSE, "course.yml"):
                raise InputError(
                    f"{paths.shown(Path(name))}: the course's rules are read from {COURSE}", "rename it"
                )
        return None
    if why := paths.foreign(file, of_group=Path().samefile(handed_in)):
        raise InputError(why, "type `grade class` in a folder of your own")
    _say(f"{file}: the course's rules")
    return file


def _report_missing(store: ClassStore, course: Path | None, given: Given, boards: str) -> None:
    """Name what the folder's last run was given and this one lacks, since it changes the gradebook."""
    files = {name: file for name, file in vars(given).items() if isinstance(file, Path)}
    now = {name: f"{name}: {shown_text(str(file))}" for name, file in files.items()}
    now |= {COURSE: COURSE} if course else {}
    now |= {boards: f"boards:{boards.replace(' --boards', '')}"} if boards else {}
    before = json.loads(store.noted(GIVEN) or "{}")
    if lost := [text for name, text in before.items() if name not in now]:
        _say(f"unlike the last run, this one has no {', '.join(lost)}")
    store.note(GIVEN, json.dumps(now))


def _graded(store: ClassStore) -> set[tuple[str, str]]:
    """Return each student and task with a result that reports on the last run show."""
    rows = store.read("SELECT DISTINCT student, task FROM standing WHERE graded IS NOT NULL")
    return {(student, task) for student, task in rows}


def _report_left_out(
    store: ClassStore, before: Collection[tuple[str, str]], counted: Collection[str]
) -> None:
    """Name the students and the tasks of the last run whose points this run's reports do not show.

    Args:
        before: what `_graded` returned before the class was taken in.
        counted: the ids of the students to be graded now.
    """
    there = {student for (student,) in store.read("SELECT student FROM attempts")}
    had = {student for student, task in before if task in store.tasks}
    has = {student for student, _ in _graded(store)}
    for left_out, said in (
        (
            {task for _, task in before} - {*store.tasks},
            "this run does not grade {}, as the last one did: its reports do not show those points; name "
            "these tasks, too",
        ),
        (
            {student for student, _ in before} - there,
            "{} handed in nothing this time: the reports do not show their points; "
            "grade a folder with everybody, or name the others by --only",
        ),
        (
            (had & there) - has - {*counted},
            "the grader or the boards have changed: the reports do not show the points of {}, whom this run "
            "does not grade; leave out --only",
        ),
    ):
        if left_out:
            _say(f"{said.format(listed(sorted(left_out)))} (what was graded is kept)")


def _check_regraded(again: Sequence[str], tasks: Sequence[str], students: Sequence[str]) -> None:
    """Raise InputError if --regrade names a task that this run does not grade."""
    for each in again:
        if each in registry().tasks and each not in tasks and each not in students:
            raise InputError(
                f"--regrade {each}: this run does not grade that task",
                f"name the task as well: grade class DIR {each} --regrade {each}",
            )


def _grade(
    store: ClassStore,
    todo: Sequence[Sequence[Todo]],
    boards: BoardChoice | None,
    tier: int,
    given: Processes | str | None,
) -> int:
    """Grade everything in `todo`; return the number of tasks that the grader could not grade."""
    workers: Workers = (
        given
        if isinstance(given, Processes)
        else Cluster(str(given), replace(jobs.abilities(), tier=tier), _say)
    )
    faults, began, number = 0, time.monotonic(), sum(map(len, todo))
    try:
        with progress_line(EVERY_S) as show:
            progress = class_plan.Progress(number, show)
            results = class_run.grade_class(store, todo, workers, boards, tier)
            get_ready(store)  # while the first are graded
            for graded in results:
                faults += any_fault(graded.results) and not graded.begun
                progress.count(graded)
        store.note(class_plan.SECONDS, f"{(time.monotonic() - began) * workers.places / number:.2f}")
    finally:
        workers.close()
    return faults


def _check_owner(output: Path) -> None:
    """Raise InputError if the output folder, or a link to it, is somebody else's, who could change it."""
    if os.path.lexists(output) and not paths.is_ours(output):
        raise InputError(f"-o {paths.shown(output)}: it is another user's", "name another folder: -o FOLDER")


def _named_students(named: Sequence[str], intake: Intake) -> set[str]:
    """Return the ids of the students whose ids or e-mails are given."""
    known = {student.id: student.id for student in intake.students}
    known |= {student.email: student.id for student in intake.students if student.email}
    for each in named:
        if each not in known:
            raise unknown("student", each, known, "name them as gradebook.csv does, by id or e-mail")
    return {known[each] for each in named}


def _say(line: str) -> None:
    click.echo(line, err=True)
