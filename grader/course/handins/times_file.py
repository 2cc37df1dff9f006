"""Read when work was handed in, from what a platform exports: a CSV file, or JSON as its API answers.

Known are Canvas's submissions (`GET .../assignments/ID/submissions`, also with `include[]=user` or
`include[]=submission_history`), Autolab's with e-mail, version and `created_at`, GitHub Classroom's grades,
and any CSV file with a column for who it is and one for the time.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from grader import folders, paths
from grader.course.csv_text import check_width, column_name, read_table
from grader.course.handins.moments import YEARS, moment
from grader.course.handins.roster_file import EMAILS, IDS, LOGINS
from grader.course.records import Student
from grader.errors import InputError
from grader.messages.phrases import count
from grader.safe_text import listed, one_line

MAX_BYTES = 64 << 20
_HELP = "nothing was graded; give the platform's own export, or a CSV file with the columns id and handed_in"
_NUMBER_OF_USER = "user id"  # the platform's own; a student's id may be another one's number
_WHO = (*IDS, _NUMBER_OF_USER, "sis id", "login id", *EMAILS, "student", "roster identifier")
_CHOSEN = ("github username", "student")  # by students, perhaps like another's id: the last resort
_KINDS = {
    _NUMBER_OF_USER: "number",
    "student": "shown name",
    **dict.fromkeys((*LOGINS, "login id", "github username"), "login"),
}
_WHEN = (
    "handed in", "submitted at", "submitted", "submission timestamp", "submission time", "created at",
    "last modified submission", "last modified (submission)",
)  # fmt: skip
_NUMBER = ("version", "attempt", "number")
_NOT_JSON = {
    RecursionError: "nested too deeply",
    UnicodeDecodeError: "expected UTF-8 text",
    ValueError: "a number has thousands of digits",
}


Name = tuple[str, str]  # its kind, `number`, `login`, `shown name` or `name`, and the text in lower case


@dataclass(frozen=True)
class Time:
    """When something was handed in."""

    who: frozenset[Name]
    # names that the student chose, which count if nobody has one of the others, and of whoever has no time by
    # the others
    chosen: frozenset[Name]
    number: int  # the platform's number of the attempt, or 0
    moment: datetime  # when, in UTC


class Times:
    """The times in a file."""

    def __init__(self, place: str, times: Sequence[Time], zoneless: int) -> None:
        self.place, self.zoneless = place, zoneless
        self._times = times
        self._of: defaultdict[str, list[Time]] = defaultdict(list)

    def find_owners(self, students: Iterable[Student], logins: Mapping[str, Collection[str]]) -> list[str]:
        """Find whose each time is, and return notes on those that are nobody's.

        A name is looked for among those of its own kind first: somebody's login may be another one's id.

        Args:
            logins: the logins of each student, by id.

        Raises:
            InputError: no time is anybody's.
        """
        people = _People(students, logins)
        nobodys: list[Time] = []
        of_two: list[Time] = []
        sure = [people.called(time.who) for time in self._times]
        timed = {id for owners in sure if len(owners) == 1 for id in owners}
        for time, owners in zip(self._times, sure, strict=True):
            owners = owners or people.called(time.chosen, other_kinds=not time.who) - timed
            if len(owners) == 1:
                self._of[next(iter(owners))].append(time)
            else:
                (of_two if owners else nobodys).append(time)
        if not self._of:
            told = f"none of {count(len(self._times), 'row')} with a time belongs to anybody here"
            raise InputError(f"{self.place}: {told}", _HELP)
        return [
            f"in {self.place}, {count(len(found), 'row')} of {whose}: "
            f"{listed(sorted({min(name for _, name in time.who | time.chosen) for time in found}))}"
            for found, whose in ((nobodys, "nobody here"), (of_two, "two students"))
            if found
        ]

    def of(self, student: str, number: int | None) -> datetime | None:
        """Return when a student, known by id, handed in; None if that is not known.

        Args:
            number: the platform's number of the attempt; None for the last one.
        """
        found = self._of[student]
        if number is not None and any(time.number for time in found):
            found = [time for time in found if time.number == number]
        return max((time.moment for time in found), default=None)


class _People:
    """The students by their names."""

    def __init__(self, students: Iterable[Student], logins: Mapping[str, Collection[str]]) -> None:
        self._by_name: defaultdict[Name, set[str]] = defaultdict(set)
        for student in students:
            number = re.sub(r"\D", "", student.platform_id)
            names = [("name", student.id), ("name", student.email), ("number", number)]
            names += [("login", login) for login in logins.get(student.id, ())]
            for kind, name in names:
                self._by_name[kind, name.casefold()].add(student.id)

    def called(self, names: Iterable[Name], other_kinds: bool = True) -> set[str]:
        """Return the ids of the students who have one of some names, if need be as a name of another kind."""
        found: set[str] = set()
        for kind, name in names:
            others = ("name", "login") if other_kinds and kind != "number" else ()
            found |= next(filter(None, (self._by_name.get((each, name)) for each in (kind, *others))), set())
        return found


def read_times(path: Path, zone: tzinfo | None) -> Times:
    """Return the times in a file.

    Args:
        zone: the zone of times that do not say theirs; None: they are left out, and counted.
    """
    place = paths.shown(path)
    raw = folders.read_file(path, _HELP, MAX_BYTES)
    rows = _json_rows(raw, place) if raw.lstrip()[:1] in (b"[", b"{") else _csv_rows(raw, place)
    found, zoneless = [], 0
    for where, row in rows:
        text = _first(row, _WHEN)
        if not text or text == "-":
            continue  # nothing was handed in
        filled = {name: (_KINDS.get(name, "name"), row[name].casefold()) for name in _WHO if row.get(name)}
        chosen = frozenset(filled.pop(name) for name in _CHOSEN if name in filled)
        who = frozenset(filled.values())
        if not who | chosen:
            raise InputError(
                f"{where}: expected who handed in, such as an id or an e-mail, found none", _HELP
            )
        when = moment(text, zone)
        if when is None and zone is None and _is_a_time(text):
            zoneless += 1
        elif when is None:
            expected = f"a time from {YEARS[0]} to {YEARS[-1]} such as 2026-10-09T23:59:00Z"
            raise InputError(f"{where}: expected {expected}, found {one_line(text, 40)}", _HELP)
        else:
            number = _first(row, _NUMBER)
            known = re.fullmatch(r"\d{1,9}", number, re.ASCII)
            found.append(Time(who, chosen, int(number) if known else 0, when))
    return Times(place, found, zoneless)


def _is_a_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).year in YEARS
    except ValueError:
        return False


def _first(row: Mapping[str, str], names: Iterable[str]) -> str:
    return next((row[name].strip() for name in names if row.get(name)), "")


def _csv_rows(raw: bytes, place: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row of a CSV file with its place, by the normalized names of the columns."""
    head, body = read_table(raw, place, _HELP)
    first, header = head
    names = [column_name(name) for name in header]
    for wanted, of in ((_WHEN, "a time, such as submitted_at"), (_WHO, "who it is, such as id or email")):
        if not {*wanted} & {*names}:
            found = ", ".join(one_line(name, 40) for name in header)
            raise InputError(f"{place}:{first}: expected a column for {of}, found {found}", _HELP)
    for line, cells in body:
        check_width(cells, f"{place}:{line}", head, _HELP)
        yield f"{place}:{line}", dict(zip(names, cells, strict=True))


