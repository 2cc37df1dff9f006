"""A cache on disk for arrays that take long to compute; its files may be deleted at any time.

A file is a digest and an npz archive. Its name is made of the question and of the engine's code, so that
nothing is used after the code has changed. If no file can be written, arrays are computed each time.
"""

import contextlib
import hashlib
import io
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from grader import paths

MOST_BYTES = 1 << 30  # of all files together; the answer to one question about a French board is half of it
LEFT_FREE = 4  # a file is written only if the free space on the disk is this many times its size
DIGEST_BYTES = 32


def _engine() -> bytes:
    """Return the engine's code."""
    return b"".join(file.read_bytes() for file in sorted(paths.ORACLE.glob("*.py")))


ENGINE = _engine()  # at import, while the files match the running code


def load(key: str) -> dict[str, np.ndarray] | None:
    """Return the arrays that were saved for `key`, the question in full; None when there is no whole file."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: there is no home folder
        file = _file_of(key)
        data = file.read_bytes() if file.is_file() else b""
        if data[:DIGEST_BYTES] == hashlib.sha256(data[DIGEST_BYTES:]).digest():
            with contextlib.suppress(OSError):  # the files used last are kept longest
                os.utime(file)
            with np.load(io.BytesIO(data[DIGEST_BYTES:])) as arrays:
                return dict(arrays)
    return None


def save(key: str, arrays: dict[str, np.ndarray]) -> None:
    """Save arrays for `key`; do nothing if that is not possible. A file is replaced as a whole."""
    with contextlib.suppress(OSError, RuntimeError):
        archive = io.BytesIO()
        np.savez_compressed(archive, **arrays)  # type: ignore[arg-type]  # numpy's stub takes them for options
        data = archive.getvalue()
        file = _file_of(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        if len(data) > MOST_BYTES or LEFT_FREE * len(data) > shutil.disk_usage(file.parent).free:
            return
        # What a killed process leaves is forgotten as any other file.
        descriptor, made = tempfile.mkstemp(dir=file.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(hashlib.sha256(data).digest() + data)
            os.replace(made, file)
        except BaseException:
            os.unlink(made)
            raise
        _forget_old(file.parent)


def _file_of(key: str) -> Path:
    return paths.cache_root() / "oracle" / hashlib.sha256(ENGINE + key.encode()).hexdigest()[:32]


def _forget_old(folder: Path) -> None:
    """Remove the files that were not used for longest, when all together are too large."""
    total = 0
    for file in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True):
        total += file.stat().st_size
        if total > MOST_BYTES and file.is_file():
            file.unlink()
