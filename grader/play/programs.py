"""Ask the student's own programs, in the sandbox: for hints, judged as `grade` does it, and for films."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from grader import errors, paths
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Check, Task, registry
from grader.errors import InputError
from grader.film.tell import SECONDS, tell
from grader.judging import calibration, kinds
from grader.judging.grading import Choice, Grading
from grader.messages.catalogue import say
from grader.play.helpers import tasks_that_help
from grader.play.hints import Answerer
from grader.reports.json_report import card
from grader.result import Result, Verdict
from grader.sandbox.confine import kernel, offers, tiers
from grader.sandbox.parent.compiled_code import CompiledCode
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import read_submission
from grader.web import positions

SEARCHED = 20_000  # the most positions to look at for a board's facts, in about 0.05 s


class OneBoard:
    """A set of one board, graded instead of a task's own boards."""

    where_listed = "the board on the page"

    def __init__(self, board: NamedBoard) -> None:
        self._board = board

    @property
    def names(self) -> list[str]:
        """The board's name."""
        return [self._board.name]

    def find(self, name: str) -> NamedBoard | None:
        """Return the board if it is called `name`."""
        return self._board if name == self._board.name else None

    def checks(self, task: Task) -> list[Check]:
        """Return the task's own check of the board, or else one with the usual limit; it earns no points."""
        wanted = Check(self._board.name, 0, task.cpu_s, variant=next(iter(kinds.of(task).variants)))
        own = next((check for check in task.checks if check.name == wanted.name), wanted)
        return [replace(own, points=0)]


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
        result = self._graded(task, positions.known_board(cells))
        if self.stopped.is_set() or result.verdict == Verdict.GRADER_ERROR:
            self.close()  # ends even a process that is just being forked; the next hint gets a new sandbox
        return _as_answer(result)

    def _graded(self, task: Task, board: NamedBoard) -> Result:
        sandbox = self._started()
        one, factor = OneBoard(board), calibration.factor()
        choice = Choice(self._student, (board.name,), one, sandbox.debug, sandbox.tier, factor)
        grading = Grading(choice, registry(), lambda name, done, total: None, sandbox)
        try:
            (result,) = grading.results([task])
        except InputError as error:
            return Result(task.name, board.name, Verdict.NOT_RUN, 0, message=error.message, help=error.help)
        return result

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


def with_facts(board: NamedBoard) -> NamedBoard:
    """Return a board with its facts, as far as they can be computed quickly here."""
    if board.facts.solvable is not None or not paths.ORACLE.is_dir():
        return board
    from grader.oracle.explore import explore

    truth = explore(board.board, SEARCHED)
    return replace(board, facts=Facts(*truth)) if truth is not None else board


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
    right = result.verdict == Verdict.ACCEPTED
    jumps = [list(jump) for jump in result.jumps]
    said = f": {result.answer}" if right else f" gives no hint: {result.verdict.words}"
    return {
        "verdict": str(result.verdict),
        "said": f"{result.task}{said}",
        "jump": jumps[0] if right and jumps else None,
        "jumps": jumps,
        "pegs_left": result.pegs_left if right else None,
        "cpu_s": result.cpu_s,
        "message": result.message,
        "help": result.help,
        "card": card(replace(result.harmless(), board="")),  # the page shows the board
    }


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
            board = with_facts(positions.position_of(about))
            told = tell(self._student, task, board, compiled=False, stop=self.stopped)
        except InputError as error:
            return {"film": None, "failed": f"{error.message}\nhelp: {error.help}"}
        return {"film": told.shown and asdict(told.shown), "failed": told.failed}

    def doing(self) -> dict[str, Any]:
        """Return what is being done; most films are made in a second."""
        return {"doing": "recording", "limit_s": SECONDS}
