"""Find the student's files in what a platform hands over: a folder, a tar, a zip or one file.

They may stand at the top, in `student/` or some folders deep: the least deep folder that holds any is taken,
`student` before others. Only files with the names of the tasks' are looked at. An archive is read as those of
a class are, within the same limits. Whether each file is usable is said by its task, see `submission.py`.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from grader.course.handins.archives import FILE, FOLDER, MAX_ARCHIVE, Parts, Tree, archive_tree
from grader.safe_text import one_line
from grader.submission import MAX_BYTES, SubmissionFault, TooLarge, read_raw

STUDENT = "student"
DEEPEST = 4  # folders above a file
MOST_ENTRIES = 10_000


class HandedInFault(Exception):
    """What was handed in cannot be unpacked: the student's to mend."""


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
    try:
        for name, raw in _unpacked(handed_in, names).items():
            (student / name).write_bytes(raw)
    except SubmissionFault as fault:
        raise HandedInFault(f"{fault.message}\nhelp: {fault.help}") from None


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


def _unpacked(file: Path, names: Collection[str]) -> Mapping[str, bytes]:
    """Return the files to grade in an archive; of another file, itself.

    Raises:
        SubmissionFault: it cannot be read.
    """
    if file.name in names:
        with file.open("rb") as stream:
            return {file.name: stream.read(MAX_BYTES + 1)}
    shown = one_line(file.name)
    tree = archive_tree(read_raw(file.resolve(), shown, MAX_ARCHIVE) or b"", shown, names)
    folders = {PurePosixPath(*at): at for at in _holders(tree, names)}
    at = folders.get(_best(folders), ())
    return {
        name: _start(tree, (*at, name))
        for name, kind in tree.entries(at, None).items()
        if name in names and kind == FILE
    }


def _holders(tree: Tree, names: Collection[str]) -> Iterator[Parts]:
    """Give the folders of an archive that hold a file with one of the names, but for macOS's own."""
    level: list[Parts] = [()]
    for _ in range(DEEPEST + 1):
        below = []
        for at in level:
            entries = tree.entries(at, None)
            if any(kind == FILE and name in names for name, kind in entries.items()):
                yield at
            below += [(*at, name) for name, kind in entries.items() if kind == FOLDER and name != "__MACOSX"]
        level = below


def _start(tree: Tree, at: Parts) -> bytes:
    """Return what is in a file of an archive; for one that is too large so much that its task says so.

    Raises:
        SubmissionFault: it cannot be read.
    """
    try:
        return tree.read(at, at[-1]) or b""
    except TooLarge:
        return bytes(MAX_BYTES + 1)
