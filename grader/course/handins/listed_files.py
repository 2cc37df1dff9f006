"""Recognize downloads with the platform's own list of submissions: Gradescope's and Classroom 50's.

- Gradescope, "Export submissions": `assignment_N_export/submission_NNN/...` and `submission_metadata.yml`.
  That file is undocumented; public programs agree on `:submitters`, `:created_at` and `:history`.
- Classroom 50, `gh teacher download`: a clone for each student, and `scores.csv`. After
  cli/gh-teacher/internal/download/download.go of https://github.com/foundation50/classroom50: a clone is
  called `CLASSROOM-ASSIGNMENT-LOGIN`, and `scores.csv` beside the clones has a row for each submission, the
  newest with the latest time. The clones hold the newest files only, so each student has one attempt. A clone
  also has Classroom 50's `result.json` and `results.json`; they are in the student's folder and are not read.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import yaml

from grader import paths
from grader.course.handins.found import Download, Found, Person, left_aside, matches_of
from grader.course.handins.moments import NEVER, moment
from grader.errors import InputError
from grader.safe_text import listed, shown_name, shown_text
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FILE, FOLDER, Parts, Tree

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_\d+")
MAX_METADATA = 512 << 20  # bytes; it contains the autograder's output
MAX_LEVELS = 100


def gradescope(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Return the submissions that Gradescope's list names.

    None if the folder `at` has no such list, or if most of it is not called as Gradescope calls submissions.
    """
    others = entries.keys() - {METADATA}
    if entries.get(METADATA) != FILE or (others and not matches_of(others, SUBMISSION)):
        return None
    found = []
    listed_there = _metadata(tree, (*at, METADATA))
    for key, told in listed_there.items():
        attempts = [
            (f"submission_{each.get(':id')}", moment(each.get(":created_at", "")))
            for each in told.earlier.values()
        ]
        attempts.append((key, moment(told.created_at)))
        if all(handed_in for _, handed_in in attempts):  # the active submission need not be the last
            attempts.sort(key=lambda attempt: attempt[1] or NEVER)
        for number, (name, handed_in) in enumerate(attempts, 1):
            if name != key and (name in listed_there or name not in entries):
                continue  # most exports have only the files of the active submission
            folder = (*at, name) if name in entries else None
            for person in told.people or [Person(login=shown_text(key))]:
                found.append(Found(person, folder, number=number, handed_in=handed_in))
    taken = {METADATA, *(each.place[-1] for each in found if each.place)}
    aside = [name for name in entries if name not in taken]
    notes = left_aside(aside, f"not in {METADATA}")
    nobodys = [key for key, told in listed_there.items() if not told.people]
    if nobodys:
        notes.append(f"whose they are is not in {METADATA}: {listed(nobodys)}")
    return Download("a Gradescope download", found, notes, versions=True)


@dataclass
class _Told:
    """The entry of one submission in Gradescope's list."""

    created_at: str = ""
    submitters: dict[int, dict[str, str]] = field(default_factory=dict)
    earlier: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        return [
            Person(
                login=shown_text(each.get(":sid", "")),
                name=shown_name(each.get(":name", "")),
                email=shown_text(each.get(":email", "")),
            )
            for each in self.submitters.values()
            if any(each.get(key) for key in (":sid", ":name", ":email"))
        ]


def _metadata(tree: Tree, at: Parts) -> dict[str, _Told]:
    """Return the entries of Gradescope's list by submission."""
    place = tree.shown(at)
    help = "export the submissions again, and leave that file as it is"
    told: dict[str, _Told] = {}
    try:
        raw = _list(tree, at, place, MAX_METADATA)
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


def _list(tree: Tree, at: Parts, place: str, most: int) -> bytes:
    """Return the content of a platform's list, which says whose the submissions are."""
    file = tree.path(at)
    if file and (why := paths.foreign(file, of_group=True)):
        raise InputError(why, "remove it, or download the submissions into a folder of your own")
    return tree.read(at, place, most) or b""


