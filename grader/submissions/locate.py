"""Find the tasks' files in one student's submission, and note where they are not as they were asked for.

They may be at the top, in `student/`, or in nested folders, of which an archive is one. Files of one
submission that are in neighbouring folders are taken together; of two versions of one file the one is taken
in which more functions are written, or the first. Only for this are files read; otherwise names are all that
counts, level by level. No link is followed, and neither a hidden folder nor one of the course's own is
entered.
"""

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from grader.safe_text import one_line
from grader.submissions import slips
from grader.submissions.archives import is_archive, place_of, too_many
from grader.submissions.cutting import MOST_FUNCTIONS, UNTOUCHED, left_to_write
from grader.submissions.source_file import SubmissionFault, decode_source
from grader.submissions.trees import FILE, FOLDER, Parts, Tree, is_hidden, is_junk

STUDENT = "student"
# The course's own folders: where two of them lie side by side, the whole project was handed in.
OF_THE_COURSE = frozenset({"boards", "framework", "grader", "handouts", "tests"})
MAX_DEPTH = 8  # the deepest level of nested folders that is searched
USUAL_DEPTH = 3  # a deeper one is told as a slip
MAX_FOLDERS = 100  # of one level that are searched
MAX_LISTED = 10_000  # entries in all of these together
MAX_LOOKED = 1 << 20  # bytes of the files that are compared, of a submission; to parse them takes 4 s

Files = dict[str, Parts]  # the path of each of the tasks' files


class Seen(NamedTuple):
    """A text's digest, and how many of its functions are still to be written."""

    digest: bytes
    left: int


UNREADABLE = Seen(b"", MOST_FUNCTIONS + 1)  # it gives way to all but a file in which nothing is written
# of a file, given its path and which of the tasks' files it may be; None: it was not looked at
Look = Callable[[Parts, str], Seen | None]


@dataclass
class Located:
    """The tasks' files of one submission."""

    holder: Parts = ()  # the folder that holds them, or most of them
    # the path of each, by the name that it is taken for; empty if none was found
    files: Files = field(default_factory=dict)
    slips: list[str] = field(default_factory=list)
    # the names of other entries that were seen, among them the files beside those taken
    loose: list[str] = field(default_factory=list)
    unread: list[SubmissionFault] = field(default_factory=list)  # why folders cannot be looked into


def locate(tree: Tree, tops: Sequence[Parts], names: Collection[str], place: str) -> Located:
    """Return the files in the shallowest folders that hold any, and in those below; see `_in_order`.

    Args:
        tops: the top folder; several, equally deep, if what was handed in lies apart: the first counts first.

    Raises:
        SubmissionFault: a folder cannot be read, or there are too many files before any is found.
    """
    while len(tops) == 1 and (archive := _only_archive(tree, tops[0])):
        tops = [archive]
    level, at = [*tops], tops[0]
    found, look = Located(), looking(tree)
    seen, cut = 0, False
    not_entered: list[str] = []
    for depth in range(MAX_DEPTH + 1):
        below = []
        for folder in level:
            entries = _entries(tree, folder, found)
            seen += len(entries)
            mine = _of_the_student(entries)
            for name in entries.keys() - mine.keys():
                not_entered.append(name)
                if lost := sorted(_entries(tree, (*folder, name), found).keys() & set(names)):
                    told = f"{', '.join(lost)} in {name} left aside: {name} is one of the course's folders"
                    found.slips.append(told)
            for name, kind in mine.items():
                if is_junk(name, kind):
                    continue
                if is_hidden(name):
                    found.loose.append(f"{name} ({kind})")
                elif kind == FOLDER:
                    below.append((*folder, name))
                else:
                    found.loose.append(name if kind == FILE else f"{name} ({kind})")
        if _take(tree, look, at, level, names, found):
            found.slips += misnamed(look, found, names)
            folders = [name for name in found.holder[len(at) :] if not is_archive(name)]
            if depth > USUAL_DEPTH and len(folders) > USUAL_DEPTH:
                deep = f"{_shown(found.holder, at)}, {len(folders)} folders deep, is taken for the top folder"
                found.slips.append(deep)
            found.slips += dict.fromkeys(fault.message for fault in found.unread)
            return found
        cut = cut or len(below) > MAX_FOLDERS
        if seen >= MAX_LISTED:
            raise too_many(place)
        level = below[:MAX_FOLDERS]
    if found.unread:
        raise found.unread[0]
    if cut:
        raise too_many(place)
    found.slips += misnamed(look, found, names)
    found.loose += [f"{one_line('/'.join(folder[len(at) :]), 80)} (folder)" for folder in level[:1]]
    found.loose += [f"{name} (one of the course's folders)" for name in sorted(not_entered)]
    return found


