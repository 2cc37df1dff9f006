"""Find and check the student's files, and copy only these into a clean folder."""

import contextlib
import hashlib
import os
import platform
import re
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path, PurePath

from grader import folders, paths
from grader.catalog.tasks import Task
from grader.errors import InputError
from grader.safe_text import one_line
from grader.submissions.source_file import SubmissionFault, decode_source, read_raw

KEPT = 60  # clean folders with their compiled code, the newest first
IN_USE_S = 3600.0  # since a clean folder was last marked as used; a run may still use it


@dataclass(frozen=True)
class Submission:
    """The named files of one student for one task."""

    shown_folder: str  # the folder as the student knows it, for messages
    sources: dict[str, str]
    # the folder to put its clean folder in; None for the cache, which is kept from run to run
    kept: Path | None = None

    def place(self, file: str, line: int) -> str:
        """Return `folder/file:line` as the student knows it."""
        return f"{self.shown_folder}/{file}:{line}"

    def source_line(self, file: str, line: int) -> str:
        """Return one line of a file, stripped; empty if there is no such line."""
        return self._lines(file)[line - 1].strip() if self.has_line(file, line) else ""

    def shown(self, file: str, line: int) -> tuple[str, str]:
        """Return `folder/file:line`, and the line there, safe to show."""
        return self.place(file, line), one_line(self.source_line(file, line))

    def has_line(self, file: str, line: int) -> bool:
        """Return whether a file exists and has a line with this number."""
        return 1 <= line <= len(self._lines(file))

    def _lines(self, file: str) -> list[str]:
        return self.sources[file].split("\n") if file in self.sources else []  # as Python counts lines

    @property
    def digest(self) -> str:
        """A digest of all that compiled code depends on: the files, the framework, and what compiles them.

        It covers paths as well, because numba finds compiled code by the path of its source.
        """
        basis = (paths.FRAMEWORK_ROOT, self._folders, framework_digest(), what_compiles())
        digest = hashlib.sha256("\0".join(map(str, basis)).encode("utf-8", "surrogateescape"))
        for name, source in sorted(self.sources.items()):
            digest.update(f"{name}\0{source}\0".encode())
        return digest.hexdigest()[:32]

    def without(self, name: str) -> "Submission":
        """Return the submission without one file.

        Without a task's own file, it usually has just the files of an earlier task.
        """
        return replace(self, sources={file: text for file, text in self.sources.items() if file != name})

    @property
    def folder(self) -> Path:
        """The path of its clean folder, which may not exist yet."""
        return self._folders / self.digest

    @property
    def _folders(self) -> Path:
        return self.kept or paths.cache_root() / "submissions"

    def clean_folder(self) -> Path:
        """Return a folder that holds a copy of just these files, and later their compiled code.

        The folder is the same in every run, because numba finds compiled code by the path of its source.
        """
        folder = self.folder
        try:
            code = folder / "code"
            folders.make_closed(folder.parent)
            folders.make_open(code)
            folders.make_open(folder / "compiled")
            for left_over in code.iterdir():
                if left_over.name not in self.sources:
                    _remove(left_over)
            for name, source in self.sources.items():
                _write_if_other(code / name, source)
            if folder.stat().st_mtime < time.time() - IN_USE_S / 2:  # not each time: a program can see when
                os.utime(folder)
        except OSError as error:
            raise InputError(
                f"{folder}: cannot be written: {error.strerror}",
                "set XDG_CACHE_HOME to a folder that can be written",
            ) from None
        return folder


def _write_if_other(file: Path, text: str) -> None:
    """Write `text` to `file` unless the file already has it, because another run may be reading it."""
    mode = 0o644  # a child may have a user id of its own
    with contextlib.suppress(OSError):
        if file.lstat().st_mode == stat.S_IFREG | mode and file.read_bytes() == text.encode():
            return
    folders.replace_file(file, text.encode(), file.parent.parent)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        folders.remove(path)
    else:
        path.unlink()


