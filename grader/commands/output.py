"""What commands write: a report, to a file or to standard output, and a line of progress."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from grader import paths
from grader.errors import InputError

ERASE = "\r\x1b[K"  # back to the start of the line, and nothing in it


def check_writable(output: Path) -> None:
    """Raise InputError before the work is done if the report could not be written after it."""
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


def write(text: str, output: Path | None) -> None:
    """Write a report to its file, or to standard output where it has none."""
    if output is None:
        click.echo(text, nl=False)
    else:
        from grader import last_results  # with numpy, which grade --help does without

        last_results.write_whole(output, text)


@contextmanager
def progress_line(every_s: float = 0) -> Iterator[Callable[[str], None]]:
    """Give what shows a text in place of the last one: on a terminal, or else nowhere.

    Args:
        every_s: seconds to let pass from one text to the next; what comes sooner is not shown.
    """
    shown_at = -every_s

    def show(text: str) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at >= every_s:
            shown_at = time.monotonic()
            click.echo(f"{ERASE}{text}", nl=False, err=True)

    if not sys.stderr.isatty():
        yield lambda text: None
        return
    try:
        yield show
    finally:
        click.echo(ERASE, nl=False, err=True)
