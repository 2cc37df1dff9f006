"""Keep the last results of each student folder, for `grade` and `grade replay`."""

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
    """Keep results on the course's boards for later commands.

    Args:
        student: whose code it was.
        results: the results.
        digests: for each task whose boards were all graded, so that its score is known, the digest of its
            files when they were graded.
    """
    kept = load(student)
    for result in results:
        of_task = kept.setdefault(result.task, {"boards": {}})
        of_task["boards"][result.board] = result.as_plain_data()
    for task, digest in digests.items():
        score = sum(result.points for result in results if result.task == task)
        kept.setdefault(task, {"boards": {}}).update(score=score, digest=digest)
    # A convenience for later commands: not being able to keep it is no fault.
    with contextlib.suppress(OSError):
        write_whole(_file_of(student), json.dumps(kept))


def load(student: Path) -> dict[str, Any]:
    """Return what was kept: by task its `score`, `digest` and `boards`; empty when there is nothing."""
    try:
        loaded = json.loads(_file_of(student).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def write_whole(file: Path, text: str) -> None:
    """Write `text` to `file` so that a reader sees all of it or what was there before.

    What is no plain file (a pipe, /dev/null), or stands in a folder that cannot be written, is written to.

    Raises:
        OSError: the file cannot be written.
    """
    in_place = file.exists() and (not file.is_file() or not os.access(file.resolve().parent, os.W_OK))
    if in_place:
        file.write_text(text, "utf-8")
        return
    file = file.resolve()  # what a link leads to is replaced, not the link
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, 0o644)  # mkstemp makes it private, a report is not
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
