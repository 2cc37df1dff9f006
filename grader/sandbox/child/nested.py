"""Decorate functions inside other functions, which are made anew whenever the outer one runs."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from grader.sandbox.child.recursion import reached

NAME = "the decorator"  # a global of the student's module; with a blank, so that no program has it


def decorate(function: FunctionType, decorator: Callable[[Any], Any]) -> None:
    """Have `decorator` decorate those functions inside a function that call themselves.

    The outer function gets the code of its own file, compiled again with one decorator more.
    """
    wanted = {(each.co_name, each.co_firstlineno) for each in _recursive_in(function.__code__)}
    if not wanted:
        return
    file = function.__code__.co_filename
    tree = ast.parse(Path(file).read_bytes(), file)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if (node.name, first) in wanted:
                node.decorator_list.append(ast.copy_location(ast.Name(NAME, ast.Load()), node))
    place = _place(function.__code__)
    codes = _inside(compile(tree, file, "exec", dont_inherit=True))
    function.__globals__[NAME] = decorator
    function.__code__ = next((each for each in codes if _place(each) == place), function.__code__)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _recursive_in(code: CodeType) -> list[CodeType]:
    """Return the functions inside a function that call themselves, directly or through others.

    A function inside another one knows itself and its neighbours as free variables.
    """
    inside = list(_inside(code))
    calls = {each: [other for other in inside if other.co_name in each.co_freevars] for each in inside}
    return [each for each in inside if each in reached(each, calls)]


def _inside(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inside(each)
