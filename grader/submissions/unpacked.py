"""Look into archives as into folders, up to what one submission may have opened."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.safe_text import one_line
from grader.submissions.archives import (
    MAX_ARCHIVE,
    MAX_MEMBERS,
    ArchiveTree,
    archive_tree,
    is_archive,
    place_of,
)
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, TooLarge
from grader.submissions.trees import FILE, FOLDER, MAX_ENTRIES, NOTHING, Parts, Tree

MOST_MEMBERS = 4 * MAX_MEMBERS  # of all archives of a submission
MOST_UNPACKED = 2 * MAX_ARCHIVE  # bytes of all archives of a submission, which are open together
MOST_NESTED = 3  # archives, one in the other, that are opened
MOST_ARCHIVES = 40  # of a submission, that are opened: each task's file in one, several times

_AGAIN = "hand in the files themselves, or one .zip of them"


@dataclass
class Allowance:
    """What may still be opened of one submission, and what was odd in it."""

    archives: int = MOST_ARCHIVES
    members: int = field(default_factory=lambda: MOST_MEMBERS)
    unpacked: int = field(default_factory=lambda: MOST_UNPACKED)
    led_out: dict[str, Sequence[str]] = field(default_factory=dict)  # by archive, names that lead out of it

    def open(self, outer: Tree, at: Parts, wanted: frozenset[str]) -> ArchiveTree:
        """Return the tree of an archive that lies in another tree.

        Raises:
            SubmissionFault: it cannot be read, or too much was opened before it.
        """
        place = one_line(at[-1])
        if not self.archives:
            raise SubmissionFault(f"{place}: more archives than {MOST_ARCHIVES} are not opened", _AGAIN)
        most = min(self.unpacked, MAX_ARCHIVE)
        self.archives -= 1
        try:
            raw = outer.read(at, place, most)
        except TooLarge:
            raise
        except SubmissionFault:
            self.unpacked -= most  # it is not known how much of it was unpacked before it failed
            raise
        if raw is None:
            raise SubmissionFault(f"{place}: no such file", "download the submissions again")
        self.unpacked -= len(raw)
        tree = archive_tree(raw, place, wanted, min(self.members, MAX_MEMBERS))
        self.members -= tree.members
        if tree.nowhere:
            self.led_out[place] = tree.nowhere
        return tree


class UnpackedTree(Tree):
    """A tree in which each archive is a folder, opened once, when it is first looked into.

    Args:
        wanted: the names of the files that may be read.
        packed: a file that is an archive whatever its name says.
        levels: how many archives, one in the other, are opened.
    """

    def __init__(
        self,
        tree: Tree,
        wanted: frozenset[str],
        packed: Parts | None = None,
        levels: int = MOST_NESTED,
        allowance: Allowance | None = None,
    ) -> None:
        self._tree, self._wanted, self._packed, self._levels = tree, wanted, packed, levels
        self.allowance = allowance or Allowance()
        self._inside: dict[Parts, UnpackedTree | SubmissionFault] = {}

    def _holder(self, at: Parts) -> tuple[Tree, Parts]:
        """Return the tree that holds an entry, and its path there.

        Raises:
            SubmissionFault: it is in an archive that cannot be opened.
        """
        for depth in range(1, len(at) + 1):
            if self._is_packed(at[:depth]):
                return self._opened(at[:depth]), at[depth:]
        return self._tree, at

    def _is_packed(self, at: Parts) -> bool:
        return at == self._packed or (is_archive(at[-1]) and self._tree.kind(at) == FILE)

    def _opened(self, at: Parts) -> "UnpackedTree":
        if at not in self._inside:
            try:
                if not self._levels:
                    told = f"{one_line(at[-1])}: archives in {MOST_NESTED} others are not opened"
                    raise SubmissionFault(told, _AGAIN)
                tree = self.allowance.open(self._tree, at, self._wanted)
                levels = self._levels - 1
                self._inside[at] = UnpackedTree(tree, self._wanted, None, levels, self.allowance)
            except SubmissionFault as fault:
                self._inside[at] = fault.alone()
        found = self._inside[at]
        if isinstance(found, SubmissionFault):
            raise found.alone()
        return found

    def kind(self, at: Parts) -> str:
        if at and self._is_packed(at):
            return FOLDER
        try:
            holder, inside = self._holder(at)
        except SubmissionFault:
            return NOTHING
        return holder.kind(inside)

    def entries(self, at: Parts, most: int | None = MAX_ENTRIES) -> dict[str, str]:
        holder, inside = self._holder(at)
        found = holder.entries(inside, most)
        if holder is not self._tree:
            return found
        packed = dict.fromkeys((name for name in found if self._is_packed((*at, name))), FOLDER)
        others = {name: kind for name, kind in found.items() if name not in packed}
        return others | dict.fromkeys(sorted(packed, key=_newest_first), FOLDER)

    def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
        holder, inside = self._holder(at)
        return holder.read(inside, place, most)

    def shown(self, at: Parts) -> str:
        holder, inside = self._holder(at)
        return holder.shown(inside)


def _newest_first(name: str) -> tuple[int, list[int]]:
    """Return a key by which what limits cut off are the oldest of a student's archives."""
    return place_of(name)[2], [-int(number) for number in re.findall(r"\d{1,9}", name)]
