"""Find a number that a search counts down in its loop, though each jump begins with the same board."""

import ast
from collections.abc import Mapping
from typing import NamedTuple

from grader.submissions.syntax import found_once, trees_of


class LoopCount(NamedTuple):
    """A parameter of a recursive function that its loop counts down, and where."""

    name: str
    file: str
    line: int


@found_once
def loop_count(sources: Mapping[str, str]) -> LoopCount | None:
    """Return the first parameter that a loop counts down, passes to a recursive call, and never sets back."""
    for file, tree in trees_of(sources):
        for function in tree.body:
            if isinstance(function, ast.FunctionDef):
                for loop in ast.walk(function):
                    found = _counted(function, loop) if isinstance(loop, ast.For | ast.While) else None
                    if found is not None:
                        return LoopCount(found[0], file, found[1])
    return None


def _counted(function: ast.FunctionDef, loop: ast.For | ast.While) -> tuple[str, int] | None:
    """Return the parameter and the line; None if there is none in this loop."""
    nodes = [*ast.walk(loop)]
    passed = {
        argument.id
        for call in nodes
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function.name
        for argument in call.args
        if isinstance(argument, ast.Name)
    }
    for name in passed & {each.arg for each in function.args.args}:
        sets = [each for each in nodes if isinstance(each, ast.Name) and each.id == name and _is_set(each)]
        for each in nodes if len(sets) == 1 else ():
            match each:
                case ast.AugAssign(target=target, op=ast.Sub(), value=ast.Constant(value=1)):
                    pass
                case ast.Assign(targets=[target], value=ast.BinOp(ast.Name(id=same), ast.Sub(), one)):
                    if same != name or not isinstance(one, ast.Constant) or one.value != 1:
                        continue
                case _:
                    continue
            if target in sets:
                return name, each.lineno
    return None


def _is_set(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)
