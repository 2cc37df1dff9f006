"""Reports: each a pure function of the results, `format_report(report) -> str`."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from grader import kinds
from grader.errors import InputError
from grader.report_formats import FORMATS, NEEDED_LIBRARIES, NEEDED_VARIABLES
from grader.result import Result
from grader.tasks import Task

__all__ = ["FORMATS", "Report", "check_environment", "render"]


@dataclass(frozen=True)
class Report:
    """What a report is made of.

    Attributes:
        tasks: the tasks that were graded, in order.
        results: their results, in order.
        folder: whose code it was, as the user knows it.
        debug: whether it ran as plain Python with contracts.
        verbose: whether to show more.
        color: whether the text goes to a terminal that shows colours.
        boards: the --board options that chose the boards, with a leading space.
        after: the task that comes after these, or empty.
        time_factor: by what the limits of time were multiplied, this machine being slower or faster.
        options: what to type after `grade TASK` to grade the same code again, with a leading space.
        board_set: the part of `options` that chose other boards than the tasks' own, with a leading space.
        about: lines to be said first, safe to show: in a class run, which attempt counts and what rules took.
        environment: the environment variables, in which a platform says which submission this is.
    """

    tasks: Sequence[Task]
    results: Sequence[Result]
    folder: str
    debug: bool = False
    verbose: bool = False
    color: bool = False
    boards: str = ""
    after: str = ""
    options: str = ""
    time_factor: float = 1.0
    board_set: str = ""
    about: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

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
        """The points there were."""
        return sum(result.max_points for result in self.results)

    def of(self, task: Task) -> list[Result]:
        """The results of one task."""
        return [result for result in self.results if result.task == task.name]

    def is_private(self, task: Task) -> bool:
        """Return whether a task was graded on boards that students do not know beforehand."""
        return bool(self.board_set) and kinds.of(task).takes_boards


def check_environment(format: str, environment: Mapping[str, str]) -> None:
    """Raise InputError if a format cannot be made here.

    Args:
        format: a name of FORMATS.
        about: lines to be said first, safe to show: in a class run, which attempt counts and what rules took.
        environment: the environment variables, in which a platform says which submission it is.
    """
    library = NEEDED_LIBRARIES.get(format)
    if library is not None and find_spec(library) is None:
        raise InputError(
            f"--format {format} needs {library}, which is not installed",
            "in the course's folder, the one with pyproject.toml: pip install -e '.[play]'",
        )
    missing = [name for name in NEEDED_VARIABLES.get(format, ()) if not environment.get(name)]
    if missing:
        raise InputError(
            f"--format {format}: expected the environment variables {', '.join(NEEDED_VARIABLES[format])}, "
            f"found no {', '.join(missing)}",
            "its runner sets them; elsewhere take --format json",
        )


def render(format: str, report: Report) -> str:
    """Return `report` in one of FORMATS."""
    module = importlib.import_module(f"grader.reports.{FORMATS[format]}")
    text: str = module.format_report(report)
    return text
