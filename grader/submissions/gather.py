"""Gather the tasks' files of one submission: from its folder, or from files that lie apart.

What is in its folders and archives, `locate.py` finds.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grader.safe_text import listed, one_line
from grader.submissions.archives import is_archive
from grader.submissions.locate import STUDENT, locate
from grader.submissions.source_file import MAX_BYTES, SubmissionFault
from grader.submissions.trees import FOLDER, MAX_ENTRIES, NOTHING, Parts, Tree
from grader.submissions.unpacked import UnpackedTree

Content = bytes | SubmissionFault
# Groups of files: the path of each, by the name that the student gave it.
Apart = Sequence[Mapping[str, Parts]]


class ApartTree(Tree):
    """Files of a tree that lie apart, in a folder for each group, under the names that students gave them."""

    def __init__(self, tree: Tree, groups: Apart) -> None:
        self._tree = tree
        self._groups = {  # whose files the platform named: none is hidden
            f"{number:05}": {
                name.lstrip(".") if is_archive(name) else name: path for name, path in group.items()
            }
            for number, group in enumerate(groups)
        }
        self.tops: list[Parts] = [(group,) for group in self._groups]

    def _path(self, at: Parts) -> Parts:
        """Return where an entry is in the tree; a group is where its first file is."""
        group = self._groups[at[0]]
        return (*group[at[1]], *at[2:]) if at[1:] else next(iter(group.values()), ())

    def kind(self, at: Parts) -> str:
        if len(at) < 2:
            return FOLDER
        return self._tree.kind(self._path(at)) if at[1] in self._groups[at[0]] else NOTHING

    def entries(self, at: Parts, most: int | None = MAX_ENTRIES) -> dict[str, str]:
        if at[1:]:
            return self._tree.entries(self._path(at), most)
        return {name: self._tree.kind(path) for name, path in self._groups[at[0]].items()}

    def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
        return self._tree.read(self._path(at), place, most)

    def shown(self, at: Parts) -> str:
        return self._tree.shown(self._path(at))


@dataclass
class Gathered:
    """What was found of one submission."""

    place: str  # by which an instructor can find it
    files: dict[str, Content]  # the content of the tasks' files, or why it cannot be read
    slips: list[str]
    loose: list[str]  # the names of other entries that were seen, among them the files beside those taken


def gather(
    tree: Tree,
    folder: Parts | None,
    apart: Apart,
    names: frozenset[str],
    is_packed: bool = False,
    within: str = f"{STUDENT}/",
) -> Gathered:
    """Return what was handed in; what is taken is read at once, so that no archive stays open.

    Args:
        folder: the submission's folder; None if it has none.
        apart: its files, if there is no folder; the first group counts first.
        is_packed: whether the first of these is an archive whatever its name says.
        within: what messages put before a file's name.

    Raises:
        SubmissionFault: no task file can be found.
    """
    place, packed = "the submission", None
    if folder is None:
        tree = ApartTree(tree, apart or [{}])
        tops = tree.tops
        packed = (*tops[0], *list(apart[0])[:1]) if is_packed else None
    elif (kind := tree.kind(folder)) != FOLDER:
        raise SubmissionFault(
            f"{one_line(folder[-1])}: expected a folder, found a {kind}",
            "ask for the files themselves, or download the submissions again",
        )
    else:
        tops = [folder]
        place = one_line(folder[-1]) if folder else place
    unpacked = UnpackedTree(tree, names, packed)
    located = locate(unpacked, tops, names, place)
    if not located.files:
        raise _nothing_found(located.loose, unpacked.allowance.led_out)
    for place, odd in unpacked.allowance.led_out.items():
        located.slips.append(f"{listed(odd)} in {place} left aside: no name of a file")
    files = {name: _read(unpacked, at, within + name) for name, at in located.files.items()}
    return Gathered(unpacked.shown(located.holder), files, located.slips, located.loose)


def _read(tree: Tree, at: Parts, place: str) -> Content:
    try:
        return tree.read(at, place) or b""
    except SubmissionFault as fault:
        return fault.alone()


def _nothing_found(there: Collection[str], led_out: Mapping[str, Sequence[str]]) -> SubmissionFault:
    """Return the fault to report for a submission without any task file; a run adds the names of its own."""
    for place, odd in led_out.items():
        return SubmissionFault(
            f"{place}: found only names that lead out of it or are too deep: {listed(odd)}",
            "pack the files themselves, not the path to them",
            missing=True,
        )
    if not there:
        return SubmissionFault("the submission is empty", "hand in the tasks' files", missing=True)
    return SubmissionFault(
        f"the submission has no task file, found {listed(sorted(set(there)), 3)}",
        "keep the files' names",
        missing=True,
    )
