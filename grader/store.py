"""The last results of each student folder, for `grade`, `grade replay` and nothing else."""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader import paths
from grader.result import Result
from grader.tasks import Task


def _file_of(student: Path) -> Path:
    name = hashlib.sha256(str(student.resolve()).encode()).hexdigest()[:32]
    return paths.cache_root() / "results" / f"{name}.json"


def digest_of(student: Path, files: Sequence[str]) -> str:
    """Return a digest of a task's files as they are now; missing ones count as empty."""
    digest = hashlib.sha256()
    for name in files:
        path = student / name
        digest.update(path.read_bytes() if path.is_file() else b"")
        digest.update(b"\0")
    return digest.hexdigest()


def keep(student: Path, tasks: Sequence[Task], results: Sequence[Result], whole: bool) -> None:
    """Keep results for later commands.

    Args:
        student: whose code it was.
        tasks: the tasks that were graded.
        results: their results.
        whole: whether all boards of each task were graded, so that its score is known.
    """
    kept = load(student)
    for task in tasks:
        of_task = kept.setdefault(task.name, {"boards": {}})
        own = [result for result in results if result.task == task.name]
        for result in own:
            of_task["boards"][result.board] = result.as_plain_data()
        if whole:
            of_task["score"] = sum(result.points for result in own)
            of_task["digest"] = digest_of(student, task.files)
    file = _file_of(student)
    try:
        write_whole(file, json.dumps(kept))
    except OSError:
        return  # a convenience for later commands: not being able to keep it is no fault


def load(student: Path) -> dict[str, Any]:
    """Return what was kept: by task its `score`, `digest` and `boards`; empty when there is nothing."""
    try:
        loaded = json.loads(_file_of(student).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def write_whole(file: Path, text: str) -> None:
    """Write `text` to `file` so that a reader sees all of it or what was there before.

    Raises:
        OSError: the file cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        os.chmod(name, 0o644)  # mkstemp makes it private, a report is not
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
