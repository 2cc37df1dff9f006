"""Define the exit statuses, the error that a user can fix, and the report on a fault of the grader itself.

An error that a user can fix says what is wrong and what to do.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader import paths

FULL_MARKS = 0
POINTS_LOST = 1
USAGE = 2
OUR_FAULT = 3
INTERRUPTED = 130  # the shell's number for Ctrl-C
LIBRARIES = ("numba", "numpy", "llvmlite", "icontract", "pyseccomp")  # in a report on a fault of the grader


class InputError(Exception):
    """Something the user gave cannot be used; the command stops with status 2."""

    def __init__(self, message: str, help: str) -> None:
        # the place and the value as written, then what was expected, then what was found
        self.message = message
        self.help = help
        super().__init__(message, help)  # both, so that it can be pickled

    def __str__(self) -> str:
        return self.message


def check_folders() -> None:
    """Raise InputError if the current folder is gone, or no folder for temporary files can be written.

    Python would then put them into the current folder, among the hand-ins.
    """
    try:
        here = os.getcwd()
    except FileNotFoundError:
        raise InputError("the current folder was removed", "cd to another folder first") from None
    usual = ("/tmp", "/var/tmp", "/usr/tmp")
    named = [os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)]
    with contextlib.suppress(FileNotFoundError):
        if tempfile.gettempdir() != here or here in map(os.path.abspath, [*named, *usual]):
            return
    raise InputError(
        f"no folder for temporary files can be written: {', '.join([*named, *usual[:2]])}",
        "make room there, or set TMPDIR to a folder that can be written",
    )


def unwritable(path: Path, error: OSError, help: str) -> InputError:
    """Return the error for a file or folder that the system does not let us write."""
    return InputError(f"{paths.shown(path)}: cannot be written: {error.strerror}", help)


def unknown(kind: str, name: str, known: Iterable[Any], otherwise: str) -> InputError:
    """Return the error for an unknown name; its help suggests the nearest known name, if any."""
    import difflib  # only now, since every command imports this module

    near = difflib.get_close_matches(name, [str(each) for each in known], n=1)
    return InputError(f"no {kind} {name!r}", f"did you mean {near[0]}? {otherwise}" if near else otherwise)


def write_report(what: str, details: str) -> str:
    """Write what happened when the grader itself failed, and on which machine; return the file's name.

    Raises:
        OSError: the file cannot be written.
    """
    import platform  # these only now, too
    import sys
    from datetime import UTC, datetime
    from importlib import metadata

    versions = {each.metadata["Name"]: each.version for each in metadata.distributions()}
    lines = [
        what,
        datetime.now(UTC).isoformat(timespec="seconds"),
        f"{platform.platform()}, Python {sys.version}",
        ", ".join(f"{name} {versions.get(name, 'not installed')}" for name in LIBRARIES),
        "",
        details,
    ]
    with tempfile.NamedTemporaryFile(
        "w", prefix="peg-grade-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write("\n".join(lines) + "\n")
    return file.name


def advice(what: str, error: BaseException, again: str) -> str:
    """Write a report of an error, and return what to do about it.

    Args:
        again: what to try first, such as `try again`.
    """
    import traceback

    try:
        file = write_report(what, "".join(traceback.format_exception(error)))
    except OSError as second:  # a full disk, most likely
        return f"{error}; no report could be written either: {second}"
    return f"{again}, and send {file} to the course staff if it happens again"