def _only_archive(tree: Tree, top: Parts) -> Parts | None:
    """Return the archive in a folder that has nothing else; None if there is none."""
    with contextlib.suppress(SubmissionFault):
        entries = {name: kind for name, kind in tree.entries(top).items() if not is_hidden(name)}
        if [*entries.values()] == [FOLDER] and is_archive(*entries):
            return (*top, *entries)
    return None


def _take(
    tree: Tree, look: Look, at: Parts, level: list[Parts], names: Collection[str], found: Located
) -> bool:
    """Add the files in the folders of one level to `found`, and those below; return whether there are any."""
    first = [place for folder in level for place in (folder, (*folder, STUDENT))]
    first = [place for place in first if tree.kind(place) == FOLDER]
    there = {}
    for place in first:  # of which an archive may be something else than work
        entries = _entries(tree, place, found) if place and is_archive(place[-1]) else tree.entries(place)
        there[place] = _files(tree, place, names, entries)
    if any(taken(look, files, names, []) for files in there.values()):
        below = list(itertools.islice(_below(tree, level, found), MAX_FOLDERS + 1))
        for place in below[:MAX_FOLDERS]:
            there[place] = _files(tree, place, names, _entries(tree, place, found))
        if len(below) > MAX_FOLDERS:
            found.slips.append(f"of the folders, only the first {MAX_FOLDERS} are looked into")
    for place in _in_order(there, at, look, names):
        _add(look, at, place, there[place], names, found)
    return bool(found.files)


def _in_order(there: Mapping[Parts, Files], at: Parts, look: Look, names: Collection[str]) -> list[Parts]:
    """Return folders in the order in which their files count: `student/`, the folder around it, others there.

    Of folders side by side the first is the one with the most tasks' files in which something is written, in
    itself or in a folder below: another assignment may have such a file, too.
    """
    most: dict[Parts, tuple[int, int]] = {}
    of = {place: taken(look, files, names, []) for place, files in there.items()}
    several = sum(map(bool, of.values())) > 1
    for place, mine in of.items():
        held = -sum(not (several and _is_untouched(look(mine[name], name))) for name in mine), len(place)
        for depth in range(len(at) + 1, len(place) + 1):
            most[place[:depth]] = min(held, most.get(place[:depth], held))

    def key(place: Parts) -> list[tuple[object, ...]]:
        within = enumerate(place[len(at) :], len(at) + 1)
        steps = ((2 * (name != STUDENT), most[place[:depth]], place_of(name)) for depth, name in within)
        return [place[: len(at)], *steps, (1,)]

    return sorted(there, key=key)


def _of_the_student(entries: Mapping[str, str]) -> dict[str, str]:
    """Return what is in a folder, without the course's own folders."""
    ours = OF_THE_COURSE & entries.keys()
    return {name: kind for name, kind in entries.items() if len(ours) < 2 or name not in ours}


def _entries(tree: Tree, place: Parts, found: Located) -> dict[str, str]:
    """Return what is in a folder; one that cannot be read takes no file away that was found elsewhere."""
    try:
        return tree.entries(place)
    except SubmissionFault as fault:
        if fault.ours and place and is_archive(place[-1]):
            raise  # it may be all of the work
        found.unread.append(fault.alone())
        return {}


def _below(tree: Tree, level: list[Parts], found: Located) -> Iterator[Parts]:
    """Yield the folders below those of a level, level by level."""
    for _ in range(MAX_DEPTH):
        level = [
            (*folder, name)
            for folder in level
            for name, kind in _of_the_student(_entries(tree, folder, found)).items()
            if kind == FOLDER and not is_hidden(name)
        ]
        yield from level


def _files(tree: Tree, place: Parts, names: Collection[str], entries: Mapping[str, str]) -> Files:
    """Return the files in one folder, and whatever has the name of one of the tasks' files."""
    exact = [name for name in names if tree.kind((*place, name))]
    files = [name for name, kind in entries.items() if kind == FILE]
    return {name: (*place, name) for name in (*exact, *files)}


def _add(look: Look, at: Parts, place: Parts, files: Files, names: Collection[str], found: Located) -> None:
    """Add the files in one folder, and say which of them are left aside because others are taken."""
    told: list[str] = []
    here = taken(look, files, names, told)
    if not here:
        found.slips += told
        found.loose += [name for name in files if slips.looks_like(name, names)]
        return
    beside = [name for name, path in files.items() if path not in here.values()]
    if not found.files:
        found.holder, found.files = place, here
        found.slips += told
        found.loose += beside
        return
    before = dict(found.files)
    remarks: dict[str, list[str]] = {}
    for name in sorted(here):
        how, takes = f"taken together with what lies in {_shown(found.holder, at)}", True
        if name in before:
            mine, other = look(here[name], name), look(before[name], name)
            if adds_nothing(mine, other):
                continue
            takes = has_less(other, mine)
            how = f"taken: {lack(other)}" if takes else "left aside for what lies"
            how += f" in {_shown(before[name][:-1], at)}"
        remarks.setdefault(how, []).append(name)
        if takes:
            found.files[name] = here[name]
    where = _shown(place, at)
    found.slips += [*told, *(f"{', '.join(group)} in {where} {how}" for how, group in remarks.items())]
    found.loose += [name for name in beside if found.files != before or slips.looks_like(name, names)]


