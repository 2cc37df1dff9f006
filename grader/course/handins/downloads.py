"""Tell what kind of download a folder is, and find the submissions in it: whose each is, when, and where.

Who somebody is comes from the names that the platform gave to files and folders, or from its own list; never
from inside a submitted file. Each layout is as the platform's own program writes it:

- Gradescope, "Export submissions": `assignment_N_export/submission_NNN/...` and `submission_metadata.yml`. No
  help page describes that file; public programs that read it agree on `:submitters`, `:created_at` and
  `:history`.
- Moodle, "Download all submissions": mod/assign/locallib.php, and later mod/assign/classes/downloader.php.
- Canvas, "Download submissions": lib/content_zipper.rb; the `-1` of a name is from app/models/attachment.rb.
- Autolab, "Download all": `download_filename` in app/controllers/submissions_controller.rb.
- GitHub Classroom: `gh classroom clone student-repos`, in cmd/gh-classroom/clone of github/gh-classroom.
"""

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import yaml

from grader.course import store
from grader.course.handins.archives import FILE, FOLDER, LINK, NOTHING, Parts, Tree, is_archive, is_junk
from grader.errors import InputError
from grader.safe_text import one_line
from grader.submission import SubmissionFault

METADATA = "submission_metadata.yml"
MAX_METADATA = 512 << 20  # bytes; Gradescope writes what the autograder printed into it
MAX_LEVELS = 100


@dataclass(frozen=True)
class Person:
    """Somebody who handed in, as the platform knows them.

    Attributes:
        login: the id by which students know themselves: a student number, a login, an e-mail; or empty.
        name: as the platform shows or squeezes it, or empty.
        email: or empty.
        number: the platform's own number for them, or empty.
        platform_id: that number as the platform's gradebook writes it, or empty.
    """

    login: str = ""
    name: str = ""
    email: str = ""
    number: str = ""
    platform_id: str = ""

    @property
    def id(self) -> str:
        """What tells them from others where there is no roster."""
        return self.login or self.email or self.number or self.name


@dataclass(frozen=True)
class Found:
    """A submission in a download.

    Attributes:
        person: whose it is.
        folder: its folder, or None where a download has no folders.
        files: then where each of its files is, by the name that the student gave it.
        number: the platform's number of the attempt, or 0.
        handed_in: when, in UTC, or None.
        late: whether the platform marked it late.
    """

    person: Person
    folder: Parts | None = None
    files: Mapping[str, Parts] = field(default_factory=dict)
    number: int = 0
    handed_in: datetime | None = None
    late: bool = False

    @property
    def place(self) -> Parts:
        """The folder, or one of the files."""
        return self.folder if self.folder is not None else next(iter(self.files.values()), ())


@dataclass(frozen=True)
class Download:
    """All submissions of a download.

    Attributes:
        layout: what it was taken for.
        found: the submissions.
        notes: what an instructor should know about it.
        versions: whether the platform keeps several submissions of one student.
    """

    layout: str
    found: list[Found]
    notes: list[str]
    versions: bool = False


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
        entries = _visible(tree, at)
        for layout in (_gradescope, _moodle, _autolab, _canvas, _github):
            download = layout(tree, at, entries)
            if download is not None:
                return download
        if list(entries.values()) != [FOLDER]:
            break
        at = (*at, *entries)
    return _plain(tree, names)


# ---- a folder a student ------------------------------------------------------------------------


