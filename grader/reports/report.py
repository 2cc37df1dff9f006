"""Collect the content of a report, remove what students may not see, and render it in any format."""

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec

from grader.catalog.tasks import Task
from grader.errors import InputError
from grader.messages.catalogue import Message, say
from grader.reports.formats import FOR_STUDENTS, FORMATS, IN_LOGS, NEEDED_LIBRARIES, NEEDED_VARIABLES
from grader.reports.provenance import Provenance
from grader.result import Result, Verdict
from grader.safe_text import printable, safe, safe_but_for_colors


@dataclass(frozen=True)
class Report:
    """The content of a report."""

    tasks: Sequence[Task]
    results: Sequence[Result]
    folder: str
    debug: bool = False
    verbose: bool = False
    color: bool = False
    boards: str = ""  # the --board options that chose single boards, with a leading space
    after: str = ""  # the name of the task that comes after `tasks`; empty if there is none
    options: str = ""  # the options after `grade TASK` that grade the same code again, with a leading space
    time_factor: float = 1.0
    board_set: str = ""  # the part of `options` that chose other boards than the tasks' own, likewise
    # Lines to show first, which are safe: which of the course's own files were changed and, in a class run,
    # which attempt counts and how many points the rules took off.
    about: Sequence[str] = ()
    packed: Sequence[str] = ()  # likewise safe: the slips of packing for which nothing could be graded
    name: str = ""  # of the student, in a class run
    total: tuple[str, str] | None = None  # the points after the course's rules, and for full marks, if others
    environment: Mapping[str, str] = field(default_factory=dict)  # by which platforms know a submission
    made: Provenance | None = None
    hidden_until: str = "after_due_date"
    # By task: how a program with full marks fails with -d.
    with_contracts: Mapping[str, Result] = field(default_factory=dict)
    # By task: how many states the student's table held on COMPARED in the last run.
    last_states: Mapping[str, int] = field(default_factory=dict)
    of_staff: Collection[tuple[str, str]] = ()  # tasks and boards of the staff: no command names them

    @property
    def student(self) -> str:
        """The part of `options` that names the student's folder."""
        return self.options.removesuffix(" -d").removesuffix(self.board_set)

    @property
    def score(self) -> int:
        """The points earned."""
        return sum(result.points for result in self.results)

    @property
    def max_score(self) -> int:
        """The points that could be earned."""
        return sum(result.max_points for result in self.results)

    def points(self, task: Task) -> tuple[int, int]:
        """Return the points earned in one task, and the points that could be earned."""
        results = self.of(task)
        return sum(result.points for result in results), sum(result.max_points for result in results)

    def of(self, task: Task) -> list[Result]:
        """Return the results of one task."""
        return [result for result in self.results if result.task == task.name]

    @property
    def visible(self) -> "Report":
        """The report that students may see immediately, without the checks on hidden boards."""
        return replace(self, results=[result for result in self.results if not result.hidden])


def for_students(report: Report) -> Report:
    """Return the report with each check on a hidden board reduced to pass or fail, and points.

    A program can leak a board bit by bit, in its output but also by how it fails, and through its time and
    memory. So everything reported about such a check follows from whether it passed and from its points. In
    each task these checks are named `hidden-1`, `hidden-2`, … and the command to repeat them is left out.
    """
    numbers = dict.fromkeys((task.name for task in report.tasks), 0)
    results = []
    of_staff = set(report.of_staff)
    for result in report.results:
        if result.hidden:
            numbers[result.task] += 1
            verdict, told = _without_reason(result)
            result = Result(
                task=result.task,
                board=f"hidden-{numbers[result.task]}",
                verdict=verdict,
                max_points=result.max_points,
                points=result.points,
                answer="right" if verdict == Verdict.ACCEPTED else "",
                **told.fields,
                tier=result.tier,
                hidden=True,
                before=result.before,
            )
            of_staff.add((result.task, result.board))
        results.append(result)
    options = report.options.replace(report.board_set, "", 1)
    return replace(report, results=results, options=options, board_set="", boards="", of_staff=of_staff)


def _without_reason(result: Result) -> tuple[Verdict, Message]:
    """Return all that students may know of a hidden check, but for its points: whether it passed."""
    match result.verdict:
        case Verdict.ACCEPTED:
            return result.verdict, Message()
        case Verdict.GRADER_ERROR:
            return result.verdict, say("hidden-fault")
        case Verdict.NOT_RUN if was_not_graded(result):
            return result.verdict, say("not-graded")
        case Verdict.NOT_RUN if result.before:
            return result.verdict, say("beside-own") if result.code == "beside-own" else Message()
        case _ if result.before:
            return result.verdict, Message.of(result)
    return Verdict.FAILED, say("hidden-failed")


def was_not_graded(result: Result) -> bool:
    """Return whether the run was stopped before this check; a program could fake only its message."""
    return result.verdict == Verdict.NOT_RUN and result.code == "not-graded"


def check_environment(format: str, environment: Mapping[str, str]) -> None:
    """Raise InputError if this installation and environment cannot make reports in a format."""
    library = NEEDED_LIBRARIES.get(format)
    if library is not None and find_spec(library) is None:
        raise InputError(
            f"--format {format} needs {library}, which is not installed", f"pip install {library}"
        )
    missing = [name for name in NEEDED_VARIABLES.get(format, ()) if not environment.get(name)]
    if missing:
        raise InputError(
            f"--format {format}: expected the environment variables {', '.join(NEEDED_VARIABLES[format])}, "
            f"found no {', '.join(missing)}",
            "its runner sets them; elsewhere, use --format json",
        )


def render(format: str, report: Report) -> str:
    """Return `report` in one of FORMATS; formats for students do not reveal hidden boards.

    Every report passes through here. Texts from students' programs are made harmless before formatting, since
    readers of JSON and XML undo escapes; after formatting, the whole text is made harmless again.
    """
    if format in FOR_STUDENTS and any(result.hidden for result in report.results):
        report = for_students(report)
    report = replace(
        report,
        results=[result.harmless() for result in report.results],
        with_contracts={task: result.harmless() for task, result in report.with_contracts.items()},
    )
    module = importlib.import_module(f"grader.reports.{FORMATS[format]}")
    text: str = module.format_report(report)
    if format not in IN_LOGS:
        return printable(text)
    return safe_but_for_colors(text) if format == "table" and report.color else safe(text)
