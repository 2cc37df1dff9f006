"""List the sources of hints: the student's own programs and, for instructors, the oracle."""

from dataclasses import dataclass
from pathlib import Path

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.judging import kinds
from grader.submissions.cutting import STUB
from grader.submissions.source_file import SubmissionFault, read_raw

ORACLE = "oracle"
FEWEST = "fewest-moves"  # who is asked for a solution with the fewest moves
RULE = "rule"  # who is asked for the greedy game of docs/rule.md


@dataclass(frozen=True)
class Helper:
    """A source of hints."""

    who: str  # the task's name, or `oracle`
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


def helpers(student: Path) -> list[Helper]:
    """Return all sources of hints; the folder `student` has the student's programs."""
    found = [_program(task, student) for task in tasks_that_help().values()]
    if paths.ORACLE.is_dir():
        found.append(Helper(RULE, "by the rule: six weights, nothing taken back", has_film=False))
        found.append(Helper(FEWEST, "exact engine: the fewest moves", has_film=False))
        found.append(Helper(ORACLE, "oracle: which jumps can still win", judges="truth", has_film=False))
    return found


def _program(task: Task, student: Path) -> Helper:
    title = f"{task.name}: {task.title}"
    file = student / task.file
    shown = f"{paths.shown(student)}/{task.file}"
    if not file.is_file():
        return Helper(task.name, title, False, f"{shown} is not there")
    try:
        text = (read_raw(file, shown) or b"").decode("utf-8", "replace")
    except SubmissionFault as fault:
        return Helper(task.name, title, False, fault.message)
    if STUB.search(text):
        return Helper(task.name, title, False, f"{shown} is not written yet")
    return Helper(task.name, title, judges="opinion" if task.table and not task.extra else "")
