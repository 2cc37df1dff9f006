"""Cut a student's stub from an annotated solution, so that both have one source.

    # BEGIN SOLUTION what to do, in the task's words
    # (more words, on lines that are comments only, directly below)
    ...the solution...
    # END SOLUTION

Inside a function, such a block becomes a TODO comment with those words and a `raise NotImplementedError` that
names the function. Outside of functions, a block of helpers or imports has no words and is left out.
In a file that is not Python, a block becomes the comment alone.

A marker that is nested, not closed, not opened or misspelt is an error, so that no solution can leak.
"""

import ast
import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from pathlib import Path

from grader import paths
from grader.errors import InputError
from grader.submissions.syntax import nodes_in

BEGIN = re.compile(r"(?P<indent> *)# BEGIN SOLUTION(?: (?P<words>\S.*))?")
END = re.compile(r" *# END SOLUTION")
MOST_FUNCTIONS = 20  # that are looked at in a student's file; no stub has as many
UNTOUCHED = MOST_FUNCTIONS + 2  # functions to write in a file in which nothing is; see `left_to_write`
LONGEST_STUB = 8  # times as long as it is handed out; a longer file is no stub
# See `_not_written`; a comment is no stub.
STUB = re.compile(r'^[^#\n]*raise NotImplementedError\("(\w+): (\w+) is not written yet', re.MULTILINE)
MOST_BELOW = 100  # lines of comments that may follow the TODO of a file that is not Python
_FUNCTION = re.compile(r"^def (\w+)", re.MULTILINE)
_DEFINED = re.compile(r"^(?:[ \t]*(?:async )?def +)?(\w+) *[(=:]", re.MULTILINE)
_CALLED = re.compile(r"(?<!def )\b(\w+)\(|#.*")
_TODO = re.compile(r" *# TODO\(\w+\): ")
LOOKS_LIKE_A_MARKER = re.compile(r"\b(begin|end)\b[\s_-]*solutions?", re.IGNORECASE)
WIDTH = 80


def cut_stub(source: str, file: str) -> str:
    """Return the stub of an annotated solution.

    Args:
        file: its name, for errors; its stem is the task's name.

    Raises:
        InputError: a marker is wrong, or the stub is not valid Python; the error has the file and line.
    """
    task = Path(file).stem
    is_python = file.endswith(".py")
    functions = _function_of_line(source, file) if is_python else {}
    stub: list[str] = []
    opened = 0
    lines = source.splitlines()
    for number, line in enumerate(lines, start=1):
        begin = BEGIN.fullmatch(line)
        if begin and not opened:
            opened = number
            function = functions.get(number)
            has_words = function is not None or not is_python
            if has_words != (begin["words"] is not None):
                raise _fault(file, number, "expected words inside a function, and only there")
            if has_words:
                words = [begin["words"]]
                for below in lines[number:]:
                    if not re.match(r" *# [a-z]", below):
                        break
                    words.append(below.strip().removeprefix("# "))
                indent = begin["indent"]
                todo = textwrap.wrap(f"TODO({task}): {' '.join(words)}", WIDTH - len(indent) - 2)
                stub += [f"{indent}# {line}" for line in todo]
            if function is not None:
                stub.append(_not_written(begin["indent"], task, function))
        elif END.fullmatch(line) and opened:
            opened = 0
        elif LOOKS_LIKE_A_MARKER.search(line):
            what = "inside the solution opened at line " + str(opened) if opened else "here"
            raise _fault(file, number, f"expected no such marker {what}, found {line.strip()!r}")
        elif not opened:
            stub.append(line)
    if opened:
        raise _fault(file, opened, "this solution is not closed")
    text = re.sub(r"\n{4,}", "\n\n\n", "\n".join(stub)) + "\n"
    if is_python:
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise _fault(file, error.lineno or 1, f"its stub is not Python: {error.msg}") from None
    return text


def is_stub(text: str, file: str) -> bool:
    """Return whether something in a student's file is not written yet; `file` is its name."""
    if file.endswith(".py"):
        return STUB.search(text) is not None
    for line in reversed(text.rstrip().rsplit("\n", MOST_BELOW)[-MOST_BELOW:]):
        if _TODO.match(line):
            return True
        if line.strip() and not line.lstrip().startswith("#"):
            break
    return False


