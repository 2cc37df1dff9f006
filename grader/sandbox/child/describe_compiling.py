"""Describe where numba stopped compiling, and why, as plain data."""

import ast
import re
import traceback
from pathlib import Path
from typing import Any

from grader.sandbox.child.whose import is_students, short, students_file, students_files

FILE = r'^ *File "(.+)", line (\d+):'
RETURN = r"""Return of: IR name '[^']*', type '(.*)', location: \n *File "(.*)", line (\d+):"""


def top_level_place(error: BaseException) -> dict[str, Any]:
    """Return the top-level line of a student's file that was running when the error was raised."""
    place: dict[str, Any] = {}
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if is_students(code.co_filename) and code.co_name == "<module>":
            place = {"file": short(code.co_filename), "line": line}
    return place


def compile_place(error: BaseException, text: str) -> dict[str, Any]:
    """Return the student's file and line at which numba stopped with `text`, and its reason."""
    if "During: typing of argument" in text:  # the call is at fault, not the definition
        return {"text": numbas_words(text)}
    place: dict[str, Any] = {}
    location = getattr(error, "loc", None)
    if location is not None and is_students(location.filename):
        place = {"file": short(location.filename), "line": location.line}
    raised = re.search(r"\.? ?Raised from (\S+) \((\d+)\)|\.? ?Raised from None", text)
    if raised:
        text = text.replace(raised[0], "")
        if raised[1] and is_students(raised[1]):
            place = {"file": short(raised[1]), "line": int(raised[2])}
    lowered = re.search(r"^During: lowering .* at (.+) \((\d+)\)$", text, re.MULTILINE)
    if lowered and is_students(lowered[1]):
        place = {"file": short(lowered[1]), "line": int(lowered[2])}
    # An error in a called function is quoted inside the error of its caller: the inner one counts.
    # Of returns of different types, which numba lists in no fixed order, the last line counts.
    # Line 1 is none: numba names it for what has no line.
    files = [each for each in re.findall(FILE, text, re.MULTILINE) if each[1] != "1"]
    returns = re.findall(RETURN, text)
    own = [
        (file.name, int(line))
        for name, line in files
        if (file := students_file(name)) and not framework(name)
    ]
    if own:
        last = max(int(line) for _, _, line in returns) if returns else own[0][1]
        caller, caller_line = next((each for each in own if each[0] != own[0][0]), ("", 0))
        place = {"file": own[0][0], "line": last, "caller": caller, "caller_line": caller_line}
    place = misspelt_place(text) or place
    inside = f"inside of framework/{Path(files[0][0]).name}\n" if files and framework(files[0][0]) else ""
    return {**(place or odd_construct(text)), "text": inside + numbas_words(text)}


def misspelt_place(text: str) -> dict[str, Any]:
    """Return where an undefined name is used; for a name used in a store, numba gives the caller's line."""
    unknown = re.search(r"^NameError: name '(\w+)' is not defined", text, re.MULTILINE)
    if unknown is None:
        return {}
    callee = re.search(r"resolving callee type: .*<function (\w+)", text)
    for file in students_files():
        module = ast.parse(file.read_text("utf-8"))
        if unknown[1] in _bound(*module.body):
            continue
        for function in ast.walk(module):
            if not isinstance(function, ast.FunctionDef) or (callee and function.name != callee[1]):
                continue
            if unknown[1] in _bound(*function.body, *ast.walk(function.args)):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id == unknown[1]:
                    return {"file": file.name, "line": node.lineno}
    return {}


def _bound(*parts: ast.AST) -> set[str]:
    """Return the names that some statements or arguments bind, but not those bound inside of functions."""
    names: set[str] = set()
    for part in parts:
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            names.add(part.name)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            names |= {(each.asname or each.name).partition(".")[0] for each in part.names}
        else:
            names |= {
                node.id
                for node in ast.walk(part)
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
            }
    return names


def framework(name: str) -> bool:
    """Return whether a path is in the framework; numba writes paths relative to the working folder."""
    return Path(name).parent.name == "framework"


def numbas_words(text: str) -> str:
    """Return the parts of numba's message that its users need: the reason, then types and callees."""
    text = re.sub(RETURN, r"returns \1 on line \3", text)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    noise = ("Failed in nopython", "During:", "File ", ">>>", "- ")
    reason = next((line for line in lines if not line.startswith(noise)), "")
    kept = (">>>", "- argument", "returns ", "During: resolving callee", "TypingError:", "UnsupportedError:")
    details = [line for line in lines if line.startswith((*kept, "NumbaTypeError:"))]
    return "\n".join([reason, *dict.fromkeys(details)])


def odd_construct(text: str) -> dict[str, Any]:
    """Return the place of a construct for which numba gives no line."""
    sought: dict[str, type[ast.stmt | ast.expr]] = {
        "'with (": ast.With,
        "unknown operation": ast.NamedExpr,
        "cell variable": ast.FunctionDef,
    }
    for words, construct in sought.items():
        for file in students_files()[::-1] if words in text else ():
            for outer in ast.walk(ast.parse(file.read_text("utf-8"))):
                for node in ast.walk(outer) if isinstance(outer, ast.FunctionDef) else ():
                    if isinstance(node, construct) and node is not outer:
                        return {"file": file.name, "line": node.lineno}
    return {}
