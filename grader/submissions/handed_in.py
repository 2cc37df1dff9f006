"""Lay out a submission from a platform for grading: a folder, a .tar, a .zip or one file.

Files are found and archives are read in the same way as for a class, with the same limits. Each task reports
whether its files are usable; see `submission.py`.
"""

from collections.abc import Collection
from pathlib import Path

from grader.safe_text import one_line
from grader.submissions import slips
from grader.submissions.archives import MAX_ARCHIVE, archive_tree
from grader.submissions.locate import STUDENT, Located, locate, looking, taken
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, TooLarge, read_raw
from grader.submissions.trees import FILE, FolderTree, Parts, Tree


class HandedInFault(Exception):
    """The submission cannot be unpacked; the student must fix it."""


def lay_out(handed_in: Path, work: Path, names: Collection[str]) -> list[str]:
    """Make the folder `work/student` to grade: a link to the student's folder, or a new one with the files.

    Args:
        work: an empty folder.

    Returns:
        Where the files were not as they were asked for, and what they were taken for.

    Raises:
        HandedInFault: it cannot be read, or has too many files.
    """
    student = work / STUDENT
    try:
        if handed_in.is_dir():
            tree: Tree = FolderTree(handed_in)
            found = locate(tree, (), names, one_line(handed_in.name))
            if all(at == (*found.holder, name) for name, at in found.files.items()):
                student.symlink_to(handed_in.joinpath(*found.holder).resolve())
                return slips.few(found.slips)
        else:
            tree, found = _unpacked(handed_in, names)
        student.mkdir()
        for name, at in found.files.items():
            if tree.kind(at) == FILE:
                (student / name).write_bytes(_content(tree, at))
        return slips.few(found.slips)
    except SubmissionFault as fault:
        raise HandedInFault(f"{fault.message}\nhelp: {fault.help}") from None


def _unpacked(file: Path, names: Collection[str]) -> tuple[Tree, Located]:
    """Return the files to grade: those in an archive, or a task's file itself."""
    shown, real = one_line(file.name), file.resolve()
    if slips.meant(file.name, names):
        tree: Tree = FolderTree(real.parent)
        told: list[str] = []
        return tree, Located(files=taken(looking(tree), {file.name: (real.name,)}, names, told), slips=told)
    tree = archive_tree(read_raw(real, shown, MAX_ARCHIVE) or b"", shown, names)
    return tree, locate(tree, (), names, shown)


def _content(tree: Tree, at: Parts) -> bytes:
    """Return a file's content; if it is too large, return enough bytes for its task to report that."""
    try:
        return tree.read(at, at[-1]) or b""
    except TooLarge:
        return bytes(MAX_BYTES + 1)
