"""Tell what kind of download a folder is, and find the submissions in it: whose each is, when, and where.

Who somebody is comes from the names that the platform gave to files and folders, or from its own list; never
from inside a submitted file.
"""

import re
from collections.abc import Collection

from grader.course import store
from grader.course.handins.archives import FILE, FOLDER, LINK, Parts, Tree, is_archive
from grader.course.handins.found import Download, Found, known_by_login, left_aside, visible, with_hidden
from grader.course.handins.gradescope import METADATA, gradescope
from grader.course.handins.named_files import autolab, canvas, github, moodle
from grader.errors import InputError


def recognise(tree: Tree, names: Collection[str]) -> Download:
    """Return the submissions in a download, whose layout is recognised by its names.

    Args:
        tree: what was downloaded.
        names: the files of all tasks.

    Raises:
        InputError: it holds no submissions, is the folder of one student, or its list cannot be read.
        SubmissionFault: its folder cannot be read.
    """
    at: Parts = ()
    for _ in range(3):  # a download may be in a folder of its own, and that in another
        entries = visible(tree, at)
        for layout in (gradescope, moodle, autolab, canvas, github):
            download = layout(tree, at, entries)
            if download is not None:
                return with_hidden(tree, at, download)
        if list(entries.values()) != [FOLDER]:
            break
        at = (*at, *entries)
    return _plain(tree, names)


def _plain(tree: Tree, names: Collection[str]) -> Download:
    at: Parts = ()
    entries = visible(tree, at)
    if _holds(tree, at, names):
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, found one student's files",
            "give the folder above it; to grade one student: grade all --student DIR",
        )
    if list(entries.values()) == [FOLDER]:
        inside = (*at, *entries)
        below = visible(tree, inside)
        if len(below) > 1 and not _holds(tree, inside, names):  # it is around the students' folders
            at, entries = inside, below
    found, aside, results = [], [], []
    for name, kind in entries.items():
        if kind == FOLDER and tree.kind((*at, name, store.NAME)):
            results.append(name)
        elif kind in (FOLDER, LINK):
            found.append(Found(known_by_login(name), folder=(*at, name)))
        elif kind == FILE and is_archive(name):
            person = known_by_login(re.sub(r"(\.tar)?\.[^.]*$", "", name))
            found.append(Found(person, files={name: (*at, name)}))
        else:
            aside.append(name)
    if not found:
        there = "other files" if tree.entries(at, 1) else "nothing"
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, or a download of Gradescope, Moodle, "
            f"Canvas, Autolab or GitHub Classroom; found {there}",
            "give each student a folder with their id as its name, or take the download as it comes",
        )
    notes = [*left_aside(aside, "no folder"), *left_aside(results, "a store of results is in it")]
    if all(re.fullmatch(r"submission_\d+", name) for name in entries):
        notes.append(f"this looks like a Gradescope export without its {METADATA}: nobody's name is known")
    return with_hidden(tree, at, Download("a folder for each student", found, notes))


def _holds(tree: Tree, at: Parts, names: Collection[str]) -> bool:
    return any(tree.kind((*at, name)) or tree.kind((*at, "student", name)) for name in names)
