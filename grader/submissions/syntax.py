"""Parse a student's file, also in several threads."""

import ast
import threading
import warnings
from collections.abc import Iterator, Mapping

MOST_READ = 50_000  # characters of a file that is read for a message: no text may cost the judge seconds

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
