"""Read when work was handed in, from what a platform exports: a CSV file, or JSON as its API answers.

Known are Canvas's submissions (`GET .../assignments/ID/submissions`, also with `include[]=user` or
`include[]=submission_history`), Autolab's with e-mail, version and `created_at`, GitHub Classroom's grades,
and any CSV file with a column for who it is and one for the time.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from grader import given_file, paths
from grader.course.csv_text import check_width, column_name, read_table
from grader.course.handins.moments import YEARS, moment
from grader.course.handins.roster_file import EMAILS, IDS
from grader.course.records import Student
from grader.errors import InputError
from grader.messages.phrases import count
from grader.safe_text import listed, one_line

MAX_BYTES = 64 << 20
_HELP = "nothing was graded; give the platform's own export, or a CSV file with the columns id and handed_in"
_NUMBER_OF_USER = "user id"  # the platform's own; a student's id may be another one's number
_WHO = (*IDS, _NUMBER_OF_USER, "sis id", "login id", *EMAILS, "student", "roster identifier")
_CHOSEN = (
    "github username",
    "student",
)  # by students, perhaps like another's id: the last resort
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


@dataclass(frozen=True)
class Time:
    """When something was handed in."""

    who: frozenset[
        tuple[bool, str]
    ]  # names of the student, in lower case; whether each is the platform's number
    number: int  # the platform's number of the attempt, or 0
    moment: datetime  # when, in UTC


class Times:
    """The times in a file."""

    def __init__(self, place: str, times: Iterable[Time], zoneless: int) -> None:
        self.place, self.zoneless = place, zoneless
        self._times: dict[tuple[bool, str], list[Time]] = {}
        for time in times:
            for name in time.who:
                self._times.setdefault(name, []).append(time)

    def of(self, student: Student, number: int | None) -> datetime | None:
        """Return when a student handed in; None if that is not known.

        Args:
            student: the student, known by id, e-mail address or the platform's number.
            number: the platform's number of the attempt; None for the last one.
        """
        found = [time for name in _names_of(student) for time in self._times.get(name, ())]
        if number is not None and any(time.number for time in found):
            found = [time for time in found if time.number == number]
        return max((time.moment for time in found), default=None)

    def check_owners(self, students: Iterable[Student]) -> list[str]:
        """Return a note on the rows that belong to no student; empty if there are none.

        Raises:
            InputError: no row belongs to anybody.
        """
        rows = {id(time): time for times in self._times.values() for time in times}
        known = {name for student in students for name in _names_of(student)}
        foreign = [time for time in rows.values() if known.isdisjoint(time.who)]
        if len(foreign) == len(rows):
            told = f"none of {count(len(rows), 'row')} with a time belongs to anybody here"
            raise InputError(f"{self.place}: {told}", _HELP)
        whose = listed(sorted({min(name for _, name in time.who) for time in foreign}))
        return [f"in {self.place}, {count(len(foreign), 'row')} of nobody here: {whose}"] * bool(foreign)


def _names_of(student: Student) -> set[tuple[bool, str]]:
    """Return the names by which a student is found, as in `Time`."""
    digits = re.sub(r"\D", "", student.platform_id)
    return {(False, student.id.casefold()), (False, student.email.casefold()), (True, digits)}


def read_times(path: Path, zone: tzinfo | None) -> Times:
    """Return the times in a file.

    Args:
        zone: the zone of times that do not say theirs; None: they are left out, and counted.
    """
    place = paths.shown(path)
    raw = given_file.read(path, _HELP, MAX_BYTES)
    rows = _json_rows(raw, place) if raw.lstrip()[:1] in (b"[", b"{") else _csv_rows(raw, place)
    found, zoneless = [], 0
    for where, row in rows:
        text = _first(row, _WHEN)
        if not text or text == "-":
            continue  # nothing was handed in
        filled = [name for name in _WHO if row.get(name)]
        sure = [name for name in filled if name not in _CHOSEN] or filled
        who = frozenset((name == _NUMBER_OF_USER, row[name].casefold()) for name in sure)
        if not who:
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
            found.append(Time(who, int(number) if re.fullmatch(r"\d{1,9}", number, re.ASCII) else 0, when))
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
