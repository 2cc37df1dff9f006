"""Find a number that a search counts down in its loop, though each jump begins with the same board."""

import ast
from collections import Counter
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
    passed, sets, lines = set[str](), Counter[str](), dict[str, int]()
    for node in ast.walk(loop):
        match node:
            case ast.Call(func=ast.Name(id=function.name), args=arguments):
                passed |= {each.id for each in arguments if isinstance(each, ast.Name)}
            case ast.Name(id=name, ctx=ast.Store()):
                sets[name] += 1
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Sub(), value=ast.Constant(value=1)):
                lines[name] = node.lineno
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left, ast.Sub(), one)):
                match left, one:
                    case ast.Name(id=same), ast.Constant(value=1) if same == name:
                        lines[name] = node.lineno
    mine = passed & {each.arg for each in function.args.args}
    return next(((name, line) for name, line in lines.items() if name in mine and sets[name] == 1), None)
