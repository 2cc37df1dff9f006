"""The kinds of task, by their names in `tasks.yaml`. A new kind is a module here and a line below."""

from grader.kinds.client import Client
from grader.kinds.fewest import Fewest
from grader.kinds.kind import Asked, Kind, ruled
from grader.kinds.lab10 import Lab10
from grader.kinds.solve import AnyAboveOne, Forced, Solve
from grader.tasks import Task

__all__ = ["Asked", "Kind", "of", "ruled"]

KINDS: dict[str, Kind] = {
    "client": Client(),
    "forced": Forced(),
    "exact": Solve(),
    "any-above-one": AnyAboveOne(),
    "lab10": Lab10(),
    "fewest": Fewest(),
}


def of(task: Task) -> Kind:
    """Return the kind of a task."""
    return KINDS[task.kind]
