"""Recognize downloads whose files are named after their owners: Moodle, Canvas, Autolab, clones from GitHub.

Each layout is taken from the source code of the platform's own program:

- Moodle, "Download all submissions": mod/assign/locallib.php, and later mod/assign/classes/downloader.php.
- Canvas, "Download submissions": lib/content_zipper.rb; a suffix `-1` is from app/models/attachment.rb.
- Autolab, "Download all": `download_filename` in app/controllers/submissions_controller.rb.
- GitHub: clones in one folder, called by the assignment and the login, as GitHub Classroom made them until it
  closed in August 2026.
"""

import os
import re
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path

from grader.course.handins.found import (
    Download,
    Found,
    Person,
    by_name,
    known_by_login,
    left_aside,
    left_aside_but,
    matches_of,
    may_be_somebodys,
)
from grader.course.handins.moments import YEARS
from grader.course.handins.roster import Roster
from grader.safe_text import listed, one_line, shown_name, shown_text
from grader.sandbox.confine.limits import limited
from grader.submissions.archives import is_archive
from grader.submissions.source_file import SubmissionFault, read_raw
from grader.submissions.trees import FOLDER, LINK, Parts, Tree

# ---- Moodle ------------------------------------------------------------------------------------

# Moodle removes all underscores from names; in older versions a folder's name ends with an underscore.
_MOODLE = re.compile(
    r"(?P<name>[^_]*)_(?P<number>\d{1,18})_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?", re.S
)


