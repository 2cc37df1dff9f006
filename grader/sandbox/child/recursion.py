"""Find the functions of a program that call themselves; decorate those that are inside other functions."""

import ast
import dis
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from grader.sandbox.child.whose import is_students

T = TypeVar("T")
NAME = "the decorator"  # a global of the student's module; with a blank, so that no program has it


def recursive(functions: list[FunctionType]) -> list[FunctionType]:
    """Return the functions that call themselves, directly or through others, by the names in their code."""
    by_name: dict[str, list[FunctionType]] = {}
    for each in functions:
        by_name.setdefault(each.__name__, []).append(each)
    calls = {
        each: [other for name in _names(each.__code__) for other in by_name.get(name, ())]
        for each in functions
    }
    return [each for each in functions if each in reached(each, calls)]


def reached(start: T, calls: Mapping[T, Iterable[T]]) -> set[T]:
    """Return what is called from `start`, directly or through others."""
    found: set[T] = set()
    todo = list(calls[start])
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += calls[each]
    return found


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of the functions that a piece of code may call: globals, and attributes of `self`."""
    before = ""
    for each in dis.get_instructions(code):
        if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield each.argval
        if each.opname in ("LOAD_ATTR", "LOAD_METHOD") and before == "self":
            yield each.argval
        before = str(each.argval)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def classes_of(module: ModuleType) -> list[type]:
    """Return the classes that a module defines."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the student's functions in a module, and those in its classes."""
    for place in (module, *classes_of(module)):
        for each in vars(place).values():
            if isinstance(each, FunctionType) and is_students(each.__code__.co_filename):
                yield each


# ---- functions inside functions, which are made anew whenever the outer one runs -----------------


def decorate_inside(function: FunctionType, decorator: Callable[[Any], Any]) -> None:
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
