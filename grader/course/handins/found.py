"""Define the record of a submission found in a download, and helpers for the names in a download."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader.course import store
from grader.safe_text import listed, shown_text
from grader.submissions.archives import is_archive
from grader.submissions.trees import FILE, FOLDER, LINK, NOTHING, Parts, Tree, is_hidden, is_junk


@dataclass(frozen=True)
class Person:
    """A person who handed something in, as the platform knows them."""

    login: str = ""  # the id that students use: a student number, a login or an e-mail address; or empty
    name: str = ""
    email: str = ""
    number: str = ""
    platform_id: str = ""  # that number as the platform's gradebook writes it, or empty
    # whether the login is for GitHub; it is freely chosen, so it may equal another student's id
    on_github: bool = False

    @property
    def id(self) -> str:
        """The id that identifies them if there is no roster."""
        return self.login or self.email or self.number or self.name

    @property
    def account(self) -> str:
        """The account they sign in with, if known; unlike an id, they cannot change it to somebody else's."""
        return (self.email or self.number or self.name or self.login).casefold()


@dataclass(frozen=True)
class Found:
    """A submission in a download."""

    person: Person
    folder: Parts | None = None
    # if there is no folder, groups of files, the first of which counts first: the path of each file, by the
    # name that the student gave it
    files: Sequence[Mapping[str, Parts]] = ()
    number: int = 0  # the platform's number for the attempt, or 0
    handed_in: datetime | None = None
    late: bool = False

    @property
    def place(self) -> Parts:
        """The folder, or one of the files if there is no folder."""
        if self.folder is not None:
            return self.folder
        return next((at for group in self.files for at in group.values()), ())


@dataclass(frozen=True)
class Download:
    """All submissions in a download."""

    layout: str
    found: list[Found]
    notes: list[str]
    versions: bool = False  # whether the platform keeps several submissions of one student
    claims: bool = False  # whether the times are what students' own machines say
    fits: int = 0  # how many entries are named as the platform names them; 0 if it does not go by names


# ---- names -------------------------------------------------------------------------------------


def visible(tree: Tree, at: Parts) -> dict[str, str]:
    """Return the entries of a folder that are not hidden."""
    if tree.kind(at) == NOTHING:
        return {}
    return {name: kind for name, kind in tree.entries(at, None).items() if not is_hidden(name)}


def with_hidden(tree: Tree, at: Parts, download: Download) -> Download:
    """Return the download with notes on what is in the folders around it, and on its own hidden entries."""
    hidden, around = [], []
    for depth in range(len(at) + 1):
        for name, kind in tree.entries(at[:depth], None).items():
            if is_hidden(name):
                hidden += [name] * (not is_junk(name, kind))
            elif depth < len(at) and name != at[depth]:
                around.append(name)
    notes = [*left_aside(hidden, "hidden"), *left_aside(around, "not in the folder of the class")]
    notes += [*left_aside(tree.nowhere, "no name of a file")]
    return replace(download, notes=[*download.notes, *notes])


def may_be_somebodys(tree: Tree, at: Parts, kind: str) -> bool:
    """Return whether an entry of a class's folder may be a student's.

    Archives, folders and links may be, but not a folder with a store of results. Other files may not.
    """
    if kind == FILE:
        return is_archive(at[-1])
    return kind in (FOLDER, LINK) and not tree.kind((*at, store.NAME))


def matches_of(entries: Collection[str], *patterns: re.Pattern[str]) -> dict[str, re.Match[str]]:
    """Return the match of each entry that fits one of the patterns; empty unless most entries fit one."""
    found = {name: next(filter(None, (each.fullmatch(name) for each in patterns)), None) for name in entries}
    matches = {name: match for name, match in found.items() if match}
    return matches if 2 * len(matches) > len(entries) else {}


def left_aside_but(taken: Collection[str], entries: Mapping[str, str]) -> list[str]:
    """Return a note that lists the ignored entries: all but those in `taken`; empty if there are none."""
    return left_aside([name for name in entries if name not in taken], "not named as the platform names them")


def left_aside(names: Collection[str], why: str) -> list[str]:
    """Return a note that lists ignored names and says why; empty if there are none."""
    if not names:
        return []
    return [f"left aside, {why}: {listed(sorted(names))}"]


def stem(name: str) -> str:
    """Return a name without the ending of an archive, if it has one."""
    return re.sub(r"(\.tar)?\.[^.]*$", "", name) if is_archive(name) else name


def by_name(kind: str, at: Parts, prefix: str = "") -> Found:
    """Return a submission that is known by the name of its folder or archive alone, without a prefix."""
    name = at[-1].removeprefix(prefix) or at[-1]
    if kind == FILE:
        return Found(known_by_login(stem(name)), files=[{at[-1]: at}])
    return Found(known_by_login(name), folder=at)


def known_by_login(name: str) -> Person:
    """Return a person of whom only the login is known.

    Spaces around it are kept, in quotes: `x` and `x ` may be two students.
    """
    return Person(login=shown_text(name if name == name.strip() else repr(name)))