def moodle(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Return the submissions if most names in the folder `at` follow Moodle's pattern, else None."""
    matches = matches_of(entries, _MOODLE)
    if not matches:
        return None
    folders: dict[Person, Parts] = {}
    files: dict[Person, dict[str, Parts]] = {}
    beside: list[str] = []  # a folder: what somebody unpacked there
    # after a group's name; that of all is no name, but `Participant` in some language
    names = {match["name"].rpartition("-")[2] for match in matches.values()}
    hidden = len(names) == 1 < len({match["number"] for match in matches.values()})
    for entry, match in matches.items():
        number = match["number"]
        name = "" if hidden else shown_name(match["name"])
        person = Person(name=name, number=number, platform_id=f"Participant {number}")
        own = files.setdefault(person, {})
        if match["plugin"] != "file":  # text typed into the page
            own[f"{match['plugin']}.html"] = (*at, entry)
        elif entries[entry] in (FOLDER, LINK):
            beside += [folders[person][-1]] if person in folders else []
            folders[person] = (*at, entry)
        elif match["file"]:
            own[match["file"]] = (*at, entry)
    found = [
        Found(person, folder=folders[person]) if person in folders else Found(person, files=[own])
        for person, own in files.items()
    ]
    others = [at[-1] for person in folders for at in files[person].values()]
    beside += [entry for entry in others if matches[entry]["plugin"] == "file"]
    notes = left_aside_but(matches, entries) + left_aside(beside, "beside a folder of the same student")
    return Download("a Moodle download", found, notes, fits=len(matches))


# ---- Canvas ------------------------------------------------------------------------------------

# Two consecutive numbers are Canvas's own: the user's and the file's. Text typed into the page has no file
# number. The first pattern is for anonymous assignments, of which all names fit it. In others the name before
# the numbers and the name of the file after them are the student's, and may have numbers, too; of a
# name without letters Canvas leaves nothing.
_CANVAS_FILE = r"(?:(?P<number>[0-9]{1,18})_(?=.)|(?:text|link)\.html\Z)"
_CANVAS_ANONYMOUS = re.compile(rf"(?P<late>LATE_)?(?P<user>anon_[A-Za-z0-9]+)_{_CANVAS_FILE}", re.S)
_CANVAS_NUMBERS = re.compile(rf"(?P<late>_LATE)?_(?=(?P<user>[0-9]{{1,18}})_{_CANVAS_FILE})", re.S)

_MOST_READINGS = 8  # of a name; one of hundreds of numbers must not take long
_Readings = list[tuple[Person, re.Match[str]]]


def canvas(
    tree: Tree,
    at: Parts,
    entries: Mapping[str, str],
    wanted: Collection[str] = (),
    roster: Roster | None = None,
) -> Download | None:
    """Return the submissions if most names in the folder `at` follow Canvas's pattern, else None.

    A name that can be read in several ways belongs to whom the roster confirms, otherwise to nobody.
    """
    names = [name for name, kind in entries.items() if kind != FOLDER]
    anonymous = all(map(_CANVAS_ANONYMOUS.match, names))
    readings = {name: read for name in names if (read := _canvas_readings(name, anonymous))}
    if 2 * len(readings) <= len(names):
        return None
    sure = {entry: read[0] for entry, read in readings.items() if len(read) == 1}
    plainly_named = {person.number for person, _ in sure.values()}
    for entry, several in readings.items():
        one = _the_one(several, roster) if entry not in sure else None
        if one is not None and one[0].number not in plainly_named:
            sure[entry] = one
    names_of: defaultdict[str, set[str]] = defaultdict(set)
    for person, _ in sure.values():
        names_of[person.number].add(person.name)
    files: dict[Person, dict[str, tuple[int, Parts]]] = {}
    late, of_two_names = set(), []
    for entry, (person, match) in sure.items():
        if len(names_of[person.number]) > 1:
            of_two_names.append(entry)
            continue
        own = files.setdefault(person, {})
        if match["late"]:
            late.add(person)
        if match["number"]:
            number, file = int(match["number"]), entry[match.end("number") + 1 :]
            if number > own.get(file, (-1, ()))[0]:  # uploaded later
                own[file] = (number, (*at, entry))
        else:  # text typed into the page
            own.setdefault(entry.rpartition("_")[2], (0, (*at, entry)))
    older: list[str] = []
    found = [
        Found(person, files=_last_first(own, wanted, older), late=person in late)
        for person, own in files.items()
    ]
    unsure = [entry for entry in readings if entry not in sure]
    notes = [
        *left_aside_but(readings, entries),
        *left_aside(
            unsure, "whose it is can be read in several ways, and the roster does not say which is right"
        ),
        *left_aside(of_two_names, "one user's number with two names"),
        *left_aside(older, "the same file was uploaded again, which is taken"),
    ]
    return Download("a Canvas download", found, notes, fits=len(readings))


def _last_first(
    files: Mapping[str, tuple[int, Parts]], wanted: Collection[str], older: list[str]
) -> list[dict[str, Parts]]:
    """Return the files, the last upload first, without the number that Canvas adds to a name used before.

    An archive is a group of its own, and files are one that were uploaded between two of them.

    A new download may have been unpacked over an old one. Of a wanted file only the last upload is taken, and
    the entries of the others are added to `older`. Where others would have one name, each keeps its own.
    """
    plain = {file: re.sub(r"-\d+(?=\.[^.]+$)", "", file) for file in files}
    times = Counter(plain.values())
    first: dict[str, Parts] = {}
    for file, (_, place) in sorted(files.items(), key=lambda each: each[1], reverse=True):
        name = plain[file] if plain[file] in wanted or times[plain[file]] == 1 else file
        if name in first:
            older.append(place[-1])
        else:
            first[name] = place
    groups = groupby(first, key=lambda name: name if is_archive(name) else "")
    return [{name: first[name] for name in group} for _, group in groups]


def _canvas_readings(entry: str, anonymous: bool) -> _Readings:
    """Return each way to read a file's name: the person, and the match; the longest name of a person last."""
    if anonymous:
        match = _CANVAS_ANONYMOUS.match(entry)
        return [(Person(number=match["user"]), match)] if match else []
    readings = []
    for match in islice(_CANVAS_NUMBERS.finditer(entry), _MOST_READINGS):
        name, number = shown_name(entry[: match.start()]), match["user"]
        readings.append((Person(name=name, number=number, platform_id=number), match))
    return readings


def _the_one(readings: _Readings, roster: Roster | None) -> tuple[Person, re.Match[str]] | None:
    """Return which of several readings is right; None if that is not sure.

    It is the last whose number is on the roster, if the name there is the same. No earlier one counts: a
    student's name may be another's with the other's number.
    """
    on_it = [each for each in readings if roster is not None and roster.by_number(each[0])]
    return on_it[-1] if roster is not None and on_it and roster.confirms(on_it[-1][0]) else None


# ---- Autolab -----------------------------------------------------------------------------------

_AUTOLAB = re.compile(r"(?P<email>[^@/]+@[^@_/]+)_(?P<number>\d{1,9})_(?P<file>.+)", re.S)


def autolab(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Return the submissions if most names in the folder `at` follow Autolab's pattern, else None."""
    matches = matches_of(entries, _AUTOLAB)
    if not matches:
        return None
    found = []
    for entry, match in matches.items():
        email = shown_text(match["email"])
        place = (*at, entry)
        is_folder = entries[entry] in (FOLDER, LINK)
        where = {"folder": place} if is_folder else {"files": [{match["file"]: place}]}
        found.append(Found(Person(email=email), number=int(match["number"]), **where))
    notes = left_aside_but(matches, entries)
    return Download("an Autolab download", found, notes, versions=True, fits=len(matches))


# ---- clones from GitHub ------------------------------------------------------------------------


def github(
    tree: Tree, at: Parts, entries: Mapping[str, str], roster: Roster | None = None
) -> Download | None:
    """Return the submissions in the folder `at` if most of what may be a student's are clones, else None.

    In a plain class folder a few students may have left their `.git`, so a few clones prove nothing. The
    hand-in times are those of the last commits, which come from the students' own clocks. What was mailed and
    lies beside the clones is the student's whose login it has as its name.
    """
    clones = [name for name in entries if tree.kind((*at, name, ".git")) == FOLDER]
    others = {name: kind for name, kind in entries.items() if name not in clones}
    mailed = [name for name, kind in others.items() if may_be_somebodys(tree, (*at, name), kind)]
    if len(clones) <= 3 * len(mailed):
        return None
    prefix = _assignment(clones, os.path.basename(tree.shown(at)).removesuffix(".zip"), roster)
    people = _logins(clones, prefix)
    places = {name: path for name in clones if (path := tree.path((*at, name)))}
    committed = last_commits(places.values())
    times = {name: committed[path] for name, path in places.items() if path in committed}
    found = [Found(person, (*at, name), handed_in=times.get(name)) for name, person in people.items()]
    found += [by_name(entries[name], (*at, name), prefix) for name in mailed]
    notes = left_aside([name for name in others if name not in mailed], "no clones")
    if mailed:
        notes.append(f"no clones, taken by their names: {listed(sorted(mailed))}")
    if times:
        notes.append("hand-in times are those of the last commits, by the students' own clocks: their claim")
    if prefix:
        notes.append(f"a student's login is what follows {one_line(prefix)} in the repository's name")
    return Download("a folder of clones", found, notes, claims=True)


def _assignment(clones: Sequence[str], around: str, roster: Roster | None) -> str:
    """Return what stands before the login, or the group, in the names of most clones.

    It is that behind which most are on the roster. If none is, the folder around them may say it, as
    `assignment-submissions` holds `assignment-login`, or it is the longest behind which two have a login.
    """
    named = [f"{name}-" for name in clones]  # the template's own may be called by the assignment alone
    begins = Counter(name[: dash.end()] for name in named for dash in re.finditer("^|-", name))
    shared = [begin for begin, times in begins.items() if 2 * times > len(clones)]
    known = {begin: _on_roster(_logins(clones, begin).values(), roster) if roster else 0 for begin in shared}
    said = around.removesuffix("submissions")
    best = max(shared, key=lambda begin: (known[begin], begin == said))
    if known[best] or (said and best == said):
        return best
    return "".join([begin for begin in shared if sum(name.startswith(begin) for name in clones) > 1][-1:])


def _on_roster(people: Collection[Person], roster: Roster) -> int:
    """Return how many of these are on the roster, or are groups of it."""
    matched = roster.match(people, [])
    return sum(each in matched or bool(roster.members(each)) for each in people)


def _logins(clones: Iterable[str], prefix: str) -> dict[str, Person]:
    """Return whose each clone is if its name is this and a login."""
    return {
        name: replace(known_by_login(name.removeprefix(prefix) or name), on_github=True) for name in clones
    }


# ---- when a clone was last committed to ---------------------------------------------------------

# The clone is not trusted. Its configuration could make git run a program of the student's choice, so git
# never reads it: git is given an empty repository of ours that borrows only the clone's objects.
MAX_COMMIT = 1 << 20  # bytes
SECONDS = 5.0  # for a clone; its objects may be anything, such as a pipe, at which git waits
CPU_S = 3
MEMORY_BYTES = 512 << 20  # of addresses
_WINDOW = "core.packedGitWindowSize=32m"  # of a pack, else git maps one of 1 GiB as a whole
_DIGEST = re.compile(rb"[0-9a-f]{40}")
_REF = re.compile(rb"ref: (refs/heads/[\w./+@-]+)\s*")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,12}) [+-]\d{4}$", re.M)


