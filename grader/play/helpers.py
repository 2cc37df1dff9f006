"""List who can give hints: the student's own programs, and for instructors the oracle."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.judging import kinds
from grader.submissions.cutting import STUB
from grader.submissions.submission import SubmissionFault, read_raw

ORACLE = "oracle"


@dataclass(frozen=True)
class Helper:
    """One who may answer.

    Attributes:
        who: the task's name, or `oracle`.
        title: what to call it on the page.
        ready: whether it can be asked.
        why: why not, if not.
    """

    who: str
    title: str
    ready: bool = True
    why: str = ""

    def as_plain_data(self) -> dict[str, Any]:
        """Return it as the page has it."""
        return asdict(self)


def tasks_that_help() -> dict[str, Task]:
    """Return the tasks whose programs can be asked about any board, by name."""
    return {name: task for name, task in registry().tasks.items() if kinds.of(task).answers_any_board}


def helpers(student: Path) -> list[Helper]:
    """Return all who may answer where the student's files are in that folder."""
    found = [_program(task, student) for task in tasks_that_help().values()]
    if paths.ORACLE.is_dir():
        found.append(Helper(ORACLE, "oracle: which jumps can still win"))
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
    return Helper(task.name, title)
