"""Tell what went wrong in the student's code as plain data: where, what, and the values of a contract."""

import ast
import os
import re
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

MAX_TEXT = 4000  # characters of one text in a failure

_code_folder = ""


class BadReturn(Exception):
    """A function of the student returned what it may not."""


def set_code_folder(folder: str) -> None:
    """Say in which folder the student's code is; all else is the grader's, the framework's or a library's."""
    global _code_folder
    _code_folder = folder + os.sep


def is_students(file: str | None) -> bool:
    """Return whether a file is one of the submission."""
    return bool(file) and str(file).startswith(_code_folder)


def students_frame(trace: TracebackType | None) -> tuple[Any, int] | None:
    """Return the innermost frame of the student's code in a traceback, and its line."""
    found = None
    for frame, line in traceback.walk_tb(trace):
        if is_students(frame.f_code.co_filename):
            found = (frame, line)
    return found


def short(file: str) -> str:
    """Return a file's name as the student knows it: peg3.py, or framework/stack.py."""
    path = Path(file)
    return path.name if is_students(file) else f"{path.parent.name}/{path.name}"


def describe_failure(error: BaseException, importing: bool) -> dict[str, Any]:
    """Return what went wrong in the student's code as plain data."""
    frame = students_frame(error.__traceback__)
    failure: dict[str, Any] = {
        "failure": kind_of(error, importing),
        "type": type(error).__name__,
        "text": text_of(error),
        "file": short(frame[0].f_code.co_filename) if frame else "",
        "line": frame[1] if frame else 0,
        "condition": "",
        "values": [],
    }
    if isinstance(error, SyntaxError) and is_students(error.filename):
        failure |= {"file": short(str(error.filename)), "line": error.lineno or 1}
        failure["text"] = str(error.msg)
    elif failure["failure"] == "compile":
        failure |= compile_place(error)
    elif failure["failure"] == "contract":
        if is_violation(error):
            failure |= describe_contract(str(error), failure)
        else:
            failure |= describe_assertion(frame) or {"failure": "raise"}
    return failure


def undescribed(error: BaseException) -> dict[str, Any]:
    """Return a failure of which nothing but its class is told."""
    failure = dict.fromkeys(("text", "file", "condition"), "")
    return {**failure, "failure": "raise", "type": type(error).__name__, "line": 0, "values": []}


def kind_of(error: BaseException, importing: bool) -> str:
    """Return the kind of a failure."""
    if isinstance(error, NotImplementedError):
        return "not-written"
    if isinstance(error, BadReturn):
        return "return"
    if type(error).__module__.startswith("numba."):
        return "compile"
    if isinstance(error, (SystemExit, KeyboardInterrupt, GeneratorExit)):
        return "exit"
    if __debug__ and isinstance(error, AssertionError):  # a violated contract is one
        return "contract"
    return "import" if importing else "raise"


def is_violation(error: BaseException) -> bool:
    """Return whether an error is icontract's own."""
    return type(error).__module__.partition(".")[0] == "icontract"


def text_of(error: BaseException) -> str:
    """Return an error's own text, whatever its class does when asked for it."""
    try:
        return str(error)[:MAX_TEXT]
    except BaseException:
        return ""


def compile_place(error: BaseException) -> dict[str, Any]:
    """Return the student's file and line at which numba gave up, and its reason in one line."""
    place: dict[str, Any] = {}
    location = getattr(error, "loc", None)
    if location is not None and is_students(location.filename):
        place = {"file": short(location.filename), "line": location.line}
    text = text_of(error)
    raised = re.search(r"\.? ?Raised from (\S+) \((\d+)\)", text)
    if raised:
        text = text.replace(raised[0], "")
        if is_students(raised[1]):
            place = {"file": short(raised[1]), "line": int(raised[2])}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # An error in a function that was called stands inside the error of its caller: the inner one counts.
    for number, line in enumerate(lines):
        if line.startswith('File "') and ", line " in line:
            name, _, at = line.removeprefix('File "').partition('", line ')
            candidate = Path(_code_folder) / Path(name).name
            if candidate.is_file() and at.rstrip(":").isdigit() and number:
                place = {"file": candidate.name, "line": int(at.rstrip(":"))}
                break
    reasons = [
        line for line in lines if not line.startswith(("Failed in nopython", "During:", "File ", ">>>", "- "))
    ]
    return {**place, "text": reasons[0] if reasons else type(error).__name__}


def describe_assertion(frame: tuple[Any, int] | None) -> dict[str, Any]:
    """Return the condition of a failed `assert` and the values of the names in it."""
    from framework.contracts import describe_value

    if frame is None:
        return {}
    source = Path(frame[0].f_code.co_filename).read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and node.lineno <= frame[1] <= (node.end_lineno or 0):
            names = dict.fromkeys(inner.id for inner in ast.walk(node.test) if isinstance(inner, ast.Name))
            known = {**frame[0].f_globals, **frame[0].f_locals}
            return {
                "condition": "assert " + ast.unparse(node.test),
                "values": [
                    [name, describe_value(known[name])[:MAX_TEXT]]
                    for name in names
                    if name in known and not callable(known[name])
                ],
            }
    return {}


def describe_contract(text: str, failure: dict[str, Any]) -> dict[str, Any]:
    """Take apart what icontract says: its own place, `KIND FILE:LINE: condition:`, then `name was value`."""
    _, _, rest = text.partition("\n")
    head, _, values = rest.partition(":\n")
    place, _, condition = head.partition(": ")
    kind, _, place = place.partition(" ")
    file, _, line = place.rpartition(":")
    found: dict[str, Any] = {"text": f"{kind} at {short(file)}:{line}", "condition": condition}
    if not failure["file"] and is_students(file) and line.isdigit():
        found |= {"file": short(file), "line": int(line)}
    pairs: list[list[str]] = []
    for value_line in values.splitlines():
        name, was, value = value_line.partition(" was ")
        if was:
            pairs.append([name, value])
        elif pairs:
            pairs[-1][1] += "\n" + value_line
    found["values"] = [pair for pair in pairs if pair[0] != condition]
    return found
