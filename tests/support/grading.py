"""Grade tasks as `grade TASK...` does, in a sandbox of their own or, with `one_sandbox`, in one for all."""

from contextlib import AbstractContextManager
from threading import Event

from grader.catalog.tasks import registry
from grader.judging.grading import Choice, Grading
from grader.result import Result
from grader.sandbox.parent.sandbox import Sandbox


def results_of(choice: Choice, *names: str) -> list[Result]:
    """Return the results of the tasks with these names."""
    tasks = [registry().find(name) for name in names]
    with place(choice.tier, choice.debug) as sandbox:
        return Grading(choice, registry(), lambda *_: None, sandbox).results(tasks)


def place(tier: int, debug: bool, many: bool = False) -> AbstractContextManager[Sandbox]:
    return Sandbox(tier, debug, Event(), many=many)
