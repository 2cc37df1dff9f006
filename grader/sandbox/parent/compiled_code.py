"""Keeps the compiled code of one submission between runs. Only the judge writes the files that are kept.

A *compile run* writes into its own folder, which is discarded. From there the judge takes only the files that
numba writes: those in numba's two folders, with numba's names, that are pickles from end to end. The judge
does not load them; only a child of the same submission does.
"""

import contextlib
import hashlib
import io
import itertools
import os
import pickletools
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader import folders, paths
from grader.sandbox.asking import End, Outcome
from grader.sandbox.confine import namespaces, offers
from grader.sandbox.confine.limits import MIB, Usage
from grader.sandbox.parent.exchange import OverLimit

KEPT_BYTES = 16 * MIB  # the reference's peg5 leaves 1 MiB
WRITTEN_BYTES = 2 * KEPT_BYTES  # written by one run in total, including files that it removed
MOST_FILES = 300  # the reference leaves 60
BLOCK_BYTES = 4096  # on a disk, of a file with a single byte
_MOST_PARTS = 5_000  # opcodes of the pickles in one file, which are all parsed; a large function has 1,000
_PICKLES = {".nbi": 2, ".nbc": 1}  # how many pickles numba's index files and code files hold
_NAME = re.compile(r"[\w.<>-]{1,200}(\.nb[ic])", re.ASCII)


class CompiledCode:
    """The compiled code in a submission's clean folder, below `compiled`."""

    def __init__(self, clean_folder: Path) -> None:
        self.folder = clean_folder / "compiled"
        self._code = clean_folder / "code"
        self._tried = clean_folder / "compiled-once"
        self._shared = clean_folder / "compiled-for-others"  # names of functions, a line each

    @property
    def was_tried(self) -> bool:
        """Whether there was a compile run, whatever its outcome, and no file that it left is empty.

        Such files are left where the machine lost its power.
        """
        return self._tried.exists() and not any(map(_has_an_empty, self._folders))

    def not_shared_yet(self, functions: frozenset[str]) -> frozenset[str]:
        """Return which of `functions`, which others use, are still to be compiled here.

        Where there was a compile run, what the files use themselves is there; it had no table, if need be.
        """
        with contextlib.suppress(OSError):
            functions -= set(self._shared.read_text("utf-8").split())
        return frozenset(each for each in functions if not self.was_tried or each.startswith("ht_"))

    def take_over(self, basis: Path) -> None:
        """Copy the compiled code of the files that this submission shares with another one.

        The compiled code of a function depends on its own file and on those that it imports; that of the
        framework's, on the client. All files of the other submission are here as well, and the run that
        compiled it saw no other, so the same code would be compiled here.

        Args:
            basis: the clean folder of the other submission.
        """
        theirs = CompiledCode(basis)
        if not self.was_tried:
            theirs._copy_all(self._folders)

    def copied_to(self, clean_folder: Path) -> "CompiledCode":
        """Return a copy of this object that has a clean folder of its own, with copies of the same files."""
        copy = CompiledCode(clean_folder)
        copy.folder.mkdir()
        self._copy_all(copy._folders)
        if self.was_tried:
            copy._tried.touch()
        return copy

    # ---- the compile run -------------------------------------------------------------------------

    def make_writable(self, folder: Path, has_own_user: bool) -> list[Path]:
        """Return the folders, made in `folder`, that a compile run may write.

        Args:
            folder: a new empty folder, to which earlier compiled code is copied.
            has_own_user: whether the run has a user id of its own.
        """
        writable = [folder / each.name for each in self._folders]
        for ours in writable:
            ours.mkdir()
        self._copy_all(writable)
        if offers.is_root() and has_own_user:
            for path in (*writable, *(file for each in writable for file in each.iterdir())):
                os.chown(path, namespaces.OWN_ID, namespaces.OWN_ID)
        return writable

    def keep(self, folder: Path, end: End, shared: frozenset[str] = frozenset()) -> None:
        """Keep the compiled code that a run wrote, and nothing else. The run's process must be dead.

        Args:
            folder: as for `make_writable`.
            end: how the run ended.
            shared: the functions that it was to compile for other submissions, if it was not for this one.

        Raises:
            OSError: there is no space for it.
        """
        if end == End.FAULT:
            return
        if end != End.OUTPUT_LIMIT:
            for ours in self._folders:
                self._copy(folder / ours.name, ours, checked=False)
        if shared:
            if end != End.STOPPED:  # none need be tried again, even if their code failed
                with contextlib.suppress(OSError), self._shared.open("a", encoding="utf-8") as file:
                    file.write("".join(f"{name}\n" for name in sorted(shared)))
        elif end not in (End.STOPPED, End.WALL_LIMIT):
            with contextlib.suppress(OSError):
                self._tried.touch()  # it need not be tried again, even if it failed

    # ---- files -----------------------------------------------------------------------------------

    @property
    def _folders(self) -> tuple[Path, Path]:
        """Numba's folders for the compiled code of the submission and of the framework."""
        theirs = paths.FRAMEWORK_ROOT / "framework"
        return self.folder / _numbas_name(self._code), self.folder / _numbas_name(theirs)

    def _copy_all(self, targets: Sequence[Path]) -> None:
        """Copy the compiled code to two other folders."""
        for source, target in zip(self._folders, targets, strict=True):
            self._copy(source, target)

    @staticmethod
    def _copy(source: Path, target: Path, checked: bool = True) -> None:
        """Copy the compiled code in a folder; a file that cannot be read is compiled again.

        Args:
            source: the folder.
            target: the folder for it, made if need be.
            checked: whether the judge wrote the files in `source`, so that they need no parsing.

        Raises:
            OSError: there is no space for it.
        """
        left = KEPT_BYTES
        for name in itertools.islice(_names(source), MOST_FILES):
            found = _NAME.fullmatch(name)
            data = _read(source / name) if found else b""
            left -= len(data)
            if left < 0:
                break  # reading on takes long: a file of 16 MiB may have been made without writing one
            if found and (checked or _is_pickles(data, _PICKLES[found[1]])):
                folders.make_open(target)
                if _read(target / name) != data:
                    with contextlib.suppress(PermissionError):  # Windows, if a child reads it
                        folders.replace_file(target / name, data, target)


