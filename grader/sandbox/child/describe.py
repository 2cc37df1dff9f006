"""Describe failures of the student's code as plain data: the place, the error and a contract's values."""

import ast
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from grader.sandbox.child.describe_compiling import compile_place, top_level_place
from grader.sandbox.child.whose import call_again, is_students, short, students_frame, students_frames

MAX_TEXT = 4000  # characters of one text in a failure
MAX_LOCALS = 8  # values shown of a call that does not end
format_jump: Callable[[Any], str] = str  # main sets the framework's here before it hides that module


class BadReturn(Exception):
    """A student's function returned a value that it may not return."""


def shown(value: object, most: int = 80) -> str:
    """Return a value and its type for a message, even if its own `repr` fails."""
    try:
        text = repr(value)[:most]
    except Exception:
        text = "a value that cannot be shown,"
    return text + ("" if value is None else f" of type {type(value).__name__}")


def describe_failure(error: BaseException, importing: bool) -> dict[str, Any]:
    """Return what went wrong in the student's code as plain data."""
    frame = students_frame(error.__traceback__)
    if isinstance(error, RecursionError):
        frame = call_again(error.__traceback__) or frame
    failure: dict[str, Any] = {
        "failure": kind_of(error, importing),
        "type": type(error).__name__,
        "text": text_of(error),
        "file": short(frame[0].f_code.co_filename) if frame else "",
        "line": frame[1] if frame else 0,
        "condition": "",
        "values": [],
        **caller_of(error),
    }
    if isinstance(error, SyntaxError) and is_students(error.filename):
        failure |= {"file": short(str(error.filename)), "line": error.lineno or 1}
        failure["text"] = str(error.msg)
    elif failure["failure"] == "compile":
        failure |= compile_place(error, text_of(error, 20 * MAX_TEXT))
        failure["text"] = failure["text"][:MAX_TEXT]
    elif failure["failure"] == "top-level":
        failure |= top_level_place(error)
    elif failure["failure"] == "contract":
        if is_violation(error):
            failure |= describe_contract(str(error), failure)
        else:
            failure |= describe_assertion(frame) or {"failure": "raise"}
    elif failure["failure"] == "raise" and frame:
        failure["values"] = whole_arguments(frame[0])
    return failure


def whole_arguments(frame: FrameType) -> list[list[str]]:
    """Return the arguments of a call that are integers of at most 64 bits, each with its value."""
    from framework.arrays import np

    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    values: list[tuple[str, Any]] = [(name, frame.f_locals.get(name)) for name in names]
    whole = [(name, int(value)) for name, value in values if type(value) in (int, np.int64)]
    return [[name, str(value)] for name, value in whole if -(2**63) <= value < 2**63][:MAX_LOCALS]


def caller_of(error: BaseException) -> dict[str, Any]:
    """Return where the student's file that failed was called from another one of the student's files."""
    calls = students_frames(error.__traceback__)
    last = calls[-1][0].f_code.co_filename if calls else ""
    others = [(frame, line) for frame, line in calls if frame.f_code.co_filename != last]
    frame, line = others[-1] if others else (None, 0)
    return {"caller": short(frame.f_code.co_filename) if frame else "", "caller_line": line}


def undescribed(error: BaseException) -> dict[str, Any]:
    """Return the description of a failure that tells nothing but its exception's class."""
    failure = dict.fromkeys(("text", "file", "condition"), "")
    return {**failure, "failure": "raise", "type": type(error).__name__, "line": 0, "values": []}


def slow_kind(importing: bool) -> str:
    """Return the kind of failure for code that runs out of time."""
    return "slow-import" if importing else "slow"


def describe_slow(
    before: list[FrameType], now: list[FrameType], lasted_s: float, importing: bool
) -> dict[str, Any]:
    """Return where an endless program is running, as plain data.

    Args:
        before, now: the student's call stack at two moments, the outermost call first.
        lasted_s: CPU seconds between the two.
        importing: whether the student's files are being imported.
    """
    lasting = [call for call, earlier in zip(now, before, strict=False) if call is earlier]
    call = lasting[-1] if lasting else now[-1] if now else None
    failure = {**undescribed(TimeoutError()), "failure": slow_kind(importing)}
    if call is None:
        return failure
    return {
        **failure,
        "type": call.f_code.co_name,
        "text": f"{lasted_s:.1f}" if lasting else "",
        "file": short(call.f_code.co_filename),
        "line": call.f_lineno or call.f_code.co_firstlineno,  # Python may know none between two lines
        "values": [] if importing else describe_locals(call),
    }


