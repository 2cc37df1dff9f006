"""Lay out a class's files for programs that look for copied code: compare50 and JPlag."""

import random
import re
from collections.abc import Iterable, Mapping

SUBMISSIONS, BASE = "submissions", "distro"
_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]")  # in a folder's name on some systems
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # reserved on Windows

README = """\
# Who has whose code?

`submissions/` has a folder for each student, with the files of one attempt. `distro/` is what everybody was given, the
stubs and the framework, which counts for nobody. Two programs are ready to compare them; type what follows in this
folder. Both compare on this machine; no file is sent anywhere.

compare50, from PyPI (`pip install compare50`); then open `compare50-report/index.html`:

    compare50 'submissions/*' -d 'distro/*' -o compare50-report

JPlag, a jar from its project's releases, with the Java that it asks for; then `java -jar jplag.jar jplag-report.jplag`.
A file in newer Python than it can read is left out, and named:

    java -jar jplag.jar --mode RUN -l python3 -bc distro -r jplag-report submissions

A program finds what is alike, and no more: short tasks have few good answers. Look yourself, and ask the students.
Under pseudonyms, too, names may stand in the files, in comments above all.
"""  # noqa: E501 - a page is not wrapped for this file


def similarity_files(
    sources: Iterable[tuple[str, Mapping[str, str]]], base: Mapping[str, str]
) -> dict[str, str]:
    """Return the text of each file of the layout by its name.

    Args:
        sources: for each student's folder (see `folder_names` and `pseudonyms`), the files by name. Students
            without files are left out.
        base: the files that everybody was given, by name.
    """
    files = {
        f"{SUBMISSIONS}/{folder}/{name}": text for folder, texts in sources for name, text in texts.items()
    }
    files |= {f"{BASE}/{name}": text for name, text in base.items()}
    return {**files, "README.md": README}


def base_files(release: Mapping[str, str]) -> dict[str, str]:
    """Return the code that students are given and may hand in unchanged: the stubs and the framework.

    Args:
        release: the text of each file of the release by its name.
    """
    rooms = ("student/", "framework/")
    return {name.removeprefix("student/"): text for name, text in release.items() if name.startswith(rooms)}


def folder_names(ids: Iterable[str]) -> dict[str, str]:
    """Return a name for each student's folder: the id, without what folder names cannot have."""
    names: dict[str, str] = {}
    taken: set[str] = set()  # in lower case, since some systems ignore case
    for each in ids:
        safe = _UNSAFE.sub("_", each).strip(".") or "_"
        safe = f"_{safe}" if safe.startswith("-") or _RESERVED.fullmatch(safe) else safe[:100]
        name, number = safe, 1
        while name.lower() in taken:
            number += 1
            name = f"{safe}-{number}"
        taken.add(name.lower())
        names[each] = name
    return names


def pseudonyms(ids: Iterable[str]) -> dict[str, str]:
    """Return a random pseudonym for each student, which neither their order nor another run reveals."""
    shuffled = list(ids)
    random.SystemRandom().shuffle(shuffled)
    digits = len(str(len(shuffled)))
    return {each: f"student-{number:0{digits}}" for number, each in enumerate(shuffled, 1)}
