"""Write a folder of files, and single files next to it, either completely or not at all."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from grader import paths
from grader.errors import InputError, unwritable


def beside(folder: Path, suffix: str) -> Path:
    """Return the path next to `folder` whose name is the folder's name plus a suffix."""
    named = folder if folder.name else folder.resolve()
    return named.with_name(named.name + suffix)


def check(folder: Path, *others: Path) -> None:
    """Raise InputError unless `folder` is absent or empty, and none of the paths in `others` exists."""
    if not os.access(".", os.X_OK):  # which `_write` leaves and comes back to
        raise InputError("the current folder may not be entered", "cd to another folder first")
    if folder.is_symlink() and not paths.is_ours(folder):
        raise InputError(f"{paths.shown(folder)}: another user's link", "name a new folder")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{paths.shown(folder)}: is not an empty folder", "name a new folder")
    # An empty folder is replaced, and whoever stands in it would be nowhere.
    if folder.exists() and folder.samefile(Path()):
        raise InputError(f"{paths.shown(folder)}: is the current folder", "name a new folder in it")
    try:
        above = next(each for each in folder.resolve().parents if os.path.lexists(each))
        tempfile.TemporaryFile(dir=above).close()
    except OSError as error:
        raise unwritable(folder, error, "name another folder") from None
    for other in others:
        if other.exists():
            raise InputError(f"{paths.shown(other)}: is there already", "remove it, or name a new folder")


def write(
    folder: Path,
    files: Mapping[str, str] | Mapping[str, str | bytes],
    others: Mapping[Path, str | bytes] | None = None,
    public: bool = False,
) -> None:
    """Write files to a temporary folder next to `folder`, then rename that folder to `folder`.

    Args:
        others: the text or bytes of each file to write elsewhere, by its path.
        public: whether other users of the machine may read all of it, which has no private board or hand-in.

    Raises:
        InputError: a file cannot be written; nothing is left behind.
    """
    made: list[Path] = []
    place, mode = folder, 0o644 if public else 0o600
    try:
        for place, text in (others or {}).items():
            place.parent.mkdir(parents=True, exist_ok=True)
            # Nothing is there, not even a link that somebody else put there in the meantime.
            with open(place, "xb", opener=lambda path, how: os.open(path, how, mode)) as file:
                made.append(place)
                file.write(_bytes(text))
        place = folder
        _write(folder.resolve(), files, public)
    except BaseException as error:
        for other in made:
            other.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise unwritable(place, error, "name another folder") from None
        raise


def _write(folder: Path, files: Mapping[str, str] | Mapping[str, str | bytes], public: bool) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        # By names inside it: whoever can write beside it may put a link in its place at any time.
        with contextlib.chdir(draft):
            inside = Path()
            if not paths.is_ours(inside):
                raise InputError(f"{paths.shown(draft)}: is another user's", "name a folder elsewhere")
            for name, text in files.items():
                path = inside / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(_bytes(text))
            inside.chmod(0o755 if public else 0o700)
        os.replace(draft, folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
