"""Write a report when the grader itself fails: what happened, and on which machine."""

import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from importlib import metadata

LIBRARIES = ("numba", "numpy", "llvmlite", "icontract", "pyseccomp")


def write(what: str, details: str) -> str:
    """Write a report and return the name of its file; raise OSError if the file cannot be written."""
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
    try:
        file = write(what, "".join(traceback.format_exception(error)))
    except OSError as second:  # a full disk, most likely
        return f"{error}; no report could be written either: {second}"
    return f"{again}, and send {file} to the course staff if it happens again"
