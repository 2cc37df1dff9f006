"""Grade made-up submissions in parallel: what the tests of the zoo and of the mutants share."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.submissions import submission


def copy_reference(folder: Path) -> Path:
    """Make a student's folder with the files of the reference, and return it."""
    shutil.copytree(paths.REFERENCE, folder, ignore=shutil.ignore_patterns("__pycache__", "report*"))
    return folder


@contextmanager
def a_place_to_grade(place: Path, temporary: Path) -> Iterator[None]:
    """Prepare this process to grade many submissions below `place`, with temporary files in `temporary`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)  # messages name files as seen from here
        patch.setattr(submission, "KEPT", 10_000)  # there are more submissions than it usually keeps
        patch.setattr(tempfile, "tempdir", str(temporary))
        # If this is set, the libraries' bytecode is never kept, and every child takes three times as long.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


class Runs:
    """Submissions graded once each, two at a time."""

    def __init__(self, names: Iterable[str], grade: Callable[[str], Any]) -> None:
        self._pool = ThreadPoolExecutor(2)
        self._futures: dict[str, Future[Any]] = {name: self._pool.submit(grade, name) for name in names}

    def of(self, name: str) -> Any:
        return self._futures[name].result()

    def wait(self) -> None:
        for future in self._futures.values():
            future.result()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
