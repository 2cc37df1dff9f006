"""Look at the style of students' files with ruff: advice in their feedback, as `cc0 -w` gives it in C0.

ruff only reads the files; nothing of theirs is run. It belongs to the extra `class`; without it there is no
advice. What it said of the same files in an earlier run is in the store.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.catalog.tasks import registry
from grader.course.store import ClassStore
from grader.reports.provenance import version_of
from grader.safe_text import one_line

RULES = "E4,E7,E9,F"  # what ruff checks by default
LEFT_OUT = "F401"  # unused imports: the stubs import what most programs need
TIME_LIMIT_S = 300.0  # for a whole class, which takes a second
KEPT = "style"  # key of the store's note with what ruff said in the last run
_MOST_TEXT = 120

Key = tuple[str, str]  # the digest of the sources that were handed in for a task, and the task


@dataclass(frozen=True)
class Remark:
    """A remark on a line of a student's file."""

    file: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text} ({self.rule})"


def is_there() -> bool:
    """Return whether ruff is installed."""
    return find_spec("ruff") is not None


def remarks_in(store: ClassStore) -> dict[Key, list[Remark]]:
    """Return the remarks on each task's own file in a class's store; none without ruff, or if it fails."""
    if not is_there():
        return {}
    names = {task: registry().find(task).file for task in store.tasks}
    keys = [
        (digest, task)
        for digest, task in store.read(
            "SELECT DISTINCT sources, task FROM answers JOIN tasks ON tasks.name = task"
        )
        if names[task].endswith(".py")
    ]
    by = f"ruff {version_of('ruff')} {_command()[3:]}"
    kept = json.loads(store.noted(KEPT) or "{}")
    before = kept["said"] if kept.get("by") == by else {}
    said = {digest: before.get(digest, {}) for digest, _ in keys}
    new = [(digest, task) for digest, task in keys if task not in said[digest]]
    if new:
        texts = [store.sources_called(digest).files.get(names[task], "") for digest, task in new]
        found = _said_by_ruff(texts)
        if found is None:
            return {}
        for number, (digest, task) in enumerate(new):
            said[digest][task] = found.get(number, [])
    store.note(KEPT, json.dumps({"by": by, "said": said}))
    return {
        (digest, task): [Remark(names[task], *remark) for remark in said[digest][task]]
        for digest, task in keys
        if said[digest][task]
    }


def _command() -> list[str]:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--ignore-noqa",
        "--exit-zero",
    ]
    command += ["--target-version", f"py3{sys.version_info.minor}", "--output-format", "json"]
    return [*command, "--select", RULES, "--ignore", LEFT_OUT, "."]


def _said_by_ruff(texts: Sequence[str]) -> Mapping[int, list[tuple[int, str, str]]] | None:
    """Return line, rule and words of each remark, by the text's number; None if ruff fails."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.py").write_text(text, "utf-8", "surrogatepass")
        try:
            done = subprocess.run(
                _command(), cwd=folder, capture_output=True, timeout=TIME_LIMIT_S, check=True
            )
            said = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
    found: dict[int, list[tuple[int, str, str]]] = {}
    for each in said:
        if each["code"] and each["code"] != "invalid-syntax":  # of which the report says more
            remark = (each["location"]["row"], each["code"], one_line(each["message"], _MOST_TEXT))
            found.setdefault(int(Path(each["filename"]).stem), []).append(remark)
    return found