def _plain(tree: Tree, names: Collection[str]) -> Download:
    at: Parts = ()
    entries = _visible(tree, at)
    if _holds(tree, at, names):
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, found one student's files",
            "give the folder above it; to grade one student: grade all --student DIR",
        )
    if list(entries.values()) == [FOLDER]:
        inside = (*at, *entries)
        below = _visible(tree, inside)
        if len(below) > 1 and not _holds(tree, inside, names):  # it is around the students' folders
            at, entries = inside, below
    found, aside, results = [], [], []
    for name, kind in entries.items():
        if kind == FOLDER and tree.kind((*at, name, store.NAME)):
            results.append(name)
        elif kind in (FOLDER, LINK):
            found.append(Found(_known_by_login(name), folder=(*at, name)))
        elif kind == FILE and is_archive(name):
            person = _known_by_login(re.sub(r"(\.tar)?\.[^.]*$", "", name))
            found.append(Found(person, files={name: (*at, name)}))
        else:
            aside.append(name)
    if not found:
        raise InputError(
            f"{tree.shown(at)}: expected a folder for each student, or a download of Gradescope, Moodle, "
            f"Canvas, Autolab or GitHub Classroom; found {'other files' if aside else 'nothing'}",
            "give each student a folder with their id as its name, or take the download as it comes",
        )
    notes = [*_left_aside(aside, "no folder"), *_left_aside(results, "a store of results is in it")]
    if all(re.fullmatch(r"submission_\d+", name) for name in entries):
        notes.append(f"this looks like a Gradescope export without its {METADATA}: nobody's name is known")
    return Download("a folder for each student", found, notes)


def _holds(tree: Tree, at: Parts, names: Collection[str]) -> bool:
    return any(tree.kind((*at, name)) or tree.kind((*at, "student", name)) for name in names)


def _known_by_login(name: str) -> Person:
    return Person(login=_text(name))


# ---- Gradescope --------------------------------------------------------------------------------


