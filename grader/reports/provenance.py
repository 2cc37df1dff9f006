"""Say by what a report was made: the grader and its commit, Python, numba, and the date."""

import platform
import subprocess
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from grader import paths
from grader.paths import DISTRIBUTION

_GIT = ("git", "describe", "--always", "--dirty=+changes", "--abbrev=12", "--exclude=*")


@dataclass(frozen=True)
class Provenance:
    """By what something was graded."""

    date: str  # when, to the minute, with its offset from UTC
    grader: str = ""  # the version of the grader; empty in a folder that nobody installed
    commit: str = ""  # the commit of its checkout, marked if files were changed since; empty if there is none
    python: str = ""
    numba: str = ""

    @property
    def versions(self) -> str:
        """All but the date, in words: `peg-solitaire 0.1.0 (commit 12ab), Python 3.12.1, numba 0.61.2`."""
        commit = f" (commit {self.commit})" if self.commit else ""
        numba = f", numba {self.numba}" if self.numba else ""
        return f"{DISTRIBUTION} {self.grader}".rstrip() + f"{commit}, Python {self.python}{numba}"

    def __str__(self) -> str:
        return f"{datetime.fromisoformat(self.date):%Y-%m-%d %H:%M %Z}".rstrip() + f" by {self.versions}"


def now() -> str:
    """Return the date as in a Provenance."""
    return datetime.now().astimezone().isoformat(timespec="minutes")


def here() -> Provenance:
    """Return the provenance of what is graded now, by this process."""
    return Provenance(
        now(), version_of(DISTRIBUTION), _commit(), platform.python_version(), version_of("numba")
    )


@cache
def version_of(distribution: str) -> str:
    """Return the version of an installed distribution; empty if it is not installed."""
    from importlib import metadata  # 12 ms, which a table has no need of

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


@cache
def _commit() -> str:
    """Return the commit of the course's checkout; a student's own repository has none of the grader's."""
    root = paths.FRAMEWORK_ROOT
    if not paths.REFERENCE.is_dir() or not (root / ".git").exists():
        return ""
    try:
        done = subprocess.run(_GIT, cwd=root, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
