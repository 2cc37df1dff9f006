"""Make a whole folder of files, or nothing."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from grader import paths
from grader.errors import InputError


def check(folder: Path) -> None:
    """Raise InputError if `folder` exists and is not an empty folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{paths.shown(folder)}: is not an empty folder", "name a new folder")


def write(folder: Path, files: Mapping[str, str] | Mapping[str, str | bytes]) -> None:
    """Write texts or bytes, by their names in `folder`: into a draft beside it, which then takes its place.

    Raises:
        InputError: it cannot be written; nothing is left behind.
    """
    try:
        _write(folder.resolve(), files)
    except OSError as error:
        raise InputError(
            f"{paths.shown(folder)}: cannot be written: {error.strerror}", "name another folder"
        ) from None


def _write(folder: Path, files: Mapping[str, str] | Mapping[str, str | bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, text in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        draft.chmod(0o755)
        os.replace(draft, folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
