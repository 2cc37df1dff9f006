"""Import a submission, which may itself import only Python, some libraries, the framework and its files."""

import importlib
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from grader.sandbox.child import describe
from grader.sandbox.confine import reach

RULES = ("framework.jumps", "framework.verify")


def load_submission(code: str, task: str, debug: bool) -> tuple[ModuleType | None, ModuleType]:
    """Import and return the client, if there is one, and the task's own file.

    The client's hash function is linked, as C0 does it. The submission's folder comes first on the path: it
    holds the files that the task names and nothing else.

    Args:
        code: the submission's folder.
        task: the name of the module in the task's own file.
        debug: whether the submission runs as plain Python with contracts.
    """
    from framework import contracts, hash_table

    sys.path.insert(0, code)
    with_client = os.path.lexists(os.path.join(code, "client.py"))
    client = importlib.import_module("client") if with_client else None
    if client is not None and hasattr(client, "key_hash"):
        key_hash = client.key_hash
        if not debug and not hasattr(key_hash, "py_func"):
            key_hash = contracts.compiled(key_hash)  # the compiled table cannot call plain Python
        hash_table.link_key_hash(key_hash)
    return client, importlib.import_module(task)


class OnlyWhatIsThere:
    """Lets a submission import only Python's modules, some libraries, the framework and its own files.

    Other installed packages are not found, so imports work the same on every machine.
    """

    def __init__(self, code: str) -> None:
        self._libraries = reach.libraries()
        own = [file.removesuffix(".py") for file in os.listdir(code)]
        self._known = (sys.stdlib_module_names - reach.NOT_OF_PYTHON) | {*reach.LIBRARIES, "framework", *own}

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find a library, refuse an unknown module, and leave every other module to Python."""
        if path is None and name not in self._known and name not in sys.modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return self._libraries.get(name) if path is None else None


def forget_the_judge() -> None:
    """Keep a submission from importing the grader, its neighbours in a checkout, and the rules of a jump.

    Students write these rules themselves in peg1.
    """
    describe.format_jump = importlib.import_module("framework.jumps").format_jump
    ours = [name for name in sys.modules if name.split(".")[0] == "grader"]
    for name in [*ours, "student", "tests", *RULES]:
        sys.modules[name] = None  # type: ignore[assignment]  # Python's own way to refuse an import
    for name in RULES:  # imported modules are also attributes of their package
        package, _, module = name.rpartition(".")
        vars(sys.modules[package]).pop(module, None)
