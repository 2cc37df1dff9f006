"""The files that were handed in, below a folder on disk; archives.py has those in an archive.

No link is followed, and nothing is opened to see what it is.
"""

import itertools
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader import folders, paths
from grader.safe_text import one_line
from grader.submissions.source_file import MAX_BYTES, read_raw, unreadable

Parts = tuple[str, ...]  # a path inside a tree; () is its root
FILE, FOLDER, LINK, SPECIAL, NOTHING = "file", "folder", "link", "special file", ""
MAX_ENTRIES = 2_000  # of a folder that are listed while looking for a student's files


class Tree(ABC):
    """The files below a folder, whether on disk or in an archive."""

    # names of members that lead out of the tree or are too deep; these are ignored
    nowhere: Sequence[str] = ()

    @abstractmethod
    def kind(self, at: Parts) -> str:
        """Return the kind of entry at a path: FILE, FOLDER, LINK, SPECIAL or NOTHING."""

    @abstractmethod
    def entries(self, at: Parts, most: int | None = MAX_ENTRIES) -> dict[str, str]:
        """Return the kind of each entry of a folder by its name, sorted; at most `most` of them.

        Raises:
            SubmissionFault: the folder cannot be read.
        """

    @abstractmethod
    def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
        """Return a file's content, or None if nothing is there; messages call it `place`.

        Raises:
            SubmissionFault: it is no regular file, has more than `most` bytes, or cannot be read.
        """

    @abstractmethod
    def shown(self, at: Parts) -> str:
        """Return the path by which an instructor can find an entry, safe to show on one line."""

    def path(self, at: Parts) -> Path | None:
        """Return an entry's path on this machine; None inside an archive."""
        return None


class FolderTree(Tree):
    """A folder on this machine."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def kind(self, at: Parts) -> str:
        try:
            return kind_of(os.lstat(os.path.join(self._root, *at)).st_mode)
        except (OSError, ValueError):
            return NOTHING

    def entries(self, at: Parts, most: int | None = MAX_ENTRIES) -> dict[str, str]:
        found = {}
        try:
            with self._scanned(at) as scanned:
                for entry in itertools.islice(scanned, most):
                    if entry.is_dir(follow_symlinks=False):  # from the listing itself: no file is opened
                        found[entry.name] = FOLDER
                    elif entry.is_symlink():
                        found[entry.name] = LINK
                    else:
                        found[entry.name] = FILE if entry.is_file(follow_symlinks=False) else SPECIAL
        except OSError as error:
            raise unreadable(one_line(at[-1]) if at else self.shown(at), "folder", error) from None
        return dict(sorted(found.items()))

    @contextmanager
    def _scanned(self, at: Parts) -> "Iterator[Iterator[os.DirEntry[str]]]":
        """Give the entries of a folder; no link is followed on the way to it."""
        folder = self._root.joinpath(*at)
        if os.scandir not in os.supports_fd:
            with os.scandir(folder) as scanned:
                yield scanned
            return
        descriptor = folders.opened(folder, self._root, folders.A_FOLDER)
        try:
            with os.scandir(descriptor) as scanned:
                yield scanned
        finally:
            os.close(descriptor)

    def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
        return read_raw(self._root.joinpath(*at), place, most, self._root)

    def shown(self, at: Parts) -> str:
        return one_line(paths.shown(self._root.joinpath(*at)))

    def path(self, at: Parts) -> Path | None:
        return self._root.joinpath(*at)


def kind_of(mode: int) -> str:
    """Return the kind of a file by its mode, as from `stat`."""
    if stat.S_ISREG(mode):
        return FILE
    return FOLDER if stat.S_ISDIR(mode) else LINK if stat.S_ISLNK(mode) else SPECIAL


def is_hidden(name: str) -> bool:
    """Return whether a file is hidden, or was left behind by a system or a tool and is nobody's work."""
    return name.startswith(".") or name in _LEFT_BEHIND


def is_junk(name: str, kind: str) -> bool:
    """Return whether a hidden entry is so common that no note about it is needed."""
    return name in _LEFT_BEHIND or (name.startswith("._") and kind == FILE)  # macOS makes one for each file


_LEFT_BEHIND = (
    ".DS_Store", ".git", "__MACOSX", "Thumbs.db", "desktop.ini",
    "__pycache__", "node_modules", "site-packages",
)  # fmt: skip
