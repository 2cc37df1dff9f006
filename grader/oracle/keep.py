"""A cache on disk for results that take long to compute; its files may be deleted at any time.

A file is used only if its digest is right, and if it names the same question and the same version of the
engine. Any other file is reported and rebuilt. If no file can be written, results are computed each time.
"""

import contextlib
import hashlib
import json
import logging
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from grader import paths

FORMAT = b"peg-grade kept 1\n"  # how every file begins; the number changes with the layout
DIGEST_BYTES = 32
LENGTH_BYTES = 8
MOST_BYTES = 1 << 30  # of all files together; the answer to one question about a French board is half of it
LEFT_FREE = 4  # a file is written only if the free space on the disk is this many times its size
AN_HOUR = 3600


def _engine() -> str:
    """Return a digest of the engine's code, so that no saved result is used after the code has changed."""
    files = sorted(paths.ORACLE.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


# Computed at import, while the files match the running code: after a later edit of the files, results of the
# old code must not get the new digest.
ENGINE = _engine()
_reported: list[Path] = []  # the first corrupt file; the same message about others would add nothing


def load(kind: str, key: str) -> dict[str, np.ndarray] | None:
    """Return the arrays that were saved for `key`, or None when there is no valid file.

    Args:
        kind: a word that says what the arrays are, in lower-case letters.
        key: the question that the arrays answer, in full.
    """
    file = None
    try:
        file = _file_of(kind, key)
        if not file.is_file():
            return None
        arrays = _parsed(file.read_bytes(), kind, key)
        with contextlib.suppress(OSError):  # the files used last are kept longest
            os.utime(file)
        return arrays
    except RuntimeError:  # there is no home folder
        return None
    except (OSError, ValueError) as error:
        _discard(file, error)
        return None


def save(kind: str, key: str, arrays: dict[str, np.ndarray]) -> None:
    """Save arrays of integers for `key`; do nothing if that is not possible.

    A process that reads the file sees either all of the new file or all of the old one, even if several
    processes write it at the same time.
    """
    with contextlib.suppress(OSError, RuntimeError):
        parts = _formatted(kind, key, arrays)
        size = sum(part.nbytes for part in parts)
        file = _file_of(kind, key)
        file.parent.mkdir(parents=True, exist_ok=True)
        if size > MOST_BYTES or LEFT_FREE * size > shutil.disk_usage(file.parent).free:
            return
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                for part in parts:
                    stream.write(part)
            os.replace(temporary, file)
        except BaseException:
            os.unlink(temporary)
            raise
        _forget_old(file.parent)


def _file_of(kind: str, key: str) -> Path:
    if not re.fullmatch("[a-z]+", kind):
        raise AssertionError(f"kind {kind!r}: expected small letters")
    name = hashlib.sha256(f"{FORMAT!r} {ENGINE} {kind} {key}".encode()).hexdigest()[:32]
    return paths.cache_root() / "oracle" / f"{kind}-{name}"


def _formatted(kind: str, key: str, arrays: dict[str, np.ndarray]) -> list[memoryview]:
    """Return the parts of a file: format, digest of the rest, length of the head, head, items.

    Each array is stored in two parts: one bit per item, which says whether the item is other than 0, and then
    the items that are. Since most words of a set of positions are 0, this is nearly as small as with zlib
    compression, and five times as fast to read.
    """
    described = []
    parts: list[memoryview] = []
    for name, array in arrays.items():
        if array.dtype.kind not in "biu":
            raise AssertionError(f"{name}: expected integers, found {array.dtype}")
        items = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(-1)
        others = items != 0
        kept = items[others]
        described.append([name, items.dtype.str, list(array.shape), len(kept)])
        parts += [_bytes_of(np.packbits(others)), _bytes_of(kept)]
    head = json.dumps({"engine": ENGINE, "kind": kind, "key": key, "arrays": described}).encode()
    parts = [memoryview(len(head).to_bytes(LENGTH_BYTES, "little")), memoryview(head), *parts]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return [memoryview(FORMAT), memoryview(digest.digest()), *parts]


def _bytes_of(array: np.ndarray) -> memoryview:
    return array.view(np.uint8).data


def _parsed(data: bytes, kind: str, key: str) -> dict[str, np.ndarray]:
    """Return the arrays in the bytes of a file, or raise ValueError."""
    begin = len(FORMAT) + DIGEST_BYTES
    rest = memoryview(data)[begin:]
    if not data.startswith(FORMAT) or hashlib.sha256(rest).digest() != data[len(FORMAT) : begin]:
        raise ValueError("it is corrupt")
    # From here on it is certain that `save` wrote the file, though perhaps for another question.
    at = LENGTH_BYTES + int.from_bytes(rest[:LENGTH_BYTES], "little")
    head = json.loads(bytes(rest[LENGTH_BYTES:at]))
    described = head.pop("arrays")
    if head != {"engine": ENGINE, "kind": kind, "key": key}:
        raise ValueError("it answers another question")
    arrays = {}
    for name, type_, shape, kept in described:
        items = np.zeros(int(np.prod(shape, dtype=np.int64)), dtype=type_)
        end = at + (len(items) + 7) // 8
        others = np.unpackbits(np.frombuffer(rest[at:end], dtype=np.uint8), count=len(items)).view(np.bool_)
        at = end + kept * items.itemsize
        items[others] = np.frombuffer(rest[end:at], dtype=type_)
        arrays[name] = items.reshape(shape).astype(items.dtype.newbyteorder("="), copy=False)
    return arrays


def _discard(file: Path | None, error: Exception) -> None:
    """Remove an unusable file; report it if it is the first one in this process."""
    if file is None:
        return
    if not _reported:
        _reported.append(file)
        why = error.strerror if isinstance(error, OSError) else error
        logging.getLogger(__name__).warning("%s: not used, %s; it will be rebuilt", file, why)
    with contextlib.suppress(OSError):
        file.unlink()


def _forget_old(folder: Path) -> None:
    """Remove files when the cache is too large, and temporary files that killed processes left behind.

    The least recently used files are removed first.
    """
    aged: list[tuple[float, int, Path]] = []
    for file in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may remove it first
            status = file.stat()
            aged.append((status.st_mtime, status.st_size, file))
    total = 0
    for modified, size, file in sorted(aged, reverse=True):
        total += size
        left_over = file.name.startswith(".") and modified < time.time() - AN_HOUR
        if total > MOST_BYTES or left_over:
            with contextlib.suppress(OSError):
                file.unlink()
