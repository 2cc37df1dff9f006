"""Report which of the course's own files are not as they were handed out.

A student may change their copy of the framework, the boards or the grader. That affects only their own runs,
since the course grades with its own copy. It may be an accident, so the report mentions it.
"""

import hashlib
from collections.abc import Mapping

from grader import paths

NAME = "grader/handed_out.txt"  # only in a release; each line is a digest and a name, as from sha256sum
LIST = paths.PACKAGE / "handed_out.txt"
ROOMS = {"framework": paths.FRAMEWORK_ROOT / "framework", "grader": paths.PACKAGE, "boards": paths.BOARDS}
MAX_NAMED = 3


def listing(files: Mapping[str, str]) -> str:
    """Return the list of a release's handed-out files: a line for each, with its digest and its name."""
    return "".join(
        f"{_digest(text)}  {name}\n" for name, text in sorted(files.items()) if _room(name) in ROOMS
    )


def note() -> str:
    """Return a line that names the changed files; empty if none are, or if there is no list to compare."""
    changed = _changed()
    if not changed:
        return ""
    named = ", ".join(changed[:MAX_NAMED])
    more = f" and {len(changed) - MAX_NAMED} more" if len(changed) > MAX_NAMED else ""
    are, them = ("is", "it") if len(changed) == 1 else ("are", "them")
    return (
        f"{named}{more} {are} not as handed out, and the course grades with its own copy; to restore {them}"
        f"{_restore()}"
    )


def _restore() -> str:
    """Return the rest of a sentence with the command that restores all of the course's own files."""
    root = paths.FRAMEWORK_ROOT
    if any((folder / ".git").exists() for folder in (root, *root.parents)):
        return f": git restore {' '.join(ROOMS)}"
    copied = " ".join(f"NEW/{room}" for room in ROOMS)
    return f", unpack the course's archive as NEW, then: cp -r {copied} ."


def _changed() -> list[str]:
    try:
        lines = LIST.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    listed = [line.partition("  ") for line in lines]
    return [name for digest, _, name in listed if _room(name) in ROOMS and digest != _digest_here(name)]


def _digest_here(name: str) -> str:
    try:
        return _digest((ROOMS[_room(name)] / name.partition("/")[2]).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""  # the file is gone, or is no longer text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _room(name: str) -> str:
    return name.partition("/")[0]