def adds_nothing(here: Seen | None, there: Seen | None) -> bool:
    """Return whether a file is the same as another one, or has nothing written that the other could lack."""
    if here is None or there is None:
        return False
    return here.digest == there.digest or there.left <= here.left > MOST_FUNCTIONS


def has_less(one: Seen | None, other: Seen | None) -> bool:
    """Return whether fewer functions are written in a file than in another version of it.

    One that was not looked at gives way to none, and another to it only if nothing in that one can be read.
    """
    return one is not None and one.left > (other.left if other else MOST_FUNCTIONS)


def lack(found: Seen | None) -> str:
    """Return why a file gives way to another version of it."""
    if found and found.left == UNREADABLE.left:
        return "it cannot be read"
    return f"{'nothing' if _is_untouched(found) else 'less'} of it is written"


def taken(look: Look, files: Mapping[str, Parts], names: Collection[str], told: list[str]) -> Files:
    """Return which of a folder's files is taken for each of the tasks' files, and add what is not plain.

    A file with the exact name is taken; without one, or where less of it is written, the only file whose name
    can mean nothing else, of which there may be copies, and versions in which less is written.
    """
    chosen = {name: files[name] for name in names if name in files}
    others: dict[str, list[str]] = {}
    for name in sorted(files):
        meant = slips.meant(name, names)
        if meant and meant != name:
            others.setdefault(meant, []).append(name)
    for meant, found in others.items():
        there = look(chosen[meant], meant) if meant in chosen else None
        looks = {name: look(files[name], meant) for name in found}
        differ = {looks[name] or name: name for name in found if not adds_nothing(looks[name], there)}
        own = [*differ.values()]
        least = min(
            map(looks.__getitem__, own), key=lambda each: each.left if each else MOST_FUNCTIONS, default=None
        )
        best = [name for name in own if not has_less(looks[name], least)]
        why = f"{meant} is there, too, and is taken"
        if len(best) == 1 and (meant not in chosen or has_less(there, looks[best[0]])):
            because = f": {lack(there)} there" if meant in chosen else ""
            told.append(f"{one_line(best[0])} is taken for {meant}{because}")
            chosen[meant] = files[best[0]]
            own.remove(best[0])
            why = "less of it is written"
        elif meant not in chosen:
            told.append(f"{slips.listed(own, ' and ')} are left aside: each may be meant for {meant}")
            continue
        if own:
            told.append(f"{slips.listed(own, ' and ')} left aside: {why}")
    return chosen


def misnamed(look: Look, found: Located, names: Collection[str]) -> list[str]:
    """Return which other files are named like a task's file that lacks, or in which nothing is written."""
    told: list[str] = []
    for name in sorted(set(found.loose)):
        like = slips.looks_like(name, names)
        if not like or slips.meant(name, names):
            continue
        there = look(found.files[like], like) if like in found.files else None
        if like not in found.files or (there and there.left == UNTOUCHED):
            shown = one_line(name) if len(told) < slips.MOST else ""  # the others are only counted
            told.append(f"{shown} is left aside: expected a name such as {like}")
    return told


def looking(tree: Tree) -> Look:
    """Return a function that looks into a tree's files, and reads each of them once, but not too much."""
    looked = 0

    @cache
    def look(at: Parts, name: str) -> Seen | None:
        nonlocal looked
        try:
            raw = tree.read(at, "") if looked < MAX_LOOKED else None
        except SubmissionFault as fault:
            return None if fault.ours else UNREADABLE
        if raw is None:
            return None
        looked += len(raw)
        return seen(raw, name)

    return look


def seen(raw: bytes, name: str) -> Seen:
    """Return what is seen of a file's content; `name` is that of one of the tasks' files."""
    text = raw.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
    left = left_to_write(text, name)
    try:
        decode_source(name, raw)
    except SubmissionFault:
        left = max(left, UNREADABLE.left)
    return Seen(digest, left)


def _is_untouched(found: Seen | None) -> bool:
    """Return whether nothing in a file is written yet, as far as it can be read."""
    return found is not None and found.left > MOST_FUNCTIONS


def _shown(folder: Parts, at: Parts) -> str:
    """Return the name of a folder inside a submission."""
    return one_line("/".join(folder[len(at) :]), 80) or "the top folder"
