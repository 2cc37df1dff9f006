"""Find the student's files in what a platform hands over: a folder, a tar, a zip or one file.

They may stand at the top, in `student/` or some folders deep: the least deep folder that holds any is taken,
`student` before others. Only files with the names of the tasks' are looked at, and nothing else of an archive
is unpacked; whether each is usable is said by its task, see `submission.py`.
"""

import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from grader.safe_text import one_line
from grader.submission import MAX_BYTES

STUDENT = "student"
DEEPEST = 4  # folders above a file
MOST_ENTRIES = 10_000
MOST_UNPACKED = 256 << 20  # bytes of a tar, which has to be read up to its last file
BROKEN = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError,
    RuntimeError, NotImplementedError,
)  # fmt: skip


class HandedInFault(Exception):
    """What was handed in cannot be unpacked: the student's to mend."""


class Entry(NamedTuple):
    """A file of an archive: its folder, its name and its first bytes, one more than may be."""

    folder: PurePosixPath
    name: str
    raw: bytes


def lay_out(handed_in: Path, work: Path, names: Collection[str]) -> None:
    """Make `work/student` what is to be graded: a link to the student's folder, or a new one with the files.

    Args:
        handed_in: the folder or the file.
        work: an empty folder.
        names: of the files to look for.

    Raises:
        HandedInFault: it is an archive that cannot be read.
    """
    student = work / STUDENT
    if handed_in.is_dir():
        folders = {PurePosixPath(folder) for folder, name in _walk(handed_in) if name in names}
        student.symlink_to((handed_in / _best(folders)).resolve())
        return
    student.mkdir()
    for entry in _unpacked(handed_in, names):
        (student / entry.name).write_bytes(entry.raw)


def _best(folders: Collection[PurePosixPath]) -> PurePosixPath:
    """Return the folder to take of those that hold a file."""
    order = sorted(folders, key=lambda folder: (len(folder.parts), folder.name != STUDENT, str(folder)))
    return order[0] if order else PurePosixPath()


def _walk(top: Path) -> Iterator[tuple[str, str]]:
    """Give the entries below a folder, each with its own folder; links are not followed."""
    seen = 0
    for folder, below, files in os.walk(top):
        relative = os.path.relpath(folder, top)
        if len(PurePosixPath(relative).parts) >= DEEPEST:
            below.clear()
        below[:] = sorted(name for name in below if not os.path.islink(os.path.join(folder, name)))
        for name in [*files, *below]:  # a folder called peg1.py is told by its task
            yield relative, name
        seen += len(files) + len(below)
        if seen > MOST_ENTRIES:
            return


def _unpacked(file: Path, names: Collection[str]) -> list[Entry]:
    """Return the files to grade in an archive; of another file, itself."""
    shown = one_line(file.name)
    try:
        if tarfile.is_tarfile(file):
            found = list(_in_tar(file, names))
        elif zipfile.is_zipfile(file):
            found = list(_in_zip(file, names))
        elif file.name not in names:
            raise HandedInFault(f"{shown}: expected a tar, a zip or a task's file, found something else")
        else:
            with file.open("rb") as stream:
                return [Entry(PurePosixPath(), file.name, stream.read(MAX_BYTES + 1))]
    except BROKEN as error:
        raise HandedInFault(
            f"{shown}: cannot be unpacked: {one_line(str(error)) or type(error).__name__}"
        ) from None
    best = _best({entry.folder for entry in found})
    return [entry for entry in found if entry.folder == best]


def _in_tar(file: Path, names: Collection[str]) -> Iterator[Entry]:
    with tarfile.open(file) as archive:
        for member in islice(archive, MOST_ENTRIES):
            if member.offset_data + member.size > MOST_UNPACKED:
                raise ValueError(f"more than {MOST_UNPACKED >> 20} MiB in it")
            path = _path(member.name)
            if path is None or path.name not in names or not member.isreg():
                continue
            stream = archive.extractfile(member)
            assert stream is not None
            yield Entry(path.parent, path.name, stream.read(MAX_BYTES + 1))


def _in_zip(file: Path, names: Collection[str]) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist()[:MOST_ENTRIES]:
            path = _path(member.filename)
            kind = member.external_attr >> 16 & 0o170000
            if path is None or path.name not in names or member.is_dir() or kind not in (0, 0o100000):
                continue
            with archive.open(member) as stream:
                yield Entry(path.parent, path.name, stream.read(MAX_BYTES + 1))


def _path(name: str) -> PurePosixPath | None:
    """Return the path of an archive's entry; None for one that is nowhere in the folder, or too deep."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "__MACOSX" in path.parts:
        return None
    return path if len(path.parts) <= DEEPEST + 1 else None
