"""Find a function that has a path without a return, though it should return a value."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grader.submissions.syntax import found_once, trees_of


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
        for file, tree in trees_of(sources)
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and _gives_value(function) and _ends(function.body)
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
