"""Parse a student's file, also in several threads."""

import ast
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import TypeVar

MOST_READ = 50_000  # characters of a file that is read for a message: no text may cost the judge seconds
_MOST_KEPT = 16  # submissions of which what was found is kept; a class is graded a few at a time

Found = TypeVar("Found")

# Python 3.11 counts how deep a tree is for all threads in one place, and fails if two of them make one.
_PARSING = threading.Lock()


def syntax_tree(source: str) -> ast.Module | None:
    """Return the syntax tree of a file; None if it is very long or cannot be parsed. Thread-safe."""
    if len(source) > MOST_READ:
        return None
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python prints of a file is not for whoever reads a report
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def trees_of(sources: Mapping[str, str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the name and the syntax tree of each file that has one."""
    for file, source in sources.items():
        tree = syntax_tree(source)
        if tree is not None:
            yield file, tree


def nodes_in(sources: Mapping[str, str]) -> Iterator[tuple[str, ast.AST]]:
    """Yield each node of each file's tree, with the file's name."""
    for file, tree in trees_of(sources):
        for node in ast.walk(tree):
            yield file, node


def functions_in(sources: Mapping[str, str]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function of a file that is in no class and in no other function, with the file's name."""
    for file, tree in trees_of(sources):
        yield from ((file, each) for each in tree.body if isinstance(each, ast.FunctionDef))


def found_once(find: Callable[[Mapping[str, str]], Found]) -> Callable[[Mapping[str, str]], Found]:
    """Let a function look into the same files once, since each check of a submission that fails asks again.

    What it found is kept and shared, but no syntax tree: those of one submission may take 100 MiB.
    """
    kept = lru_cache(_MOST_KEPT)(lambda files: find(dict(files)))

    @wraps(find)
    def once(sources: Mapping[str, str]) -> Found:
        return kept(tuple(sources.items()))

    return once