def _json_rows(raw: bytes, place: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each submission in an API's answer with its place, the earlier attempts included."""
    try:
        loaded = json.loads(raw)
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        why = error.msg if isinstance(error, json.JSONDecodeError) else _NOT_JSON[type(error)]
        raise InputError(f"{place}{line}: not JSON: {why}", _HELP) from None
    if isinstance(loaded, dict) and not ("submissions" in loaded or _texts(loaded).keys() & {*_WHO}):
        loaded = None  # such as an error
    if isinstance(loaded, dict):
        loaded = loaded.get("submissions", [loaded])
    if not isinstance(loaded, list) or not all(isinstance(each, dict) for each in loaded):
        raise InputError(f"{place}: expected a list of submissions, found something else", _HELP)
    for number, entry in enumerate(loaded, 1):
        user = entry.get("user")
        about = _texts(user) if isinstance(user, dict) else {}
        if "id" in about:
            about[_NUMBER_OF_USER] = about.pop("id")
        shared = {name: text for name, text in about.items() if name in _WHO}
        history = entry.get("submission_history")
        for attempt in [entry, *(history if isinstance(history, list) else [])]:
            if isinstance(attempt, dict):
                row = _texts(attempt)
                row.pop("id", None)  # the submission's own
                yield f"{place}: submission {number}", {**row, **shared}


def _texts(entry: Mapping[str, Any]) -> dict[str, str]:
    return {
        column_name(str(name)): str(value) for name, value in entry.items() if isinstance(value, str | int)
    }
