"""Locate files in a checkout, in an installed wheel and on the user's machine."""

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


def others_may_write(folder: Path) -> str:
    """Return why others may put something into a folder, or another folder in its place; empty if not."""
    if os.path.lexists(folder) and not is_ours(folder):
        return f"{folder}: another user's"
    for each in (folder, *folder.resolve().parents, *folder.parents):
        if not os.path.exists(each):
            continue
        status = each.stat()
        if status.st_uid not in (getattr(os, "geteuid", int)(), 0, _NOBODY):
            return f"{each}: another user's"
        is_kept = each != folder and status.st_mode & stat.S_ISVTX  # nobody may move what is in it
        if status.st_mode & stat.S_IWOTH and not is_kept and os.name == "posix":
            return f"{each}: others may write there"
    return ""


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
