"""Gather the tasks' files of one submission: from its folder, from an archive, or from both.

What is in the folders of either, `locate.py` finds.
"""

from collections.abc import Collection, Mapping

from grader.safe_text import listed, one_line
from grader.submissions.archives import PackedTree, is_archive
from grader.submissions.locate import Located, locate, looking, merge, misnamed, seen, taken
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FOLDER, Parts, Tree

MOST_NESTED = 2  # archives, one in the other, that are opened
MOST_ARCHIVES = 12  # beside each other, that are opened: more than there are tasks' files

Held = dict[str, tuple[Tree, Parts]]  # the tree that holds each of the tasks' files, and its path there


def gather(
    tree: Tree, folder: Parts | None, loose: Mapping[str, Parts], names: frozenset[str]
) -> tuple[Located, Held]:
    """Return what was handed in, and for each of the tasks' files the tree that holds it and its path there.

    The tree is the given one, or an archive in it.

    Args:
        folder: the submission's folder; None if it has none.
        loose: the path of each of its files, by its name, if there is no folder; the first count first.

    Raises:
        SubmissionFault: no task file can be found.
    """
    located = _of_loose(tree, loose, names) if folder is None else _of_folder(tree, folder, names)
    return _with_archive(tree, located, {at: name for name, at in loose.items()}, names, MOST_NESTED)


def gather_archive(tree: Tree, at: Parts, called: str, names: frozenset[str]) -> tuple[Located, Held]:
    """Return what `gather` does, of a file that is an archive whatever its name says."""
    return _with_archive(tree, Located(packed=[at]), {at: called}, names, MOST_NESTED)


def _with_archive(
    tree: Tree, located: Located, called: Mapping[Parts, str], names: frozenset[str], levels: int
) -> tuple[Located, Held]:
    """Return what was located, with the files of the archives among it.

    Args:
        called: the names that the student gave to files, of which the first count first.
        levels: how many archives, one in the other, are opened.
    """
    files: Held = {}
    own = {at: name for name, at in located.files.items()}
    packed = [called.get(at, at[-1]) for at in located.packed]
    too_many = not levels or len(packed) > MOST_ARCHIVES
    unread: list[SubmissionFault] = []
    if packed and too_many:
        refused = f"more archives than {MOST_ARCHIVES}" if levels else "archives in two others"
        if not own:
            raise SubmissionFault(
                f"{listed(packed)}: {refused} are not opened",
                "hand in the files themselves, or one .zip of them",
            )
        located.slips.append(f"{listed(packed)} left aside: {refused} are not opened")
        located.packed = []
    elif len(packed) == 1 and not own:
        inner, name = PackedTree(tree, located.packed[0], names), packed[0]
        inside = locate(inner, (), names, one_line(name))
        inside.slips[:0] = [*located.slips, *_led_out(inner, name)]
        if not (inside.files or inside.packed) and (odd := inner.opened().nowhere):
            raise SubmissionFault(
                f"{one_line(name)}: found only names that lead out of it or are too deep: {listed(odd)}",
                "pack the files themselves, not the path to them",
                missing=True,
            )
        return _with_archive(inner, inside, {}, names, levels - 1)
    order = {at: number for number, at in enumerate(called)}
    for at in sorted([*own, *located.packed], key=lambda at: order.get(at, 0)):
        if at in own:
            if files.setdefault(own[at], (tree, at)) != (tree, at):  # of an archive uploaded later
                located.slips += merge(files, {own[at]: (tree, at)}, seen, "", _beside)
            continue
        inner = PackedTree(tree, at, names, len(located.packed))
        try:
            _add_archive(files, inner, called.get(at, at[-1]), located, names)
        except SubmissionFault as fault:
            if fault.ours:
                raise
            unread.append(fault)
            told = f"{fault.message}: it is left aside, and what lies beside it is taken"
            located.slips.append(told)
    if not files:
        raise unread[0] if unread else _nothing_found([*located.loose, *packed])
    return located, files


def _of_folder(tree: Tree, folder: Parts, names: frozenset[str]) -> Located:
    kind = tree.kind(folder)
    if kind != FOLDER:
        raise SubmissionFault(
            f"{one_line(folder[-1])}: expected a folder, found a {kind}",
            "ask for the files themselves, or download the submissions again",
        )
    return locate(tree, folder, names, one_line(folder[-1]) if folder else "the submission")


def _of_loose(tree: Tree, files: Mapping[str, Parts], names: frozenset[str]) -> Located:
    """Return the files of a submission that has no folder."""
    located = Located(next(iter(files.values()), ()))
    look = looking(tree)
    located.files = taken(look, files, names, located.slips)
    kept = set(located.files.values())
    located.packed = [at for name, at in files.items() if is_archive(name)]
    located.loose = [name for name, at in files.items() if not is_archive(name) and at not in kept]
    located.slips += misnamed(look, located, names)
    return located


def _add_archive(
    files: Held, inner: PackedTree, archive: str, located: Located, names: frozenset[str]
) -> None:
    """Add the files of an archive that lies beside others or files, and say what is left aside.

    Raises:
        SubmissionFault: it cannot be read.
    """
    inside = locate(inner, (), names, one_line(archive))
    located.slips += [*_led_out(inner, archive), *inside.slips]
    here = {name: (inner, at) for name, at in inside.files.items()}
    located.slips += merge(files, here, seen, f" in {one_line(archive)}", _beside)
    if inside.packed:
        within = f"{listed([at[-1] for at in inside.packed])} in {one_line(archive)}"
        located.slips.append(f"{within} left aside: archives in others are not opened here")


def _beside(name: str) -> str:
    return "beside it"


def _led_out(inner: PackedTree, archive: str) -> list[str]:
    """Return that members of an archive have names that lead out of it, if any do."""
    odd = inner.opened().nowhere
    return [f"{listed(odd)} in {one_line(archive)} left aside: no name of a file"] if odd else []


def _nothing_found(there: Collection[str]) -> SubmissionFault:
    """Return the fault to report for a submission without any task file; a run adds the names of its own."""
    if not there:
        return SubmissionFault("the submission is empty", "hand in the tasks' files", missing=True)
    return SubmissionFault(
        f"the submission has no task file, found {listed(sorted(set(there)), 3)}",
        "keep the files' names",
        missing=True,
    )
