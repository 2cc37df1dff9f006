"""Fill a student's folder with the files that a student edits and reads; overwrite nothing that is there."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader import paths
from grader.commands import IN_RELEASE
from grader.errors import InputError

ROOMS = ("student/", "handouts/", "framework/", "boards/", "LICENSE")
KINDS = (".py", ".md", ".txt", ".yaml")  # no bytecode, no editor's backup
UNIX, WINDOWS = b"\n", b"\r\n"


@dataclass(frozen=True)
class Filled:
    """What was done to a folder.

    Attributes:
        others: the names of the files that were there already and differ from those handed out.
    """

    made: list[str]
    others: list[str]


def handed_out() -> dict[str, bytes]:
    """Return the content of each file that a new folder gets, by the file's name."""
    if not IN_RELEASE:
        from grader.release.release import release_files

        return {name: text.encode() for name, text in release_files().items() if name.startswith(ROOMS)}
    framework = paths.FRAMEWORK_ROOT / "framework"
    folders = {
        "student": paths.STUBS,
        "handouts": paths.HANDOUTS,
        "framework": framework,
        "boards": paths.BOARDS,
    }
    files = {
        f"{room}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for room, folder in folders.items()
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    }
    return {**files, "LICENSE": paths.LICENSE.read_bytes()}


def fill(folder: Path, files: Mapping[str, bytes]) -> Filled:
    """Write those files that are not in the folder yet, and leave all others as they are."""
    inside = {str(Path(name).parent) for name in files}
    for place in (*reversed(folder.parents), folder, *(folder / name for name in sorted(inside))):
        if os.path.lexists(place) and not place.is_dir():
            raise InputError(
                f"{paths.shown(place)}: expected a folder, found a file",
                "move it away, or name another folder; nothing was written",
            )
    filled = Filled([], [])
    place = folder
    try:
        for name, content in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if _write_new(place, content):
                filled.made.append(name)
            elif not _has(place, content):
                filled.others.append(name)
    except OSError as error:
        raise InputError(
            f"{paths.shown(place)}: cannot be written: {error.strerror}",
            "name another folder, or mend that and type it again; what is there already stays",
        ) from None
    return filled


def _write_new(path: Path, content: bytes) -> bool:
    """Write a file unless something with its name exists, and return whether it was written."""
    try:
        stream = path.open("xb")
    except FileExistsError:
        return False
    try:
        with stream:
            stream.write(content)
    except BaseException:
        path.unlink(missing_ok=True)  # or half a file would be taken for the student's own
        raise
    return True


def _has(path: Path, content: bytes) -> bool:
    """Return whether a file has this content, whatever its line endings are."""
    try:
        return path.read_bytes().replace(WINDOWS, UNIX) == content.replace(WINDOWS, UNIX)
    except OSError:
        return False
