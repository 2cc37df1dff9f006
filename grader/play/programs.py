"""Ask the student's own programs, in the sandbox: for hints, judged as `grade` does it, and for films."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from grader import errors, paths
from grader.catalog.tasks import Task, registry
from grader.errors import InputError
from grader.film.tell import SECONDS, tell
from grader.judging import calibration
from grader.judging.grading import Choice, explored
from grader.messages.catalogue import say
from grader.play.engine import FEWEST, ORACLE, RULE
from grader.play.hints import Answerer
from grader.reports.json_report import card
from grader.result import Result, Verdict
from grader.sandbox.confine import kernel, offers, tiers
from grader.sandbox.parent.compiled_code import CompiledCode
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.cutting import STUB
from grader.submissions.source_file import SubmissionFault, read_raw
from grader.submissions.submission import read_submission
from grader.web import positions
from grader.web.helpers import Helper, answer_of, graded, helper_of, not_written, tasks_that_help

SEARCHED = 20_000  # the most positions to look at for a board's facts, in about 0.05 s


def helpers(student: Path) -> list[Helper]:
    """Return all sources of hints; the folder `student` has the student's programs."""
    found = [_program(task, student) for task in tasks_that_help().values()]
    if paths.ORACLE.is_dir():
        found.append(Helper(RULE, "rule: six weights, nothing taken back", has_film=False))
        found.append(Helper(FEWEST, "exact engine: the fewest moves", has_film=False))
        found.append(Helper(ORACLE, "oracle: which jumps can still win", judges="truth", has_film=False))
    return found


def _program(task: Task, student: Path) -> Helper:
    shown = f"{paths.shown(student)}/{task.file}"
    try:
        content = read_raw(student / task.file, shown)
    except SubmissionFault as fault:
        return helper_of(task, fault.message)
    if content is None:
        return helper_of(task, f"{shown} is not there")
    return helper_of(task, not_written(shown) if STUB.search(content.decode("utf-8", "replace")) else "")


class Programs(Answerer):
    """Asks the student's programs, one question at a time; the slow-starting sandbox is kept in between."""

    def __init__(self, student: Path) -> None:
        super().__init__()
        self._student = student
        self._sandbox: Sandbox | None = None
        self._doing: Callable[[], dict[str, Any]] = dict

    def warm(self) -> None:
        """Start the sandbox, from whose processes those of the checks are forked."""
        self._started()

    def answer(self, who: str, cells: str) -> dict[str, Any]:
        """Return a program's answer on a board; its process has ended by then."""
        task = tasks_that_help()[who]
        self._doing = partial(_starting, self._student, task)
        sandbox = self._started()
        choice = Choice(self._student, (), None, sandbox.debug, sandbox.tier, calibration.factor())
        result = graded(task, cells, sandbox, choice)
        if self.stopped.is_set() or result.verdict == Verdict.GRADER_ERROR:
            self.close()  # ends even a process that is just being forked; the next hint gets a new sandbox
        return _as_answer(result)

    def doing(self) -> dict[str, Any]:
        """Return what the program is doing, and its limit in CPU seconds."""
        return self._doing()

    def _started(self) -> Sandbox:
        """Return the sandbox with its zygote started.

        The zygote, from which the processes of checks are forked, is started in this thread and not in one
        that runs checks, since the kernel kills it when the thread that started it ends.
        """
        if self._sandbox is None:
            kernel.hide_memory()
            self._sandbox = Sandbox(tiers.best(), not offers.compiles(), self.stopped)
        self._sandbox.warm()
        return self._sandbox

    def close(self) -> None:
        """End the sandbox that is kept between questions."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.__exit__()


def _starting(student: Path, task: Task) -> dict[str, Any]:
    """Return whether a program is still being compiled, or runs: then its limit in CPU seconds, too."""
    try:
        compiled = CompiledCode(read_submission(student, task.files).folder).was_tried
    except (SubmissionFault, InputError):
        compiled = True  # it soon says what is wrong
    if offers.compiles() and not compiled:
        return {"doing": "compiling"}
    return {"doing": "running", "limit_s": round(task.cpu_s * calibration.factor(), 1)}


def _as_answer(result: Result) -> dict[str, Any]:
    return answer_of(result, card(replace(result.harmless(), board="")))  # the page shows the board


def our_fault(who: str, error: Exception) -> dict[str, Any]:
    """Return the answer for a hint that failed through the grader's own fault."""
    help = errors.advice(f"grade play, hint of {who}", error, "ask again")
    told = say("play-fault", error=type(error).__name__, todo=help)
    return _as_answer(Result(who, "", Verdict.GRADER_ERROR, 0, **told.fields))


FILM = "film of "  # and a task's name: who is asked


class Films(Answerer):
    """Makes one film at a time."""

    def __init__(self, student: Path) -> None:
        super().__init__()
        self._student = student

    def answer(self, who: str, about: str) -> dict[str, Any]:
        """Return the film of a program, if there is one, and how the program failed, if it did.

        Args:
            who: FILM and the task.
            about: the position, as in an address.
        """
        task = registry().find(who.removeprefix(FILM))
        try:
            board = explored(positions.position_of(about), SEARCHED)
            told = tell(self._student, task, board, compiled=False, stop=self.stopped)
        except InputError as error:
            return {"film": None, "failed": f"{error.message}\nhelp: {error.help}"}
        return {"film": told.shown and asdict(told.shown), "failed": told.failed}

    def doing(self) -> dict[str, Any]:
        """Return what is being done; most films are made in a second."""
        return {"doing": "recording", "limit_s": SECONDS}