def describe_locals(call: FrameType) -> list[list[str]]:
    """Return the local names of a call with their values."""
    return described({name: value for name, value in call.f_locals.items() if name[0] != "_"})[:MAX_LOCALS]


def described(values: dict[str, Any]) -> list[list[str]]:
    """Return each name with its value as text; functions and modules are left out."""
    from framework.contracts import describe_value  # of plain Python only

    return with_moves(
        [
            [name, describe_value(value)[:MAX_TEXT]]
            for name, value in values.items()
            if not callable(value) and not isinstance(value, ModuleType)
        ]
    )


def kind_of(error: BaseException, importing: bool) -> str:
    """Return the kind of a failure."""
    if isinstance(error, BadReturn):
        return "return"
    if is_numbas(error):
        return "top-level" if importing else "compile"
    if isinstance(error, NotImplementedError):
        return "not-written"
    if isinstance(error, (SystemExit, KeyboardInterrupt, GeneratorExit)):
        return "exit"
    if __debug__ and isinstance(error, AssertionError):  # a violated contract is one
        return "contract"
    return "import" if importing else "raise"


def is_numbas(error: BaseException) -> bool:
    """Return whether an error is numba's own, or Python's from inside numba."""
    if type(error).__module__.startswith("numba."):
        return True
    if not isinstance(error, NotImplementedError) or "is not written yet" in text_of(error):
        return False
    *_, (last, _) = traceback.walk_tb(error.__traceback__)
    return not is_students(last.f_code.co_filename)


def is_violation(error: BaseException) -> bool:
    """Return whether an error is icontract's own."""
    return type(error).__module__.partition(".")[0] == "icontract"


def text_of(error: BaseException, most: int = MAX_TEXT) -> str:
    """Return an error's own text, even if its `str` raises."""
    try:
        return str(error)[:most]
    except BaseException:
        return ""


def describe_assertion(frame: tuple[Any, int] | None) -> dict[str, Any]:
    """Return the condition of a failed `assert` and the values of the names in it."""
    if frame is None:
        return {}
    source = Path(frame[0].f_code.co_filename).read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and node.lineno <= frame[1] <= (node.end_lineno or 0):
            names = dict.fromkeys(inner.id for inner in ast.walk(node.test) if isinstance(inner, ast.Name))
            known = {**frame[0].f_globals, **frame[0].f_locals}
            return {
                "condition": "assert " + ast.unparse(node.test),
                "values": described({name: known[name] for name in names if name in known}),
            }
    return {}


def describe_contract(text: str, failure: dict[str, Any]) -> dict[str, Any]:
    """Return what icontract's message says, as plain data.

    Its first line is a place in icontract; then come `KIND FILE:LINE: condition:` and lines `name was value`.
    """
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
    found["values"] = with_moves([pair for pair in pairs if pair[0] != condition])
    return found


def with_moves(values: list[list[str]]) -> list[list[str]]:
    """Return names and values, with moves also written as jumps where `is_of_moves` recognizes them."""
    return [[name, with_move(value) if is_of_moves(name, value) else value] for name, value in values]


def is_of_moves(name: str, value: str) -> bool:
    """Return whether a value holds moves, judging by its name, or because it is a stack."""
    return re.search("move|jump", name.lower()) is not None or value.startswith("a stack of ")


def with_move(value: str) -> str:
    """Return the text of a number or a stack, with jumps added: `1692` becomes `1692 (3:2 -> 3:4)`.

    If the client does not decode every number as a jump, the text stays as it is.
    """
    head, top_first, numbers = value.rpartition("top first: ")
    jumps = [jump_of(number) for number in numbers.split(", ")]
    if not all(jumps):
        return value
    shown = [f"{number} ({jump})" for number, jump in zip(numbers.split(", "), jumps, strict=True)]
    return head + top_first + ", ".join(shown)


def jump_of(number: str) -> str:
    """Return a move written as a jump; empty if the number is not a move."""
    client = sys.modules.get("client")
    try:
        parts = ("row_start", "col_start", "row_end", "col_end")
        jump = [getattr(client, part)(int(number)) for part in parts]
        straight = {abs(jump[2] - jump[0]), abs(jump[3] - jump[1])} == {0, 2}
        return format_jump(jump) if straight and all(0 <= part < 8 for part in jump) else ""
    except Exception:  # not a number, or not one that the client can decode
        return ""
