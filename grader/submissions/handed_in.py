"""Lay out a submission from a platform for grading: a folder, a .tar, a .zip or one file.

Files are found and archives are read in the same way as for a class, with the same limits. Each task reports
whether its files are usable; see `submission.py`.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from grader.safe_text import one_line
from grader.submissions.archives import FILE, MAX_ARCHIVE, FolderTree, Parts, Tree, archive_tree
from grader.submissions.locate import STUDENT, locate
from grader.submissions.submission import MAX_BYTES, SubmissionFault, TooLarge, read_raw


class HandedInFault(Exception):
    """The submission cannot be unpacked; the student must fix it."""


def lay_out(handed_in: Path, work: Path, names: Collection[str]) -> None:
    """Make the folder `work/student` to grade: a link to the student's folder, or a new one with the files.

    Args:
        handed_in: the folder or the file.
        work: an empty folder.
        names: the files to look for.

    Raises:
        HandedInFault: it cannot be read, or has too many files.
    """
    student = work / STUDENT
    try:
        if handed_in.is_dir():
            holders, _, _ = locate(FolderTree(handed_in), (), names, one_line(handed_in.name))
            student.symlink_to(handed_in.joinpath(*next(iter(holders), ())).resolve())
            return
        student.mkdir()
        for name, raw in _unpacked(handed_in, names).items():
            (student / name).write_bytes(raw)
    except SubmissionFault as fault:
        raise HandedInFault(f"{fault.message}\nhelp: {fault.help}") from None


def _unpacked(file: Path, names: Collection[str]) -> Mapping[str, bytes]:
    """Return the files to grade: those in an archive, or a task's file itself.

    Raises:
        SubmissionFault: it cannot be read.
    """
    shown, real = one_line(file.name), file.resolve()
    if file.name in names:
        return {file.name: _content(FolderTree(real.parent), (real.name,))}
    tree = archive_tree(read_raw(real, shown, MAX_ARCHIVE) or b"", shown, names)
    holders, _, _ = locate(tree, (), names, shown)
    files = next(iter(holders.values()), {})
    return {name: _content(tree, at) for name, at in files.items() if tree.kind(at) == FILE}


def _content(tree: Tree, at: Parts) -> bytes:
    """Return a file's content; if it is too large, return enough bytes for its task to report that.

    Raises:
        SubmissionFault: it cannot be read.
    """
    try:
        return tree.read(at, at[-1]) or b""
    except TooLarge:
        return bytes(MAX_BYTES + 1)
