"""Find the student's files in what a platform hands over: a folder, a tar, a zip or one file.

They may stand at the top, in `student/` or some folders deep: the least deep folder that holds any is taken,
`student` before others. Only files with the names of the tasks' are looked at, and no hidden folder. An
archive is read as those of a class are, within the same limits. Whether each file is usable is said by its
task, see `submission.py`.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from grader.safe_text import one_line
from grader.submissions.archives import (
    FILE,
    FOLDER,
    MAX_ARCHIVE,
    NOTHING,
    FolderTree,
    Parts,
    Tree,
    archive_tree,
    is_hidden,
    too_many,
)
from grader.submissions.submission import MAX_BYTES, SubmissionFault, TooLarge, read_raw

STUDENT = "student"
DEEPEST = 4  # folders above a file
MOST_ENTRIES = 10_000  # that are looked through


class HandedInFault(Exception):
    """What was handed in cannot be unpacked: the student's to mend."""


def lay_out(handed_in: Path, work: Path, names: Collection[str]) -> None:
    """Make `work/student` what is to be graded: a link to the student's folder, or a new one with the files.

    Args:
        handed_in: the folder or the file.
        work: an empty folder.
        names: of the files to look for.

    Raises:
        HandedInFault: it cannot be read, or has too many files.
    """
    student = work / STUDENT
    try:
        if handed_in.is_dir():
            shown = one_line(handed_in.name)
            student.symlink_to(handed_in.joinpath(*_holder(FolderTree(handed_in), shown, names)).resolve())
            return
        student.mkdir()
        for name, raw in _unpacked(handed_in, names).items():
            (student / name).write_bytes(raw)
    except SubmissionFault as fault:
        raise HandedInFault(f"{fault.message}\nhelp: {fault.help}") from None


def _holder(tree: Tree, shown: str, names: Collection[str]) -> Parts:
    """Return the folder to take: the least deep one that holds a file, `student` before others; else the top.

    Raises:
        SubmissionFault: a folder cannot be read, or there are too many files before any is found.
    """
    level: list[Parts] = [()]
    seen = 0
    for _ in range(DEEPEST + 1):
        # a link or a folder called peg1.py is told by its task
        holders = [at for at in level if any(tree.kind((*at, name)) != NOTHING for name in names)]
        if holders:
            return min(holders, key=lambda at: (at[-1:] != (STUDENT,), at))
        below = []
        for at in level:
            entries = tree.entries(at, MOST_ENTRIES)
            seen += len(entries)
            if seen >= MOST_ENTRIES:
                raise too_many(shown)
            below += [(*at, name) for name, kind in entries.items() if kind == FOLDER and not is_hidden(name)]
        level = below
    return ()


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
    at = _holder(tree, shown, names)
    return {
        name: _start(tree, (*at, name))
        for name, kind in tree.entries(at, None).items()
        if name in names and kind == FILE
    }


def _start(tree: Tree, at: Parts) -> bytes:
    """Return what is in a file of an archive; for one that is too large so much that its task says so.

    Raises:
        SubmissionFault: it cannot be read.
    """
    try:
        return tree.read(at, at[-1]) or b""
    except TooLarge:
        return bytes(MAX_BYTES + 1)
