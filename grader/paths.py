"""Locate files in a checkout, in an installed wheel and on the user's machine."""

import errno
import os
import shlex
import stat
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
REFERENCE = PACKAGE / "reference"
ORACLE = PACKAGE / "oracle"
RESEARCH = PACKAGE / "research"
STUBS = PACKAGE / "stubs"  # only in a release
TASKS_FILE = PACKAGE / "tasks.yaml"
FRAMEWORK_ROOT = PACKAGE.parent  # the folder that holds the package `framework`
DISTRIBUTION = "peg-solitaire" if REFERENCE.is_dir() else "peg-solitaire-course"  # what pip calls this

_NOBODY = (
    65534  # whose root's folders seem to be, in a container of an ordinary user and on some servers' disks
)


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
    """Return why the cache folder cannot be used, empty if it can be; do not create the folder.

    Compiled code in it is run, so nobody else may have it, or put another one in its place.
    """
    try:
        folder = cache_root()
    except RuntimeError:  # a user whom the system does not know, as in some containers
        return "the cache folder cannot be made: there is no home folder"
    if not is_text(folder):
        return f"{shown(folder)}: numba needs a path in UTF-8"
    for each in (folder, folder.with_name("numba")):  # numba loads what is in its own, without a look at it
        if os.path.lexists(each) and not is_ours(each):
            return f"{each}: another user's"
    if why := _unsafe_above(folder):
        return why
    error = writing_error(folder)
    return f"{folder}: cannot be written: {error.strerror}" if error else ""


def writing_error(folder: Path) -> OSError | None:
    """Return why a folder cannot be written or made; None if it can."""
    there = next((each for each in (folder, *folder.parents) if os.path.lexists(each)), folder)
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return None
    code = errno.EACCES if there.is_dir() else errno.ENOTDIR
    return OSError(code, os.strerror(code))


def _unsafe_above(folder: Path) -> str:
    """Return why others may put another folder in the place of this one; empty if they may not."""
    above = (each for each in (*folder.resolve().parents, *folder.parents) if os.path.exists(each))
    return next(filter(None, map(_unsafe, above)), "")


def _unsafe(folder: Path) -> str:
    """Return why others may put another folder in the place of one in `folder`; empty if they may not."""
    status = folder.stat()
    if status.st_uid not in (getattr(os, "geteuid", int)(), 0, _NOBODY):
        return f"{folder}: another user's"
    is_open = status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX
    return f"{folder}: others may write there" if is_open and os.name == "posix" else ""


def others_may_write(folder: Path) -> bool:
    """Return whether others may put something into a folder, or another folder in its place."""
    is_open = os.path.exists(folder) and (not is_ours(folder) or bool(folder.stat().st_mode & stat.S_IWOTH))
    return is_open or bool(_unsafe_above(folder))


def is_ours(path: Path) -> bool:
    """Return whether a file or folder, or the link that is there, is this user's."""
    return path.lstat().st_uid == getattr(os, "geteuid", int)()


def foreign(file: Path, of_group: bool = False) -> str:
    """Return why not to go by a file: it is somebody else's where others may write; empty if it is not.

    Args:
        of_group: whether the folder's group are others, too, as in a drop folder.
    """
    if not os.path.lexists(file):
        return ""
    here, owner = file.parent.stat(), file.lstat().st_uid
    is_open = here.st_mode & (stat.S_IWOTH | stat.S_IWGRP * of_group)
    if is_open and not is_ours(file) and owner not in (0, here.st_uid):
        return f"{shown(file)}: somebody else's, in a folder where others may write"
    return ""


def is_text(path: Path) -> bool:
    """Return whether a path can be written in UTF-8."""
    try:
        return bool(str(path).encode())
    except UnicodeEncodeError:
        return False


def shown(path: Path) -> str:
    """Return the text of `path`, relative if it is below the current folder; other bytes as `\\x81`."""
    return os.fsencode(_from_here(path)).decode("utf-8", "backslashreplace")


def typed(path: Path) -> str:
    """Return `path` as it is typed in a shell, relative if it is below the current folder."""
    return quoted(_from_here(path))


def quoted(word: str) -> str:
    """Return a word of a command as it is typed in a shell, with `$'...'` around bytes that are no text."""
    raw = os.fsencode(word)
    text = raw.decode("utf-8", "backslashreplace")
    if raw == text.encode():
        return shlex.quote(text)
    escaped = raw.replace(b"\\", b"\\\\").replace(b"'", b"\\'").decode("utf-8", "backslashreplace")
    return f"$'{escaped}'"


def _from_here(path: Path) -> str:
    whole, here = os.path.abspath(path), os.getcwd()  # links are not resolved
    below = os.path.join(here, "")
    if whole == here:
        return "."
    return whole[len(below) :] if whole.startswith(below) else str(path)
