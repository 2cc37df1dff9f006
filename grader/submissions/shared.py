"""Find what a task's own file uses of a student's other files and of the framework.

An edit of the task's own file leaves that compiled code as it is; see `CompiledCode.take_over`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

from grader import paths
from grader.submissions.submission import Submission

FRAMEWORK = ("board.py", "stack.py", "hash_table.py")
_DEFINED = re.compile(r"^def (\w+)", re.M)


def functions_used(submission: Submission, file: str) -> frozenset[str]:
    """Return the names of functions of the other files and the framework that appear in functions of `file`.

    Args:
        submission: the student's files.
        file: the task's own file.
    """
    try:
        tree = ast.parse(submission.sources[file])
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its own run says what is wrong
        return frozenset()
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    others = submission.without(file).sources.values()
    defined = {name for text in others for name in _DEFINED.findall(text)} | _of_the_framework()
    defined -= {each.name for each in functions}
    return frozenset(name for each in functions for name in _names(each) if name in defined)


@cache
def _of_the_framework() -> frozenset[str]:
    files = [paths.FRAMEWORK_ROOT / "framework" / name for name in FRAMEWORK]
    return frozenset(name for each in files for name in _DEFINED.findall(each.read_text("utf-8")))


def _names(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names in a function's body; its contracts are not compiled."""
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr
