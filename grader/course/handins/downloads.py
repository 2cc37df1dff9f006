"""Recognize the layout of a download, and find its submissions: the owner, time and place of each.

Owners are identified by the names that the platform gave to files and folders, or by its own list, never by
the content of a submitted file.
"""

import contextlib
import re
from collections.abc import Collection, Mapping
from functools import partial

from grader.course import store
from grader.course.handins.found import (
    Download,
    by_name,
    known_by_login,
    left_aside,
    matches_of,
    may_be_somebodys,
    stem,
    visible,
    with_hidden,
)
from grader.course.handins.listed_files import METADATA, SUBMISSION, classroom50, gradescope
from grader.course.handins.named_files import autolab, canvas, github, moodle
from grader.course.handins.roster import Roster
from grader.errors import InputError
from grader.safe_text import listed
from grader.submissions.archives import is_archive
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FILE, FOLDER, LINK, Parts, Tree, is_hidden
from grader.submissions.unpacked import UnpackedTree

# Names of folders that platforms or unpacking put around a download. A folder with any other name may be a
# student's, and its files may be named to look like a platform's.
_AROUND = re.compile(
    r"assignment_\d+_export|(.+-)?submissions( \(\d+\))?|.+_submissions_\d{4}(_\d\d){2}_T(_\d\d){3}"
)
_MOST_AROUND = 3
_AROUND_STUDENTS = "a folder around students' folders"
# Platforms whose downloads are not read, and what most names in them look like.
_NOT_READ = {
    "Brightspace": re.compile(r"\d+-\d+ - .+ - .+ \d{4} \d{1,4} [AP]M"),
    "Blackboard": re.compile(r".+_attempt_\d{4}(-\d\d){5}.*", re.S),
}


def recognize(tree: Tree, names: Collection[str], roster: Roster | None = None) -> Download:
    """Return the submissions in a download; its layout is recognized by the names in it.

    Raises:
        InputError: the download has no submissions or is one student's folder, or the platform's list of
            submissions cannot be read.
        SubmissionFault: a folder of the download cannot be read.
    """
    at: Parts = ()
    for _ in range(_MOST_AROUND):  # a download may be nested in folders
        entries = visible(tree, at)
        download = _of_a_platform(tree, at, entries, names, roster)
        if download:
            return with_hidden(tree, at, download)
        theirs = [name for name, kind in entries.items() if may_be_somebodys(tree, (*at, name), kind)]
        if len(theirs) != 1:
            break
        inside = (*at, *theirs)
        if entries[theirs[0]] != FOLDER:
            _check_archive(tree, inside, names, roster)
            break
        if not _is_around(tree, inside, names, roster):
            if not _is_on(roster, inside[-1]) and (seen := _looks_like(tree, inside, names)):
                raise InputError(
                    f"{tree.shown(inside)}: expected a student's folder, found what looks like {seen}",
                    "give that folder; if it is a student's, give a roster that has its name",
                )
            break
        at = inside
    return _plain(tree, at, names, roster)


def _check_archive(tree: Tree, at: Parts, names: Collection[str], roster: Roster | None) -> None:
    """Raise InputError if the only archive there holds a class, and is not a student's."""
    if _is_on(roster, stem(at[-1])):
        return
    inner, within = UnpackedTree(tree, frozenset(names)), at
    with contextlib.suppress(SubmissionFault):  # told when it is graded
        for _ in range(_MOST_AROUND):
            if seen := _looks_like(inner, within, names):
                raise InputError(
                    f"{tree.shown(at)}: expected a student's files, found what looks like {seen}",
                    "give that archive itself; if it is a student's, give a roster that has its name",
                )
            within = (*within, *list(visible(inner, within))[:1])


def _of_a_platform(
    tree: Tree, at: Parts, entries: Mapping[str, str], names: Collection[str], roster: Roster | None = None
) -> Download | None:
    others = (layout(tree, at, entries) for layout in (classroom50, partial(github, roster=roster)))
    named = _by_names(tree, at, entries, names, roster)
    return gradescope(tree, at, entries) or named or next(filter(None, others), None)


def _by_names(
    tree: Tree, at: Parts, entries: Mapping[str, str], names: Collection[str], roster: Roster | None
) -> Download | None:
    # A student's own files may be named to fit another platform's pattern; all fit that of the right one.
    named = [
        layout(tree, at, entries)
        for layout in (moodle, autolab, partial(canvas, wanted=names, roster=roster))
    ]
    return max(filter(None, named), key=lambda each: each.fits, default=None)


