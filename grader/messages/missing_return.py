"""Find where a None comes from: a function's path without a return, or a variable that begins as None."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from grader.submissions.syntax import found_once, functions_in


class NoReturn(NamedTuple):
    """A function, and the file and line of its definition."""

    name: str
    file: str
    line: int


@found_once
def without_return(sources: Mapping[str, str]) -> Sequence[NoReturn]:
    """Return the functions of these files whose end can be reached without a return.

    Only functions are looked at that return a value elsewhere, or say so in their head.
    """
    return [
        NoReturn(function.name, file, function.lineno)
        for file, function in functions_in(sources)
        if _gives_value(function) and _ends(function.body)
    ]


def _gives_value(function: ast.FunctionDef) -> bool:
    said = function.returns
    if said is not None:
        return not (isinstance(said, ast.Constant) and said.value is None)
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Return whether the end of some statements can be reached, as far as their shape tells."""
    last = body[-1]
    while isinstance(last, ast.If):  # of which thousands may follow each other as `elif`
        if not last.orelse or _ends(last.body):
            return True
        last = last.orelse[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    if isinstance(last, ast.With):
        return _ends(last.body)
    return not isinstance(last, ast.Try | ast.Match)  # which may end in too many ways to tell


class SetToNone(NamedTuple):
    """A variable that a function sets to None in one place and to something else in another."""

    name: str
    file: str
    line: int


@found_once
def set_to_none(sources: Mapping[str, str]) -> Sequence[SetToNone]:
    """Return the variables of these files that a function sets to None, and elsewhere to something else."""
    return [
        SetToNone(name, file, line)
        for file, function in functions_in(sources)
        for name, line in _set_to_none(function)
    ]


def none_on_line(sources: Mapping[str, str], file: str, source: str) -> SetToNone | None:
    """Return such a variable of a file that a line of it names; None if there is none."""
    names = set(re.findall(r"\w+", source))
    return next((each for each in set_to_none(sources) if each.file == file and each.name in names), None)


def _set_to_none(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    set_at_all = Counter(each.id for each in names if isinstance(each.ctx, ast.Store))
    to_none: dict[str, list[int]] = {}
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=None))
            ):
                to_none.setdefault(name, []).append(node.lineno)
    yield from ((name, lines[0]) for name, lines in to_none.items() if set_at_all[name] > len(lines))
