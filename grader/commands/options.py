"""Define the options that several commands share."""

import math
from pathlib import Path
from typing import Any

import click

from grader import paths
from grader.commands import IN_RELEASE
from grader.commands.output import check_writable
from grader.errors import InputError
from grader.judging import board_choice
from grader.judging.board_choice import BoardChoice
from grader.sandbox.confine import offers

PATH = click.Path(path_type=Path)
STUDENT = click.option(
    "--student", type=PATH, default=Path("student"), metavar="DIR",
    help="Folder with the files to grade (default: student).",
)  # fmt: skip
BOARD = click.option(
    "--board", "boards", multiple=True, metavar="NAME|FILE", help="Grade only this board (repeatable)."
)
DEBUG = click.option(
    "-d", "debug", is_flag=True, help="Run plain Python and check every contract: slow, but exact.",
    callback=lambda context, option, value: value or not offers.compiles(),
)  # fmt: skip
NO_COMPILER = "numba is not installed: install it with Python 3.11 to 3.15, for which it has wheels"
PLAIN = f"{NO_COMPILER}; until then, programs run as with -d, which earns no points"
TIER = click.option(
    "--tier", type=click.IntRange(0, 3), metavar="0-3",
    help="Sandbox tier to require (default: the highest available up to 2, or up to 3 for private boards; "
    "a class and private boards need 2); see `grade doctor`.",
)  # fmt: skip
TABLE_OR_JSON = click.option(
    "--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True
)


def writable(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Check, before any work is done, that every report can be written."""
    for output in value if isinstance(value, tuple) else filter(None, [value]):
        check_writable(output)
    return value


OUTPUTS = click.option(
    "-o", "outputs", type=PATH, multiple=True, metavar="FILE", callback=writable,
    help="Write the report to FILE; the second -o is for the second --format, and so on.",
)  # fmt: skip


def typed(student: Path) -> str:
    """Return ` --student DIR` for a folder, to append to a command; empty for the default folder."""
    return "" if student == Path("student") else f" --student {paths.typed(student)}"


class Seconds(click.FloatRange):
    """A number of seconds; unlike click's own range it always refuses `nan` and `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or fail with click's message."""
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


def _which(context: click.Context, option: click.Parameter, value: tuple[str, ...]) -> BoardChoice | None:
    """Read what `--boards` names."""
    try:
        return board_choice.read(value, Path())
    except InputError as error:
        raise InputError(f"--boards: {error.message}", error.help) from None


BOARDS = click.option(
    "--boards", "others", multiple=True, metavar="WHICH", callback=_which,
    help="Grade on other boards than the tasks' own: DIR, a private set with an index.yaml; "
    + ("" if IN_RELEASE else "random:N or random:N:SEED, N boards, half of them unsolvable; ")
    + "turned or turned:SEED, the tasks' own rotated or mirrored, which in peg4 and peg5 may change times, "
    "and so points. With --boards own beside it, the tasks' own come first.",
)  # fmt: skip