def _gradescope(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    if entries.get(METADATA) != FILE:
        return None
    found = []
    listed_there = _metadata(tree, (*at, METADATA))
    for key, told in listed_there.items():
        attempts = [
            *((f"submission_{each.get(':id')}", _utc(each.get(":created_at", ""))) for each in told.history),
            (key, _utc(told.created_at)),
        ]
        if all(handed_in for _, handed_in in attempts):  # the active one need not be the last
            attempts.sort(key=lambda attempt: attempt[1] or _NEVER)
        for number, (name, handed_in) in enumerate(attempts, 1):
            if name != key and (name in listed_there or name not in entries):
                continue  # most exports have the files of the active submission only
            folder = (*at, name) if name in entries else None
            for person in told.people or [Person(login=_text(key))]:
                found.append(Found(person, folder, number=number, handed_in=handed_in))
    taken = {METADATA, *(each.place[-1] for each in found if each.place)}
    aside = [name for name in entries if name not in taken]
    notes = _left_aside(aside, f"not in {METADATA}")
    nobodys = [key for key, told in listed_there.items() if not told.people]
    if nobodys:
        notes.append(f"whose they are is not in {METADATA}: {listed(nobodys)}")
    return Download("a Gradescope download", found, notes, versions=True)


@dataclass
class _Told:
    """What Gradescope tells of one submission."""

    created_at: str = ""
    submitters: dict[int, dict[str, str]] = field(default_factory=dict)
    earlier: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        return [
            Person(
                login=_text(each.get(":sid", "")),
                name=_text(each.get(":name", "")),
                email=_text(each.get(":email", "")),
            )
            for each in self.submitters.values()
            if any(each.get(key) for key in (":sid", ":name", ":email"))
        ]

    @property
    def history(self) -> list[dict[str, str]]:
        return list(self.earlier.values())


def _metadata(tree: Tree, at: Parts) -> dict[str, _Told]:
    """Return what Gradescope's list tells of each submission.

    Raises:
        InputError: it cannot be read, or lists nothing.
    """
    place = tree.shown(at)
    help = "export the submissions again, and leave that file as it is"
    told: dict[str, _Told] = {}
    try:
        raw = tree.read(at, place, MAX_METADATA) or b""
        for path, text in _values(raw.decode("utf-8-sig")):
            match path, text:
                case (str(submission),), None:
                    told.setdefault(submission, _Told())
                case (str(submission), ":created_at"), str(text):
                    told[submission].created_at = text
                case (str(submission), ":submitters", int(index), str(key)), str(text):
                    told[submission].submitters.setdefault(index, {})[key] = text
                case (str(submission), ":history", int(index), str(key)), str(text):
                    told[submission].earlier.setdefault(index, {})[key] = text
    except SubmissionFault as fault:
        raise InputError(fault.message, help) from None
    except UnicodeDecodeError:
        raise InputError(f"{place}: expected UTF-8 text", help) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise InputError(f"{place}{line}: {getattr(error, 'problem', None) or 'not YAML'}", help) from None
    if not told:
        raise InputError(f"{place}: expected a submission, found none", help)
    return told


def _values(text: str) -> Iterator[tuple[tuple[str | int, ...], str | None]]:
    """Yield the values of a YAML text, each with the keys and indexes that lead to it.

    A scalar is a plain text; a list or mapping is None and comes before what is in it. No object is built, so
    that neither a tag nor an alias can do anything.

    Raises:
        yaml.YAMLError: it is not YAML, or too deep.
    """
    path: list[str | int | None] = []  # through the open collections; None where a mapping waits for its key
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and len(path) <= 4:
            place = tuple(part for part in path if part is not None)
            if len(place) == len(path):
                yield place, event.value if isinstance(event, yaml.ScalarEvent) else None
        if isinstance(event, yaml.CollectionStartEvent):
            if len(path) == MAX_LEVELS:  # the time to read it grows with the square
                raise yaml.YAMLError
            path.append(None if isinstance(event, yaml.MappingStartEvent) else 0)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            path.pop()
        elif not isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            continue  # where the text begins and ends
        if not path:
            continue
        match path[-1]:
            case None:  # that was a key
                path[-1] = event.value if isinstance(event, yaml.ScalarEvent) else ""
            case int(index):
                path[-1] = index + 1
            case _:
                path[-1] = None


_NEVER = datetime.min.replace(tzinfo=UTC)


def _utc(text: str) -> datetime | None:
    """Return a time as Ruby writes it, `2026-04-26 17:34:00.861687000 Z`; None where it has no zone."""
    try:
        time = datetime.fromisoformat(re.sub(r"\s+(?=(?:Z|[+-]\d\d:?\d\d)$)", "", text.strip()))
    except ValueError:
        return None
    return time.astimezone(UTC) if time.tzinfo else None


# ---- Moodle ------------------------------------------------------------------------------------

# Moodle takes every underscore out of a name; in older versions a folder's name ends with another one.
_MOODLE = re.compile(
    r"(?P<name>[^_]*)_(?P<number>\d{1,18})_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?", re.S
)


def _moodle(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    matches = _matches(entries, _MOODLE)
    if not matches:
        return None
    folders: dict[Person, Parts] = {}
    files: dict[Person, dict[str, Parts]] = {}
    for entry, match in matches.items():
        number = match["number"]
        person = Person(name=_text(match["name"]), number=number, platform_id=f"Participant {number}")
        own = files.setdefault(person, {})
        if match["plugin"] != "file":
            continue  # what was typed into the page
        if entries[entry] in (FOLDER, LINK):
            folders[person] = (*at, entry)
        elif match["file"]:
            own[match["file"]] = (*at, entry)
    found = [
        Found(person, folder=folders[person]) if person in folders else Found(person, files=own)
        for person, own in files.items()
    ]
    return Download("a Moodle download", found, _left_aside_but(matches, entries))


# ---- Canvas ------------------------------------------------------------------------------------

# Canvas takes `_digits_` out of a name, so the first two numbers in a row are its own: the user's and the
# file's. What was typed into the page has no file's number. The first pattern is an anonymous assignment's.
_CANVAS_FILE = r"(?:(?P<number>\d{1,18})_(?P<file>.+)|text\.html|link\.html)"
_CANVAS = (
    re.compile(rf"(?P<name>)(?P<late>LATE_)?(?P<user>anon_[A-Za-z0-9]+)_{_CANVAS_FILE}", re.S),
    re.compile(rf"(?P<name>.+?)_(?P<late>LATE_)?(?P<user>\d{{1,18}})_{_CANVAS_FILE}", re.S),
)


def _canvas(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    matches = _matches(entries, *_CANVAS)
    if not matches:
        return None
    files: dict[Person, dict[str, tuple[int, Parts]]] = {}
    late = set()
    for entry, match in matches.items():
        person = Person(name=_text(match["name"]), number=match["user"], platform_id=match["user"])
        own = files.setdefault(person, {})
        if match["late"]:
            late.add(person)
        if match["file"]:
            number, name = int(match["number"]), re.sub(r"-\d+(?=\.[^.]+$)", "", match["file"])
            if number > own.get(name, (-1, ()))[0]:  # the one that was uploaded last
                own[name] = (number, (*at, entry))
    found = [
        Found(person, files={name: place for name, (_, place) in own.items()}, late=person in late)
        for person, own in files.items()
    ]
    return Download("a Canvas download", found, _left_aside_but(matches, entries))


# ---- Autolab -----------------------------------------------------------------------------------

_AUTOLAB = re.compile(r"(?P<email>[^@/]+@[^@_/]+)_(?P<number>\d{1,9})_(?P<file>.+)", re.S)


def _autolab(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    matches = _matches(entries, _AUTOLAB)
    if not matches:
        return None
    found = []
    for entry, match in matches.items():
        email = _text(match["email"])
        place = (*at, entry)
        where = {} if entries[entry] in (FOLDER, LINK) else {match["file"]: place}
        folder = None if where else place
        found.append(Found(Person(email=email), folder, where, number=int(match["number"])))
    return Download("an Autolab download", found, _left_aside_but(matches, entries), versions=True)


# ---- GitHub Classroom --------------------------------------------------------------------------


def _github(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Find clones of repositories, called after the assignment and the student.

    When a commit was made is what its author's clock said, and the log of a clone has the time of cloning, so
    neither says when something was handed in. `.git` is not read at all: git itself could be made to run a
    program of a student's choice, by a repository's own configuration.
    """
    repositories = [name for name, kind in entries.items() if kind == FOLDER]
    clones = [name for name in repositories if tree.kind((*at, name, ".git")) == FOLDER]
    if not clones or 2 * len(clones) < len(repositories):
        return None
    around = os.path.basename(tree.shown(at)).removesuffix(".zip")
    prefix = around.removesuffix("submissions")  # `assignment-submissions` holds `assignment-login`
    if prefix == around or not _all_begin(clones, prefix):
        begins = [clones[0][: dash.end()] for dash in re.finditer("-", clones[0])] if len(clones) > 1 else []
        prefix = next((each for each in reversed(begins) if _all_begin(clones, each)), "")
    found = [
        Found(_known_by_login(name.removeprefix(prefix) or name), folder=(*at, name)) for name in repositories
    ]
    notes = _left_aside(set(entries) - set(repositories), "no clones")
    if prefix:
        notes.append(f"a student's login is what follows {one_line(prefix)} in the repository's name")
    return Download("a GitHub Classroom download", found, notes)


def _all_begin(names: Collection[str], prefix: str) -> bool:
    return all(name.startswith(prefix) for name in names)


# ---- names -------------------------------------------------------------------------------------


def _visible(tree: Tree, at: Parts) -> dict[str, str]:
    """Return all entries of a folder but what systems leave behind."""
    if tree.kind(at) == NOTHING:
        return {}
    return {name: kind for name, kind in tree.entries(at, None).items() if not is_junk(name)}


def _matches(entries: Collection[str], *patterns: re.Pattern[str]) -> dict[str, re.Match[str]]:
    """Return the entries whose whole name a platform made; none where these are not the most."""
    found = {name: next(filter(None, (each.fullmatch(name) for each in patterns)), None) for name in entries}
    matches = {name: match for name, match in found.items() if match}
    return matches if 2 * len(matches) > len(entries) else {}


def _left_aside_but(taken: Collection[str], entries: Mapping[str, str]) -> list[str]:
    return _left_aside(
        [name for name in entries if name not in taken], "not named as the platform names them"
    )


def _left_aside(names: Collection[str], why: str) -> list[str]:
    if not names:
        return []
    return [f"left aside, {why}: {listed(sorted(names))}"]


def listed(names: Collection[str], most: int = 5) -> str:
    """Return names for a line of text, the first few of many."""
    first = ", ".join(one_line(_text(name), 60) for name in list(names)[:most])
    return first if len(names) <= most else f"{first} and {len(names) - most:,} more"


def _text(name: str) -> str:
    """Return a name as text that can be written anywhere, on one line, in the form that most programs use."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    text = unicodedata.normalize("NFC", text)
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text.strip() or text)
