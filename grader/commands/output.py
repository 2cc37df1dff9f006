"""Tell on the terminal what a command lacks, and show its progress."""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from grader import folders, paths
from grader.errors import InputError

LEAST_BYTES = 64 << 20  # with less left, a run says so
ERASE = "\r\x1b[K"  # back to the start of the line, and clear it


def check_writable(output: Path) -> None:
    """Raise InputError if the report cannot be written. Call this before the work, not after it."""
    folder = output.parent
    if output.is_dir():
        problem = "it is a folder"
    elif not folder.is_dir():
        problem = f"there is no folder {paths.shown(folder)}"
    elif not os.access(output if output.exists() else folder, os.W_OK):
        problem = "permission denied"
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