@cache
def what_compiles() -> str:
    """Return the versions of Python, numba and LLVM, and the processor as Linux describes it.

    Others take no compiled code of these; a folder of settings may be shared by several machines.
    """
    found = [sys.version, platform.machine()]
    for library in ("numba", "llvmlite"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(metadata.version(library))
    with contextlib.suppress(OSError):
        first = Path("/proc/cpuinfo").read_text("utf-8", "replace").partition("\n\n")[0]
        found += [line for line in first.splitlines() if line.startswith(("model name", "flags", "Features"))]
    return "\n".join(found)


@cache
def framework_digest() -> str:
    """Return a digest of the framework's source, so that no code compiled with another version is used."""
    digest = hashlib.sha256()
    for file in sorted((paths.FRAMEWORK_ROOT / "framework").glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def forget_old_folders() -> None:
    """Remove the least recently used clean folders, but none that was used within IN_USE_S / 2."""
    aged: list[tuple[float, Path]] = []
    for folder in (paths.cache_root() / "submissions").glob("*"):
        with contextlib.suppress(OSError):  # another grader may remove it first
            aged.append((folder.stat().st_mtime, folder))
    long_ago = time.time() - IN_USE_S
    for modified, folder in sorted(aged, reverse=True)[KEPT:]:
        if modified < long_ago:
            folders.remove(folder)


def read_submission(folder: Path, names: tuple[str, ...]) -> Submission:
    """Return the files called `names` in `folder`; all but the first and the last may be missing."""
    check_folder(folder)
    shown = paths.shown(folder)
    return submission_from(shown, names, lambda name: read_raw(folder / name, str(PurePath(shown, name))))


def submission_from(
    shown_folder: str, names: tuple[str, ...], read: Callable[[str], bytes | None], handed_in: bool = False
) -> Submission:
    """Return the files called `names`, wherever they are kept; all but the first and the last may be missing.

    Args:
        read: returns a file's content, or None if it does not exist; may raise SubmissionFault.
        handed_in: whether the files are at the course, and no longer where the student writes.

    Raises:
        SubmissionFault: a file is missing, cannot be read or is not UTF-8.
    """
    found: dict[str, bytes | None] = {}
    for name in dict.fromkeys((names[-1], *names)):  # its own first: who lacks that has not begun the task
        found[name] = read(name)
        if found[name] is None and name in (names[0], names[-1]):
            own = name == names[-1]  # without the client, what was written cannot be run
            why = "" if own else f": {names[-1]} needs it"
            help = (
                f"hand in {name}{why}" if handed_in else f"put it back{why}; for a fresh stub: grade start ."
            )
            raise SubmissionFault(f"{PurePath(shown_folder, name)}: no such file", help, missing=own)
    sources = {
        name: decode_source(str(PurePath(shown_folder, name)), raw)
        for name in names
        if (raw := found[name]) is not None
    }
    return Submission(shown_folder, sources)


def check_folder(folder: Path) -> None:
    """Raise InputError for a student's folder that does not exist here, but perhaps one level up."""
    if folder.is_dir():
        return
    here = Path.cwd()
    help = "go to the folder that holds student/, or pass --student DIR"
    if not folder.is_absolute() and (here.parent / folder).is_dir():
        help = f"you are inside of {here.name}/; go up: cd .."
    raise InputError(f"{paths.shown(folder)}: no such folder", help)


def digest_of(student: Path, task: Task) -> str:
    """Return a digest of a task, its boards and its files as they are now.

    A file that cannot be read counts as empty.
    """
    digest = hashlib.sha256(repr(task).encode())
    boards = ("index.yaml", *(f"{name}.txt" for check in task.checks for name in check.boards))
    for file in (*(paths.BOARDS / name for name in boards), *(student / name for name in task.files)):
        with contextlib.suppress(SubmissionFault):
            digest.update(read_raw(file, file.name) or b"")
        digest.update(b"\0")
    return digest.hexdigest()


FRAMEWORK = ("board.py", "stack.py", "hash_table.py")
_DEFINED = re.compile(r"^def (\w+)", re.M)
_NOT_COMPILED = re.compile(r"^(?:@|from |import ).*", re.M)  # contracts, and names that only they may use


def functions_used(submission: Submission, file: str) -> frozenset[str]:
    """Return the names of functions of the other files and the framework that `file` uses."""
    text = submission.sources[file]
    others = submission.without(file).sources.values()
    defined = _of_the_framework().union(*(_DEFINED.findall(each) for each in others))
    return defined.difference(_DEFINED.findall(text)).intersection(
        re.findall(r"\w+", _NOT_COMPILED.sub("", text))
    )


@cache
def _of_the_framework() -> frozenset[str]:
    files = [paths.FRAMEWORK_ROOT / "framework" / name for name in FRAMEWORK]
    return frozenset(name for each in files for name in _DEFINED.findall(each.read_text("utf-8")))
