"""Keep sets of positions in files, one for each level, so that a long computation can be killed and resumed.

A file is written under another name first, and renamed when it is complete. It names its question, its level
and the version of the engine, and has the digest of its bits. A file in which any of these is wrong is not
used: a wrong bit would give a wrong count, and nobody would notice.

The bits begin after HEAD_BYTES. Where a megabyte has no bit set, nothing is written, so a file takes less
space than its length. The bits are mapped into memory, where the system may drop them and read them again.
"""

import hashlib
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from grader.oracle import keep
from grader.oracle.errors import OracleError
from grader.oracle.index import Level
from grader.oracle.sets import PositionSet

HEAD_BYTES = 4096
CHUNK = 1 << 17  # words written at a time: a megabyte
MIB = 1 << 20


class LevelFiles:
    """The files of one question, by the number of the level.

    Attributes:
        folder: where the files are; it is made when the first one is saved.
        question: what the levels are levels of, in full.
    """

    def __init__(self, root: Path, kind: str, question: str) -> None:
        """Name the files; `kind` is a word for people, and a digest of the question makes the name unique."""
        self.folder = root / f"{kind}-{hashlib.sha256(question.encode()).hexdigest()[:12]}"
        self.question = question

    def has(self, number: int) -> bool:
        """Return whether there is a file for a level, without looking into it."""
        return self._file(number).exists()

    def count(self, number: int) -> int:
        """Return how many positions a saved level has.

        Raises:
            OracleError: the file is damaged, or answers another question.
        """
        with self._file(number).open("rb") as stream:
            return int(self._head(number, stream.read(HEAD_BYTES))["count"])

    def load(self, number: int, level: Level) -> PositionSet:
        """Return a saved level.

        Args:
            number: the number of the level.
            level: the index of its positions.

        Raises:
            OracleError: the file is damaged, or answers another question.
        """
        file = self._file(number)
        with file.open("rb") as stream:
            head = self._head(number, stream.read(HEAD_BYTES))
        if head["words"] != level.words or file.stat().st_size != HEAD_BYTES + 8 * level.words:
            raise self._refused(number, "it has another length than its level")
        if level.words == 0:
            return PositionSet(level, np.zeros(0, dtype=np.uint64), 0)
        # Private pages, which nobody writes to: compiled code takes arrays that can be written only.
        mapped = np.memmap(file, dtype="<u8", mode="c", offset=HEAD_BYTES, shape=(level.words,))
        bits = np.asarray(mapped)
        if hashlib.sha256(bits.data).hexdigest() != head["bits"]:
            raise self._refused(number, "its bits are not those that were written")
        return PositionSet(level, bits, int(head["count"]))

    def save(self, number: int, positions: PositionSet) -> None:
        """Save a level; a killed process leaves either the whole file or none.

        Raises:
            OracleError: the disk is full, or the folder cannot be written.
        """
        bits = positions.bits
        head = {
            **self._name(number), "words": len(bits), "count": positions.count,
            "bits": hashlib.sha256(bits.data).hexdigest(),
        }  # fmt: skip
        file = self._file(number)
        partial = file.with_suffix(".partial")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with partial.open("wb") as stream:
                stream.write(_sealed(head).ljust(HEAD_BYTES))
                for begin in range(0, len(bits), CHUNK):
                    chunk = bits[begin : begin + CHUNK]
                    if chunk.any():
                        stream.seek(HEAD_BYTES + 8 * begin)
                        stream.write(chunk.data)
                stream.truncate(HEAD_BYTES + 8 * len(bits))
            partial.replace(file)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise not_written(file, error) from None

    def remove(self) -> None:
        """Remove all files of the question."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:02}.level"

    def _name(self, number: int) -> dict[str, Any]:
        return {"engine": keep.ENGINE, "question": self.question, "level": number}

    def _head(self, number: int, text: bytes) -> dict[str, Any]:
        head = _opened(text)
        if head is None:
            raise self._refused(number, "its head is not the one that was written")
        if self._name(number).items() - head.items():
            raise self._refused(number, "it is of another question, or of another version of the engine")
        return head

    def _refused(self, number: int, why: str) -> OracleError:
        file = self._file(number)
        return OracleError(f"{file}: not used: {why}", f"remove {file.parent}; it is computed again")


def make_room_in(folder: Path) -> Callable[[tuple[int, ...]], np.ndarray]:
    """Return a function that makes arrays of uint64 on the disk of a folder, in files without a name.

    The system keeps in memory what is in use, as far as there is room; a killed process leaves nothing
    behind. The function raises OracleError if the disk is full, or the folder cannot be written.
    """

    def make_room(shape: tuple[int, ...]) -> np.ndarray:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                # Writing to a mapped page for which there is no room would end the process.
                os.posix_fallocate(file.fileno(), 0, 8 * math.prod(shape))
                return np.asarray(np.memmap(file, dtype=np.uint64, mode="r+", shape=shape))
        except OSError as error:
            raise not_written(folder, error) from None

    return make_room


def save_record(file: Path, record: dict[str, Any]) -> None:
    """Write plain data and its digest to a file, all of it or nothing.

    Raises:
        OracleError: the disk is full, or the folder cannot be written.
    """
    partial = file.with_suffix(".partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(_sealed(record))
        partial.replace(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise not_written(file, error) from None


def load_record(file: Path) -> dict[str, Any] | None:
    """Return what `save_record` wrote, or None if there is no such file.

    Raises:
        OracleError: the file is damaged.
    """
    if not file.exists():
        return None
    record = _opened(file.read_bytes())
    if record is None:
        raise OracleError(f"{file}: not used: it is not as it was written", "remove it; it is computed again")
    return record


def ask_for_disk(folder: Path, needed: int) -> None:
    """Raise OracleError unless `needed` bytes fit on a folder's disk; its level files count as free."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    used = sum(file.stat().st_blocks * 512 for file in folder.rglob("*.level"))
    if needed > free + used:
        raise OracleError(
            f"{folder}: this may need {needed / MIB:,.0f} MiB, and {(free + used) / MIB:,.0f} MiB are free",
            "name a folder on another disk",
        )


def not_written(file: Path, error: OSError) -> OracleError:
    """Return the error for a file that could not be written."""
    return OracleError(
        f"{file}: not written: {error.strerror}", "make room, then run it again: it goes on where it was"
    )


def _sealed(record: dict[str, Any]) -> bytes:
    """Return a line of JSON with the record and its digest."""
    text = json.dumps(record)
    return json.dumps({"record": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}).encode() + b"\n"


def _opened(text: bytes) -> dict[str, Any] | None:
    """Return the record in such a line; None if the digest is not that of the record."""
    try:
        sealed = json.loads(text)
        if hashlib.sha256(sealed["record"].encode()).hexdigest() != sealed["sha256"]:
            return None
        record: dict[str, Any] = json.loads(sealed["record"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return record
