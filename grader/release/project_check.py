"""Check what else has to name a task, the README's table and the zoo, and what the stubs import."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from grader import paths
from grader.catalog.tasks import Task
from grader.errors import InputError

README, ZOO = paths.PACKAGE.parent / "README.md", paths.PACKAGE.parent / "tests" / "zoo"
_LIBRARIES = {"numpy", "framework"}  # that students may import, besides Python's own


def missing_rows(task: Task, readme: Path, zoo: Path) -> Iterator[InputError]:
    """Yield a fault if the README's table or the zoo lacks a task.

    An installed grader has neither; then nothing is asked for.
    """
    if readme.is_file():
        lines = readme.read_text("utf-8").splitlines()
        link = f"[{task.name}]({task.handout})"
        rows = [at for at, line in enumerate(lines, 1) if line.startswith("| [")]
        named = [at for at in rows if link in lines[at - 1]]
        points = re.compile(rf"\b{task.max_points}\b")
        if not any(points.search(lines[at - 1].rstrip("| ").rpartition("|")[2]) for at in named):
            place = (named or rows[-1:] or [len(lines)])[0]
            found = lines[place - 1] if named else "none"
            yield InputError(
                f"{paths.shown(readme)}:{place}: expected a row with {link} and {task.max_points} points, "
                f"found {found}",
                "correct that row" if named else "add one to the table of the tasks",
            )
    if zoo.is_dir():
        begins = re.compile(rf"^task: {re.escape(task.name)}\b", re.MULTILINE)
        if not any(begins.search(row.read_text("utf-8")) for row in sorted(zoo.glob("*/zoo.yaml"))):
            yield InputError(
                f"{paths.shown(zoo)}: no row has task: {task.name}",
                f"add {paths.shown(zoo)}/NAME/zoo.yaml with a wrong program and the verdict that it must get",
            )


def wrong_imports(task: Task, student: Path) -> Iterator[InputError]:
    """Yield a fault for each import of a task's stub that fails with the task's files alone."""
    stub = student / task.file
    if stub.suffix != ".py" or not stub.is_file():  # a missing one is reported where it is compared
        return
    tree = ast.parse(stub.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            wanted = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in wanted:
            if problem := _problem(module, name, task, student):
                yield InputError(
                    f"{paths.shown(stub)}:{node.lineno}: {problem}",
                    "correct the import in the reference, or the files in tasks.yaml; then: make stubs",
                )


def _problem(module: str, name: str, task: Task, student: Path) -> str:
    """Return why an import fails, or an empty text; an empty `name` imports the module itself."""
    top = module.partition(".")[0]
    if f"{module}.py" in task.files:
        file = student / f"{module}.py"
    elif top == "framework":
        file = paths.PACKAGE.parent / (module.replace(".", "/") + ".py")
        if not file.is_file():
            return f"imports {module}, which is not there"
    elif top in _LIBRARIES or top in sys.stdlib_module_names:
        return ""
    else:
        return f"imports {module}, which is not among the task's files, {', '.join(task.files)}"
    if name and file.is_file() and name not in _names(file):
        return f"imports {name} from {module}, which has no {name}"
    return ""


def _names(file: Path) -> set[str]:
    """Return the names that a module defines, assigns or imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found