def left_to_write(text: str, file: str) -> int:
    """Return how many functions of a student's file are stubs, empty or not there; `file` is its name.

    Those do not count that the file as handed out calls, and the student's does not: a search may be written
    without them. Where `peg_solve` is handed out ready, and still there, one that is not counts only if it is
    called. It is UNTOUCHED if nothing is written: if all functions are stubs, or if each line but comments is
    one of the file as handed out.
    """
    given = _handed_out(file)
    defined = {*_DEFINED.findall(text)}
    lacks = {*_FUNCTION.findall(given)} - defined
    if len(text) > LONGEST_STUB * max(len(given), 1_000):  # to read a long one takes long
        return len(lacks)
    asked = {name for _, name in STUB.findall(given)}
    calls, empty = _calls_and_empty(text)
    given_calls, _ = _calls_and_empty(given)
    if "peg_solve" in defined - asked:  # which is all that the task needs
        lacks &= calls
    left = left_in(text) | dict.fromkeys(asked & empty)
    lacks |= {name for name in left if left[name] is None and text.count(f"def {name}(") < 2}
    lacks = {name for name in lacks if name in calls or name not in given_calls}
    is_untouched = _lines(text) <= _lines(given) or (asked and asked <= lacks & left.keys())
    return UNTOUCHED if is_untouched else min(len(lacks), MOST_FUNCTIONS)


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(ast.Constant()) | ast.Return(None | ast.Constant(None)):
            return True
        case ast.Raise(ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))):
            return True
    return False


@lru_cache(64)
def _calls_and_empty(text: str) -> tuple[Set[str], Set[str]]:
    """Return the names of the functions that a text calls, and of those that do nothing."""
    nodes = [node for _, node in nodes_in({"": text})]
    if not nodes:  # it cannot be parsed
        return {*_CALLED.findall(text)}, set()
    calls = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return calls, {each.name for each in functions if all(map(_does_nothing, each.body))}


@cache
def _handed_out(file: str) -> str:
    """Return a file as it is handed out; empty if it is no task's."""
    stub, solution = paths.STUBS / file, paths.REFERENCE / file
    if stub.is_file():
        return stub.read_text("utf-8")
    return cut_stub(solution.read_text("utf-8"), file) if solution.is_file() else ""


def _lines(text: str) -> Set[str]:
    return {line for each in text.splitlines() if (line := each.strip()) and not line.startswith("#")}


def left_in(source: str) -> dict[str, tuple[int, str] | None]:
    """Return the functions with a stub, and whether its block has other code, too.

    That is the line of the stub, and where the code is: `below` or `above` it; None if there is none. The
    source is a student's, which may not be valid Python, so it is read line by line.
    """
    lines = source.split("\n")
    found: dict[str, tuple[int, str] | None] = {}
    for stub in itertools.islice(STUB.finditer(source), MOST_FUNCTIONS):
        number = source.count("\n", 0, stub.start()) + 1
        line = lines[number - 1]
        indent = len(line) - len(line.lstrip())
        above = next(_in_block(lines[number - 2 :: -1] if number > 1 else [], indent), "")
        header = above.endswith((":", '"""', "'''"))  # of the function, or the end of its docstring
        where = "below" if any(_in_block(lines[number:], indent)) else "above" if above and not header else ""
        found.setdefault(stub[2], (number, where) if where else None)
    return found


def _in_block(lines: Sequence[str], indent: int) -> Iterator[str]:
    """Yield the lines of code, stripped, up to the first line with less than the given indentation."""
    for line in lines:
        code = line.partition("#")[0].strip()
        if code and len(line) - len(line.lstrip()) < indent:
            return
        if code:
            yield code


def solution_lines(source: str) -> list[str]:
    """Return the lines of the solutions in an annotated source, stripped, without comments or blanks."""
    found, inside = [], False
    for line in source.splitlines():
        if BEGIN.fullmatch(line):
            inside = True
        elif END.fullmatch(line):
            inside = False
        elif inside and line.strip() and not line.strip().startswith("#"):
            found.append(line.strip())
    return found


def _not_written(indent: str, task: str, function: str) -> str:
    return f'{indent}raise NotImplementedError("{task}: {function} is not written yet")'


def _function_of_line(source: str, file: str) -> dict[int, str]:
    """Return the name of the function around each line that is inside one."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise _fault(file, error.lineno or 1, f"not Python: {error.msg}") from None
    return {
        line: node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 2)
    }


def _fault(file: str, line: int, problem: str) -> InputError:
    return InputError(
        f"{file}:{line}: {problem}",
        "a solution stands between '# BEGIN SOLUTION what to do' and '# END SOLUTION'",
    )
