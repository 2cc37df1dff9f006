"""Locate files in a checkout, in an installed wheel and on the user's machine."""

import errno
import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
REFERENCE = PACKAGE / "reference"
ORACLE = PACKAGE / "oracle"
RESEARCH = PACKAGE / "research"
STUBS = PACKAGE / "stubs"  # only in a release
TASKS_FILE = PACKAGE / "tasks.yaml"
FRAMEWORK_ROOT = PACKAGE.parent  # the folder that holds the package `framework`
DISTRIBUTION = "peg-solitaire" if REFERENCE.is_dir() else "peg-solitaire-course"  # what pip calls this


def _beside(name: str) -> Path:
    """Return a path that is next to the package in a checkout and inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.exists() else PACKAGE.parent / name


BOARDS = _beside("boards")
HANDOUTS = _beside("handouts")
LICENSE = _beside("LICENSE")


def cache_root() -> Path:
    """Return the cache folder, for compiled code and last results."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # as XDG requires
    return base.absolute() / "peg-grade"


def cache_fault() -> str:
    """Return why the cache folder cannot be written, empty if it can be; do not create the folder."""
    try:
        folder = cache_root()
    except RuntimeError:  # a user whom the system does not know, as in some containers
        return "the cache folder cannot be made: there is no home folder"
    there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
    if not there.is_dir():
        return f"{folder}: cannot be written: {os.strerror(errno.ENOTDIR)}"
    denied = f"{folder}: cannot be written: {os.strerror(errno.EACCES)}"
    return "" if os.access(there, os.W_OK | os.X_OK) else denied


def shown(path: Path) -> str:
    """Return `path` as a user would type it: relative if it is below the current folder."""
    whole, here = os.path.abspath(path), os.getcwd()  # links are not resolved
    below = os.path.join(here, "")
    if whole == here:
        return "."
    return whole[len(below) :] if whole.startswith(below) else str(path)
