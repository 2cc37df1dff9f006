"""Find the files of one submission of a class: in its folder, in an archive, or in both."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from grader.course.handins.found import Found, listed
from grader.course.records import Attempt
from grader.safe_text import one_line
from grader.submissions.archives import PackedTree, is_archive
from grader.submissions.locate import STUDENT, Located, locate, looking, taken
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FOLDER, Parts, Tree


@dataclass(frozen=True)
class Handin:
    """One attempt and its files, which are read only when asked for."""

    attempt: Attempt
    _files: Mapping[str, tuple[Tree, Parts]] = field(default_factory=dict)
    missing: bool = False  # whether the problem is that there is no file
    beside: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the task files that were handed in."""
        return sorted(self._files)

    def read(self, name: str) -> bytes | None:
        """Return the content of the task's file `name`, or None if it was not handed in."""
        if name not in self._files:
            return None
        tree, at = self._files[name]
        return tree.read(at, f"{STUDENT}/{name}")


def handin_of(tree: Tree, found: Found, student: str, number: int, names: frozenset[str]) -> Handin:
    """Return an attempt with its files, or with the problem that makes them unusable."""
    place = tree.shown(found.place)
    attempt = Attempt(student, number, found.handed_in, place, late_by_platform=found.late)
    try:
        located, files = _look(tree, found, names)
    except SubmissionFault as fault:
        return Handin(replace(attempt, problem=fault.message, help=fault.help), missing=fault.missing)
    holder = next((inside for inside, at in files.values() if at[:-1] == located.holder), tree)
    attempt = replace(attempt, place=holder.shown(located.holder), slips=tuple(located.slips))
    return Handin(attempt, files, beside=tuple(dict.fromkeys(located.loose)))


def _look(tree: Tree, found: Found, names: frozenset[str]) -> tuple[Located, dict[str, tuple[Tree, Parts]]]:
    """Return what was handed in, and for each of the tasks' files the tree that holds it and its path there.

    The tree is the download itself, or an archive in it.
    """
    if found.folder is None:
        located = _loose(tree, found, names)
    else:
        kind = tree.kind(found.folder)
        if kind != FOLDER:
            raise SubmissionFault(
                f"{one_line(found.folder[-1])}: expected a folder, found a {kind}",
                "ask for the files themselves, or download the submissions again",
            )
        located = locate(tree, found.folder, names, one_line(found.folder[-1]))
    files = {name: (tree, at) for name, at in located.files.items()}
    if len(located.packed) != 1 or (files and names <= files.keys()):
        if files:
            return located, files
        if located.packed:
            raise SubmissionFault(
                f"expected one archive, found {listed([parts[-1] for parts in located.packed])}",
                "hand in the files themselves, or one .zip of them",
            )
        raise _nothing_found(located.loose)
    archive = located.packed[0]
    inner = PackedTree(tree, archive, names)
    if files:
        shown = next((name for name, at in found.files.items() if at == archive), archive[-1])
        _add_packed(inner, shown, located, files, names)
        return located, files
    inside = locate(inner, (), names, one_line(archive[-1]))
    inside.slips[:0] = located.slips
    if inside.files:
        for each in inside.packed:
            told = f"{one_line(each[-1])} left aside: an archive inside an archive is not opened"
            inside.slips.append(told)
        return inside, {name: (inner, at) for name, at in inside.files.items()}
    if inside.packed:
        raise SubmissionFault(
            f"{one_line(inside.packed[0][-1])}: an archive inside an archive is not opened",
            "hand in the files themselves, or one .zip of them",
        )
    raise _nothing_found(inside.loose)


def _loose(tree: Tree, found: Found, names: frozenset[str]) -> Located:
    """Return the files of a submission that has no folder."""
    located = Located(found.place)
    located.files = taken(looking(tree), found.files, names, located.slips)
    kept = set(located.files.values())
    located.packed = [at for name, at in found.files.items() if is_archive(name)]
    located.loose = [name for name, at in found.files.items() if not is_archive(name) and at not in kept]
    return located


def _add_packed(
    inner: Tree, archive: str, located: Located, files: dict[str, tuple[Tree, Parts]], names: frozenset[str]
) -> None:
    """Add the files of an archive that lies beside others, unless it has other versions of them."""
    try:
        inside = locate(inner, (), names, one_line(archive))
        new = inside.files.keys() - files.keys()
        for name in inside.files.keys() & files.keys():
            tree, at = files[name]
            if inner.read(inside.files[name], name) != tree.read(at, name):
                new = set()
    except SubmissionFault as fault:
        located.slips.append(f"{fault.message}: it is left aside, and the files beside it are taken")
        return
    if new:
        files.update((name, (inner, inside.files[name])) for name in new)
        told = f"{', '.join(sorted(new))} in {one_line(archive)} taken together with the files beside it"
        located.slips += [*inside.slips, told]


def _nothing_found(there: Collection[str]) -> SubmissionFault:
    """Return the fault to report for a submission without any task file; a run adds the names of its own."""
    if not there:
        return SubmissionFault("the submission is empty", "hand in the tasks' files", missing=True)
    return SubmissionFault(
        f"the submission has no task file, found {listed(sorted(there), 3)}",
        "keep the files' names",
        missing=True,
    )
