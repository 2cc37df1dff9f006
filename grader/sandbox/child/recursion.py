"""Find the functions of a program that call themselves."""

import dis
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import TypeVar

from grader.sandbox.child.whose import is_students

T = TypeVar("T")


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