def _values(text: str) -> Iterator[tuple[tuple[str | int, ...], str | None]]:
    """Yield the values of a YAML text, each with the keys and indexes that lead to it.

    A scalar is plain text; a list or mapping is None and comes before its content. No object is built, so
    tags and aliases have no effect.

    Raises:
        yaml.YAMLError: the text is not YAML, or is nested too deeply.
    """
    path: list[str | int | None] = []  # through the open collections; None where a mapping waits for its key
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and len(path) <= 4:
            place = tuple(part for part in path if part is not None)
            if len(place) == len(path):
                yield place, event.value if isinstance(event, yaml.ScalarEvent) else None
        if isinstance(event, yaml.CollectionStartEvent):
            if len(path) == MAX_LEVELS:  # reading time grows with the square of the depth
                raise yaml.YAMLError
            path.append(None if isinstance(event, yaml.MappingStartEvent) else 0)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            path.pop()
        elif not isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            continue  # the beginning or end of the text
        if not path:
            continue
        match path[-1]:
            case None:  # that was a key
                path[-1] = event.value if isinstance(event, yaml.ScalarEvent) else ""
            case int(index):
                path[-1] = index + 1
            case _:
                path[-1] = None


SCORES = "scores.csv"
MAX_SCORES = 64 << 20  # bytes
_COLUMNS = ("username", "datetime", "submission_tag")
_HELP = f"download the submissions again, and leave {SCORES} as it is; or remove it, and no time is known"


def classroom50(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Return the submissions if the folder `at` holds clones and Classroom 50's list of scores, else None."""
    clones = [name for name in entries if tree.kind((*at, name, ".git")) == FOLDER]
    if not clones or entries.get(SCORES) != FILE:
        return None
    rows = _rows(tree, (*at, SCORES))
    if rows is None:
        return None
    newest: dict[str, dict[str, str]] = {}
    for row in rows:
        login = row["username"]
        if login and row["datetime"] >= newest.get(login, {"datetime": ""})["datetime"]:
            newest[login] = row
    prefixes = _prefixes(clones, newest)
    known = {f"{prefixes[0]}{login.casefold()}": row for login, row in newest.items()} if prefixes else {}
    found, nobodys = [], []
    for clone in clones:
        row = known.get(clone.casefold(), {}) if len(prefixes) == 1 else {}
        if not row:
            nobodys.append(clone)
            continue
        name = f"{row.get('first_name', '')} {row.get('last_name', '')}".strip()
        person = Person(row["username"], name, row.get("email", ""), on_github=True)
        late = row.get("late") == "true"
        found.append(Found(person, (*at, clone), handed_in=moment(row["datetime"]), late=late))
    several = f"which part of the name is the login can be read in {len(prefixes)} ways"
    notes = left_aside(nobodys, several if len(prefixes) > 1 else f"not in {SCORES}")
    with_clone = {each.person.login for each in found}
    without = [login for login, row in newest.items() if row["submission_tag"] and login not in with_clone]
    if without:
        notes.append(f"in {SCORES} with a submission, but without a clone: {listed(sorted(without))}")
    notes.append("times are those of the commits, which are what a student's own machine says")
    return Download("a Classroom 50 download", found, notes, claims=True)


def _prefixes(clones: Collection[str], logins: Collection[str]) -> list[str]:
    """Return what stands before the login in the names of most clones; several if as many have each.

    It is one for all clones: otherwise `cs-hw-ann` would belong to the login `hw-ann` rather than to `ann`.
    """
    ends = {login.casefold() for login in logins}
    names = [clone.casefold() for clone in clones]
    counts = Counter(
        name[: dash.end()] for name in names for dash in re.finditer("-", name) if name[dash.end() :] in ends
    )
    return [prefix for prefix, count in counts.items() if count == max(counts.values())]


def _rows(tree: Tree, at: Parts) -> list[dict[str, str]] | None:
    """Return the rows of the list by column, or None if it is another program's list."""
    place = tree.shown(at)
    try:
        raw = _list(tree, at, place, MAX_SCORES)
        reader = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), restval="", strict=True)
        if not set(_COLUMNS) <= set(reader.fieldnames or ()):
            return None
        rows = []
        for row in reader:
            if None in row:
                width = len(reader.fieldnames or ())
                raise InputError(f"{place}:{reader.line_num}: expected {width} cells, found more", _HELP)
            rows.append({name: shown_name(cell) for name, cell in row.items()})
        return rows
    except SubmissionFault as fault:
        raise InputError(fault.message, _HELP) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{place}:{line}: expected UTF-8 text", _HELP) from None
    except csv.Error as error:
        raise InputError(f"{place}: not CSV: {error}", _HELP) from None
