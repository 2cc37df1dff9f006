"""Find a number of pegs that a search counts down in its loop, or does not count down at all."""

import ast
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from grader.submissions.syntax import found_once, functions_in

MOST_LOOPS = 20  # of a function that are read, each with all that is in it


class LoopCount(NamedTuple):
    """A parameter of a recursive function, and a place in the function."""

    name: str
    file: str
    line: int


@found_once
def loop_count(sources: Mapping[str, str]) -> LoopCount | None:
    """Return the first parameter that a loop counts down, passes to a recursive call, and never sets back."""
    for file, function in functions_in(sources):
        loops = (each for each in ast.walk(function) if isinstance(each, ast.For | ast.While))
        for loop in islice(loops, MOST_LOOPS):
            found = _counted(function, loop)
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


@found_once
def same_count(sources: Mapping[str, str]) -> LoopCount | None:
    """Return the first number that every recursive call gets as it is, though the function returns it."""
    for file, function in functions_in(sources):
        found = _same(function)
        if found is not None:
            return LoopCount(found[0], file, found[1])
    return None


def _same(function: ast.FunctionDef) -> tuple[str, int] | None:
    """Return a parameter that is passed on as it is, and the line of the call; None if there is none."""
    calls, numbers, names = list[ast.Call](), set[int](), dict[str, list[ast.Name]]()
    for node in ast.walk(function):
        numbers |= {id(each) for each in _numbers(node)}
        match node:
            case ast.Call(func=ast.Name(id=function.name)):
                calls.append(node)
            case ast.Name(id=name):
                names.setdefault(name, []).append(node)
    for number, parameter in enumerate(each.arg for each in function.args.args):
        used = names.get(parameter, [])
        passed = {id(call.args[number]) for call in calls if len(call.args) > number}
        same = sum(id(each) in passed for each in used)
        other = all(
            (id(each) in passed or id(each) in numbers) and isinstance(each.ctx, ast.Load) for each in used
        )
        if calls and same == len(calls) < len(used) and other:
            return parameter, calls[0].lineno
    return None


def _numbers(node: ast.AST) -> list[ast.expr | None]:
    """Return what a node takes for numbers: it compares, returns or assigns them, or is a call of `min`."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Return(value=value) | ast.Assign(value=value):
            return [value]
        case ast.Call(func=ast.Name(id="min"), args=found):
            return [*found]
    return []