def _is_around(tree: Tree, at: Parts, names: Collection[str], roster: Roster | None) -> bool:
    """Return whether a folder certainly contains the students' folders, and is not one student's own."""
    if _holds(tree, at, names) or _is_on(roster, at[-1]):
        return False
    given = tree.shown(()).rpartition("/")[2].removesuffix(".zip")
    return at[-1] == given or bool(_AROUND.fullmatch(at[-1]))


def _is_on(roster: Roster | None, name: str) -> bool:
    return roster is not None and bool(roster.match([known_by_login(name)], []))


def _is_store(tree: Tree, at: Parts, names: Collection[str], roster: Roster | None) -> bool:
    """Return whether a folder has a store of results, as `grade class` makes it, and is not a student's."""
    return bool(tree.kind((*at, store.NAME))) and not _holds(tree, at, names) and not _is_on(roster, at[-1])


def _looks_like(tree: Tree, at: Parts, names: Collection[str]) -> str:
    """Return in words what a folder may be if it is not a student's; empty if it looks like a student's."""
    if _holds(tree, at, names):
        return ""
    with contextlib.suppress(SubmissionFault):  # reported when it is graded
        entries = visible(tree, at)
        if METADATA in entries:  # not read, since it may be anything
            return "a Gradescope download"
        if download := _of_a_platform(tree, at, entries, names):
            return download.layout
        if sum(may_be_somebodys(tree, (*at, name), kind) for name, kind in entries.items()) > 1:
            return _AROUND_STUDENTS
    return ""


def _check_sections(
    tree: Tree, theirs: Collection[Parts], names: Collection[str], roster: Roster | None
) -> None:
    """Raise InputError if most folders and archives are a section's, not a student's."""
    like: dict[Parts, str] = {}
    others = 0
    for place in theirs:
        if what := _section(tree, place, names, roster):
            like[place] = what
        else:
            others += 1
        if 2 * others >= len(theirs):  # a single student may hand in anything
            return
    if like:
        first, what = next(iter(like.items()))
        raise InputError(
            f"{tree.shown(first)}: expected a student's folder, found what looks like {what}",
            "grade each section by itself, or put all students' folders into one",
        )


def _section(tree: Tree, at: Parts, names: Collection[str], roster: Roster | None) -> str:
    """Return in words what a folder or an archive is if the names in it say that it is a section's."""
    if _is_on(roster, stem(at[-1])):
        return ""
    tree = UnpackedTree(tree, frozenset(names))
    with contextlib.suppress(SubmissionFault):
        for _ in range(_MOST_AROUND):
            entries = {name: kind for name, kind in tree.entries(at).items() if not is_hidden(name)}
            if sum(kind == FOLDER and _is_on(roster, name) for name, kind in entries.items()) > 1:
                return _AROUND_STUDENTS
            named = None if _holds(tree, at, names) else _by_names(tree, at, entries, names, roster)
            if named and len(named.found) > 1:
                return named.layout
            if len(entries) != 1:
                break
            at = (*at, *entries)
    return ""


def _plain(tree: Tree, at: Parts, names: Collection[str], roster: Roster | None) -> Download:
    entries = visible(tree, at)
    for platform, called in _NOT_READ.items():
        if matches_of(entries, called):
            raise InputError(
                f"{tree.shown(at)}: this looks like a download of {platform}, which is not read",
                "give each student a folder with their id as its name, and put their files there",
            )
    if _holds(tree, at, names):
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, found one student's files",
            "give the folder above it; to grade one student: grade all --student DIR",
        )
    found, aside, results = [], [], []
    for name, kind in entries.items():
        if kind == FOLDER and _is_store(tree, (*at, name), names, roster):
            results.append(name)
        elif kind in (FOLDER, LINK) or (kind == FILE and is_archive(name)):
            found.append(by_name(kind, (*at, name)))
        else:
            aside.append(name)
    _check_sections(tree, [each.place for each in found], names, roster)
    if not found:
        there = "other files" if tree.entries(at, 1) else "nothing"
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, or a download of Gradescope, Moodle, "
            f"Canvas, Autolab or Classroom 50; found {there}",
            "give each student a folder with their id as its name, or take the download as it comes",
        )
    notes = []
    spaced = [f"{name!r} (not {name.strip()})" for name in map(stem, entries) if name != name.strip()]
    if spaced:
        notes.append(f"spaces around a name are taken for part of it: {listed(spaced)}")
    notes = [*notes, *left_aside(aside, "no folder"), *left_aside(results, "a store of results is in it")]
    if all(map(SUBMISSION.fullmatch, entries)):
        notes.append(f"this looks like a Gradescope export without its {METADATA}: nobody's name is known")
    return with_hidden(tree, at, Download("a folder for each student", found, notes))


def _holds(tree: Tree, at: Parts, names: Collection[str]) -> bool:
    return any(tree.kind((*at, name)) or tree.kind((*at, "student", name)) for name in names)
