"""Look at the style of students' files with ruff: advice in their feedback, as `cc0 -w` gives it in C0.

ruff only reads the files; nothing of theirs is run. It belongs to the extra `class`; without it there is no
advice.
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
from grader.safe_text import one_line

RULES = "E4,E7,E9,F"  # what ruff checks by default
LEFT_OUT = "F401"  # unused imports: the stubs import what most programs need
TIME_LIMIT_S = 300.0  # for a whole class, which takes a second
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
    texts: dict[Key, tuple[str, str]] = {}
    for task, digest, files in store.read(
        "SELECT DISTINCT task, digest, files FROM answers JOIN sources ON digest = sources "
        "JOIN tasks ON tasks.name = task"
    ):
        name = registry().find(task).file
        text = json.loads(files).get(name)
        if text is not None and name.endswith(".py"):
            texts[digest, task] = name, text
    found = _said_by_ruff([text for _, text in texts.values()]) if texts and is_there() else {}
    return {
        key: [Remark(name, *remark) for remark in found[number]]
        for number, (key, (name, _)) in enumerate(texts.items())
        if number in found
    }


def _said_by_ruff(texts: Sequence[str]) -> Mapping[int, list[tuple[int, str, str]]]:
    """Return line, rule and words of each remark, by the text's number."""
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
    command += ["--select", RULES, "--ignore", LEFT_OUT, "."]
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.py").write_text(text, "utf-8", "surrogatepass")
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=TIME_LIMIT_S, check=True)
            said = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return {}
    found: dict[int, list[tuple[int, str, str]]] = {}
    for each in said:
        if each["code"] and each["code"] != "invalid-syntax":  # of which the report says more
            remark = (each["location"]["row"], each["code"], one_line(each["message"], _MOST_TEXT))
            found.setdefault(int(Path(each["filename"]).stem), []).append(remark)
    return found
