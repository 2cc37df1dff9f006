"""Save the last results of each student folder, for `grade` and `grade replay`."""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader import paths
from grader.result import Result


def _file_of(student: Path) -> Path:
    name = hashlib.sha256(str(student.resolve()).encode()).hexdigest()[:32]
    return paths.cache_root() / "results" / f"{name}.json"


def keep(student: Path, results: Sequence[Result], digests: Mapping[str, str]) -> None:
    """Save results on the course's boards for later commands.

    Args:
        student: the student's folder.
        results: the results.
        digests: for each task whose boards were all graded, which gives its score, the digest of its files
            at that time.
    """
    kept = load(student)
    for result in results:
        of_task = kept.setdefault(result.task, {"boards": {}})
        of_task["boards"][result.board] = result.as_plain_data()
    for task, digest in digests.items():
        score = sum(result.points for result in results if result.task == task)
        kept.setdefault(task, {"boards": {}}).update(score=score, digest=digest)
    # Only a convenience for later commands: failing to save it is no fault.
    with contextlib.suppress(OSError):
        write_whole(_file_of(student), json.dumps(kept))


def load(student: Path) -> dict[str, Any]:
    """Return the saved `score`, `digest` and `boards` by task; empty when nothing is saved."""
    try:
        loaded = json.loads(_file_of(student).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def write_whole(file: Path, text: str) -> None:
    """Write `text` to `file` so that a reader sees all of it or the former contents.

    A pipe, /dev/null and the like, or a file in a read-only folder, are written in place.

    Raises:
        OSError: the file cannot be written.
    """
    in_place = file.exists() and (not file.is_file() or not os.access(file.resolve().parent, os.W_OK))
    if in_place:
        file.write_text(text, "utf-8")
        return
    file = file.resolve()  # replace the target of a link, not the link
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, 0o644)  # mkstemp makes it private; a report is not
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
