"""What several commands share: options, what is told on the terminal, and the progress line."""

import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from grader import folders, paths
from grader.commands import IN_RELEASE
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


# ---- on the terminal -----------------------------------------------------------------------------

LEAST_BYTES = 64 << 20  # with less left, a run says so
ERASE = "\r\x1b[K"  # back to the start of the line, and clear it


def check_writable(output: Path) -> None:
    """Raise InputError if the report cannot be written. Call this before the work, not after it."""
    from grader.catalog.tasks import registry  # only now, since every command imports this module

    folder = output.parent
    if output.is_dir():
        problem = "it is a folder"
    elif not folder.is_dir():
        problem = f"there is no folder {paths.shown(folder)}"
    elif not os.access(output if output.exists() else folder, os.W_OK):
        problem = "permission denied"
    elif any(output.resolve().name in task.files for task in registry().tasks.values()):
        problem = "it is a program's file"
    else:
        return
    raise InputError(f"{paths.shown(output)}: cannot be written: {problem}", "choose another -o FILE")


def tell_tier() -> int:
    """Return the tier of a run without a report, and say on standard error if it is a low one."""
    from grader.sandbox.confine import kernel, tiers

    kernel.hide_memory()
    tier = tiers.best()
    if lower := tiers.note(tier):
        click.echo(lower, err=True)
    return tier


def space_notes() -> list[str]:
    """Return the lines with which a run begins that may lack space for what it compiles."""
    places = (Path(tempfile.gettempdir()), paths.cache_root())
    return [note for place in places if (note := folders.no_space(place, LEAST_BYTES))]


@contextmanager
def progress_line(every_s: float = 0) -> Iterator[Callable[[str], None]]:
    """Yield a function that replaces the text of the progress line; it does nothing without a terminal.

    Args:
        every_s: the least time in seconds between two texts; a text that comes sooner is not shown.
    """
    shown_at = -every_s

    def show(text: str) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at >= every_s:
            shown_at = time.monotonic()
            click.echo(f"{ERASE}{text}", nl=False, err=True)

    if sys.stderr is None or not sys.stderr.isatty():  # None: it is closed
        yield lambda text: None
        return
    try:
        yield show
    finally:
        click.echo(ERASE, nl=False, err=True)
