"""Tell which files of an earlier run are still right, so that a run writes only what is different.

The store keeps two digests of each file: of all that it was made of, the grader included, and of its content.
A file on disk is left as it is only if both are the same; so one that somebody changed is written again.
"""

import hashlib
import json
import os
import platform
from functools import cache
from pathlib import Path

from grader import last_results as files
from grader import paths
from grader.course.store import ClassStore
from grader.reports.provenance import version_of

KEY = "files written"  # key of the store's note with the digests
LIBRARIES = ("jinja2", "tabulate", "wcwidth")  # that reports are made with, the last if it is there


class WrittenFiles:
    """The files of a folder that this run and the one before it wrote."""

    def __init__(self, store: ClassStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._before: dict[str, list[str]] = json.loads(store.noted(KEY) or "{}")
        self._now: dict[str, list[str]] = {}

    def is_made_of(self, file: Path, made_of: str) -> bool:
        """Return whether the file is as an earlier run of this grader wrote it, made of the same."""
        name = file.relative_to(self._folder).as_posix()
        kept = self._before.get(name)
        if kept is None or kept[0] != _with_grader(made_of) or kept[1] != _digest_of_file(file):
            return False
        self._now[name] = kept
        return True

    def write(self, file: Path, made_of: str, text: str) -> None:
        """Write a file completely.

        Args:
            made_of: a digest of all that it was made of besides the grader.
        """
        files.write_whole(file, text)
        name = file.relative_to(self._folder).as_posix()
        self._now[name] = [_with_grader(made_of), hashlib.sha256(text.encode()).hexdigest()]

    def note(self) -> None:
        """Keep the digests in the store, of no more than the files of this run."""
        self._store.note(KEY, json.dumps(self._now))


def _digest_of_file(file: Path) -> str:
    """Return the digest of what is written by `write`; empty if there is no such file."""
    try:
        with open(file, "rb", buffering=0) as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def _with_grader(made_of: str) -> str:
    return hashlib.sha256(f"{made_of} {digest_of_grader()}".encode()).hexdigest()


@cache
def digest_of_grader() -> str:
    """Return a digest of the whole grader, which takes some milliseconds, and of what else makes reports."""
    digest = hashlib.sha256(platform.python_version().encode())
    for library in LIBRARIES:
        digest.update(f"{library} {version_of(library)}\n".encode())
    for root in (paths.PACKAGE, paths.FRAMEWORK_ROOT / "framework", paths.BOARDS):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                digest.update(f"{name}\0".encode() + Path(folder, name).read_bytes())
    return digest.hexdigest()