def last_commits(clones: Iterable[Path]) -> Mapping[Path, datetime]:
    """Return when the last commit of each clone was made, by the clock of whoever made it.

    Clones without a commit, or of another format, are left out; so are all if there is no git.
    """
    found = {}
    with tempfile.TemporaryDirectory() as ours:
        for folder in ("refs", "objects/info"):
            (Path(ours) / folder).mkdir(parents=True)
        (Path(ours) / "HEAD").write_text("ref: refs/heads/none\n")
        for clone in clones:
            git = clone.resolve() / ".git"
            digest = _head(git)
            if digest and "\n" not in str(git):
                (Path(ours) / "objects/info/alternates").write_bytes(os.fsencode(f"{git}/objects\n"))
                if moment := _committed(ours, digest):
                    found[clone] = moment
    return found


def _head(git: Path) -> str:
    """Return the digest of a clone's last commit; empty if it is not known."""
    head = _read(git / "HEAD")
    ref = _REF.fullmatch(head)
    if ref and b".." not in ref[1]:
        name = ref[1].decode()
        packed = re.search(rb"^([0-9a-f]{40}) " + re.escape(ref[1]) + rb"$", _read(git / "packed-refs"), re.M)
        head = _read(git / name) or (packed[1] if packed else b"")
    digest = head.strip()
    return digest.decode() if _DIGEST.fullmatch(digest) else ""


def _read(file: Path) -> bytes:
    try:
        return read_raw(file, "") or b""
    except SubmissionFault:
        return b""


def _committed(ours: str, digest: str) -> datetime | None:
    deadline = time.monotonic() + SECONDS
    size = _git(ours, deadline, "-s", digest)
    if not size.strip().isdigit() or int(size) > MAX_COMMIT:
        return None
    committer = _COMMITTER.search(_git(ours, deadline, "commit", digest).partition(b"\n\n")[0])
    if committer is None:
        return None
    moment = datetime.fromtimestamp(min(int(committer[1]), 10**10), UTC)
    return moment if moment.year in YEARS else None


def _git(ours: str, deadline: float, *arguments: str) -> bytes:
    """Return what `git cat-file` prints; empty if it fails, or takes too much."""
    safe = {"HOME": ours, "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_LAZY_FETCH": "1", "PATH": os.defpath}
    command = ["git", "-c", _WINDOW, "--git-dir", ours, "cat-file", *arguments]
    try:
        done = subprocess.run(
            limited(command, CPU_S, MEMORY_BYTES, MAX_COMMIT),
            env=safe,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=max(0.0, deadline - time.monotonic()),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
