"""The kinds of task, by their names in `tasks.yaml`. A new kind needs a module here and a line in KINDS."""

from grader import paths
from grader.catalog.tasks import Task
from grader.errors import InputError
from grader.judging.kinds.both_ends import BothEnds
from grader.judging.kinds.client import Client
from grader.judging.kinds.examples import Examples
from grader.judging.kinds.fewest import Fewest
from grader.judging.kinds.kind import Kind, below, ruled
from grader.judging.kinds.lab10 import Lab10
from grader.judging.kinds.solve import AnyAboveOne, Forced, Solve

__all__ = ["Kind", "below", "of", "ruled"]

KINDS: dict[str, Kind] = {
    "client": Client(),
    "forced": Forced(),
    "exact": Solve(),
    "any-above-one": AnyAboveOne(),
    "both-ends": BothEnds(),
    "lab10": Lab10(),
    "fewest": Fewest(),
    "examples": Examples(),
}


def of(task: Task) -> Kind:
    """Return the kind of a task, or raise InputError: tasks.yaml names an unknown kind."""
    if task.kind not in KINDS:
        raise InputError(
            f"{paths.shown(paths.TASKS_FILE)}: tasks.{task.name}.kind: expected one of {', '.join(KINDS)}, "
            f"found {task.kind!r}",
            "correct that field, or add the kind to grader/judging/kinds/__init__.py",
        )
    return KINDS[task.kind]
