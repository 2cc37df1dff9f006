"""Find a search that never returns what its recursive call returned, in a student's source."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grader.submissions.syntax import found_once, functions_in


class LostAnswer(NamedTuple):
    """A function that calls itself, the name that it gives to the answer or empty, and the call's place."""

    function: str
    name: str
    file: str
    line: int
    in_one_case: bool  # whether it is returned where a test has told its value


@found_once
def lost_answer(sources: Mapping[str, str]) -> LostAnswer | None:
    """Return the first function that does no more than compare what its recursive calls return, if any."""
    for file, function in functions_in(sources):
        lost = [*_lost(function)] if _answers(function) else []
        if lost and None not in lost and lost[0] is not None:
            name, line = lost[0]
            return LostAnswer(function.name, name, file, line, name in _returned(function))
    return None


def _answers(function: ast.FunctionDef) -> bool:
    """Return whether a function returns a value that it has itself, and none that other calls may set."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    shared = (ast.Global, ast.Nonlocal)
    return (
        bool(returned)
        and not any(isinstance(value, ast.Subscript | ast.Attribute) for value in returned)
        and not any(isinstance(node, shared) for node in ast.walk(function))
    )


def _returned(function: ast.FunctionDef) -> set[str]:
    values = (node.value for node in ast.walk(function) if isinstance(node, ast.Return))
    return {value.id for value in values if isinstance(value, ast.Name)}


class _Call(NamedTuple):
    name: str
    line: int


def _lost(function: ast.FunctionDef) -> Iterator[_Call | None]:
    """Yield, for each recursive call, where its answer is lost; None if the answer may be of use."""
    nodes = [*ast.walk(function)]
    known = _known_answers(function)
    statements = {id(node.value): node for node in nodes if isinstance(node, ast.Assign | ast.Expr)}
    comparisons = [node for node in nodes if isinstance(node, ast.Compare)]
    compared = {id(operand) for node in comparisons for operand in (node.left, *node.comparators)}
    loaded = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    used = {node.id for node in loaded if id(node) not in compared and id(node) not in known}
    for call in nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function.name:
            match statements.get(id(call)):
                case ast.Expr():
                    yield _Call("", call.lineno)
                case ast.Assign(targets=[ast.Name(id=name)]) if name not in used:
                    yield _Call(name, call.lineno)
                case _:
                    yield None


def _known_answers(function: ast.FunctionDef) -> set[int]:
    """Return the ids of the names below a test such as `left == 1`, which has told their value already."""
    found = set()
    todo: list[tuple[ast.AST, frozenset[str]]] = [(function, frozenset())]
    while todo:
        node, names = todo.pop()
        if isinstance(node, ast.Name) and node.id in names:
            found.add(id(node))
        body: list[ast.stmt] = []
        match node:
            case ast.If(ast.Compare(ast.Name(id=name), [ast.Eq()], [ast.Constant()]), body):
                todo += [(each, names | {name}) for each in body]
        known = {id(each) for each in body}
        todo += [(each, names) for each in ast.iter_child_nodes(node) if id(each) not in known]
    return found
