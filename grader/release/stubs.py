"""Cut the stubs of the tasks from the reference."""

from pathlib import Path

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.errors import InputError
from grader.submissions.cutting import cut_stub


def stubs() -> dict[str, str]:
    """Return the text of every stub, by file name.

    Raises:
        InputError: a solution is missing, or a marker in it is wrong.
    """
    return {task.file: stub_of(task, paths.REFERENCE) for task in registry().tasks.values()}


def stub_of(task: Task, reference: Path) -> str:
    """Return the stub of a task, cut from its solution in the folder `reference`.

    Raises:
        InputError: the solution is missing, or a marker in it is wrong.
    """
    source = reference / task.file
    try:
        text = source.read_text("utf-8")
    except OSError as error:
        raise InputError(
            f"{paths.shown(source)}: cannot be read: {error.strerror}",
            "write the task's solution there, with '# BEGIN SOLUTION what to do' and '# END SOLUTION'",
        ) from None
    return cut_stub(text, paths.shown(source))
