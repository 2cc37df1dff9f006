"""Find what a task's own file uses of a student's other files and of the framework.

An edit of the task's own file leaves that compiled code as it is; see `CompiledCode.take_over`. The text is
not parsed: a name too many, from a comment, costs a moment of compiling.
"""

import re
from functools import cache

from grader import paths
from grader.submissions.submission import Submission

FRAMEWORK = ("board.py", "stack.py", "hash_table.py")
_DEFINED = re.compile(r"^def (\w+)", re.M)
_NOT_COMPILED = re.compile(r"^(?:@|from |import ).*", re.M)  # contracts, and names that only they may use


def functions_used(submission: Submission, file: str) -> frozenset[str]:
    """Return the names of functions of the other files and the framework that `file` uses."""
    text = submission.sources[file]
    others = submission.without(file).sources.values()
    defined = _of_the_framework().union(*(_DEFINED.findall(each) for each in others))
    return defined.difference(_DEFINED.findall(text)).intersection(
        re.findall(r"\w+", _NOT_COMPILED.sub("", text))
    )


@cache
def _of_the_framework() -> frozenset[str]:
    files = [paths.FRAMEWORK_ROOT / "framework" / name for name in FRAMEWORK]
    return frozenset(name for each in files for name in _DEFINED.findall(each.read_text("utf-8")))