def over_what_is_written(limit: OverLimit, folder: Path, pid: int) -> OverLimit:
    """Extend `limit` by limits on what a run writes: its files in `folder`, and all bytes it wrote.

    If the disk runs full meanwhile, by whomever, the end is a fault.

    Args:
        limit: the run's other limits.
        folder: where it writes.
        pid: its process.
    """

    def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
        files = sum(1 for name in _names(folder) for _ in itertools.islice(_names(folder / name), MOST_FILES))
        much = files >= MOST_FILES or _written_bytes(pid) > WRITTEN_BYTES
        if not much and (full := folders.no_space(folder, WRITTEN_BYTES)):
            outcome.fault = full
            return End.FAULT
        return End.OUTPUT_LIMIT if much else limit(outcome, used)

    return over_limit


def _written_bytes(pid: int) -> int:
    """Return how many bytes a process has written, even to files since removed; 0 if that is not counted.

    Each call counts as a block more, since that is what a file of one byte takes.
    """
    with contextlib.suppress(OSError, ValueError, KeyError):
        counts = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text("ascii").splitlines())
        return int(counts["wchar"]) + BLOCK_BYTES * int(counts["syscw"])
    return 0


def _numbas_name(folder: Path) -> str:
    """Return the name of the folder in which numba keeps the compiled code of the files in `folder`."""
    return f"{folder.name}_{hashlib.sha1(os.fsencode(folder), usedforsecurity=False).hexdigest()}"


def _has_an_empty(folder: Path) -> bool:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return any(entry.stat().st_size == 0 for entry in entries)
    return False


def _names(folder: Path) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            yield entry.name


def _read(path: Path) -> bytes:
    """Return a file's content; empty unless it is a regular file small enough to keep."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, folders.AS_IT_IS)
        with open(descriptor, "rb") as file:
            seen = os.fstat(descriptor)
            if stat.S_ISREG(seen.st_mode) and seen.st_size <= KEPT_BYTES:
                return file.read(KEPT_BYTES)
    return b""


def _is_pickles(data: bytes, number: int) -> bool:
    """Return whether `data` is exactly `number` pickles. They are parsed, not loaded."""
    stream = io.BytesIO(data)
    try:
        parts = itertools.chain.from_iterable(pickletools.genops(stream) for _ in range(number))
        for _ in itertools.islice(parts, _MOST_PARTS):
            pass
    except Exception:  # a broken pickle can raise almost anything
        return False
    return data != b"" and stream.read(1) == b""
