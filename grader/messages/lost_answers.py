"""Find a search that never returns what its recursive call returned, in a student's source."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grader.submissions.syntax import found_once, trees_of


class LostAnswer(NamedTuple):
    """A function that calls itself, the name that it gives to the answer or empty, and the call's place."""

    function: str
    name: str
    file: str
    line: int


@found_once
def lost_answer(sources: Mapping[str, str]) -> LostAnswer | None:
    """Return the first function that does no more than compare what its recursive calls return, if any."""
    for file, tree in trees_of(sources):
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and _answers(function):
                lost = [*_lost(function)]
                if lost and None not in lost and lost[0] is not None:
                    return LostAnswer(function.name, lost[0].name, file, lost[0].line)
    return None


def _answers(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


class _Call(NamedTuple):
    name: str
    line: int


def _lost(function: ast.FunctionDef) -> Iterator[_Call | None]:
    """Yield, for each recursive call, where its answer is lost; None if the answer may be of use."""
    nodes = [*ast.walk(function)]
    statements = {id(node.value): node for node in nodes if isinstance(node, ast.Assign | ast.Expr)}
    comparisons = [node for node in nodes if isinstance(node, ast.Compare)]
    compared = {id(operand) for node in comparisons for operand in (node.left, *node.comparators)}
    loaded = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    used = {node.id for node in loaded if id(node) not in compared}
    for call in nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function.name:
            match statements.get(id(call)):
                case ast.Expr():
                    yield _Call("", call.lineno)
                case ast.Assign(targets=[ast.Name(id=name)]) if name not in used:
                    yield _Call(name, call.lineno)
                case _:
                    yield None
