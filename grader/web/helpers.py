"""What gives hints for the page to play on: the student's own programs, asked and judged as by `grade`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Check, Task, registry
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.grading import Choice, Grading
from grader.result import Result, Verdict
from grader.sandbox.asking import Place
from grader.submissions.submission import Submission
from grader.web.positions import known_board


@dataclass(frozen=True)
class Helper:
    """A source of hints."""

    who: str  # the task's name, or another's of `grader.play.engine`
    title: str
    ready: bool = True
    why: str = ""  # the reason if it cannot be asked, else empty
    judges: str = ""  # what its answer says of whether a position can be won: `truth`, an `opinion`, or empty
    has_film: bool = True


def tasks_that_help() -> dict[str, Task]:
    """Return, by name, the tasks whose programs give hints on any board: the strongest first, extras last."""
    helping = [task for task in registry().tasks.values() if kinds.of(task).answers_any_board]
    helping.reverse()
    return {task.name: task for task in sorted(helping, key=lambda task: task.extra)}


def helper_of(task: Task, why: str = "") -> Helper:
    """Return the program of a task as a helper; `why` it cannot be asked, if so."""
    judges = "opinion" if task.table and not task.extra else ""
    return Helper(task.name, f"{task.name}: {task.title}", not why, why, judges)


def not_written(shown: str) -> str:
    """Return why a program cannot be asked whose file, shown as `shown`, is its stub."""
    return f"{shown} is not written yet"


@dataclass(frozen=True)
class OneBoard:
    """A set of one board, graded instead of a task's own boards, with the task's usual limit."""

    board: NamedBoard
    where_listed = "the board on the page"

    @property
    def names(self) -> list[str]:
        """The board's name."""
        return [self.board.name]

    def find(self, name: str) -> NamedBoard | None:
        """Return the board if it is called `name`."""
        return self.board if name == self.board.name else None

    def checks(self, task: Task) -> list[Check]:
        """Return no check: the board is named, as with --board."""
        return []


def graded(
    task: Task, cells: str, place: Place, choice: Choice, read: Callable[[Task], Submission] | None = None
) -> Result:
    """Return the result of a program on the board of 64 cells.

    Args:
        choice: what to grade, but for the board.
        read: as for Grading.
    """
    board = known_board(cells)
    choice = replace(choice, boards=(board.name,), board_set=OneBoard(board))
    grading = Grading(choice, registry(), lambda *_: None, place, read=read, cores=1)
    try:
        (result,) = grading.in_turn([task], lambda so_far: None)
    except InputError as error:
        return Result(task.name, board.name, Verdict.NOT_RUN, 0, message=error.message, help=error.help)
    return result


def answer_of(result: Result, card: dict[str, Any]) -> dict[str, Any]:
    """Return a program's answer on the board, for the page, which shows the board itself."""
    right = result.verdict == Verdict.ACCEPTED
    jumps = [list(jump) for jump in result.jumps]
    said = f": {result.answer}" if right else f" gives no hint: {result.verdict.words}"
    if right and result.pegs_left != 1:
        said += ", no way to a single peg from here"
    return {
        "verdict": str(result.verdict),
        "said": f"{result.task}{said}",
        "jump": jumps[0] if right and jumps else None,
        "jumps": jumps,
        "pegs_left": result.pegs_left if right else None,
        "cpu_s": result.cpu_s,
        "message": "" if right else result.message,
        "card": card,
    }
