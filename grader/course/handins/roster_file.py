"""Read the roster of the class from a CSV file; many common names of columns are understood."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path

from grader import given_file, paths
from grader.course.csv_text import check_width, column_name, read_table
from grader.course.handins.moments import YEARS, in_zone, moment
from grader.course.handins.roster import Roster, Row, number_in
from grader.course.handins.worksheet import read_worksheet
from grader.course.records import Student
from grader.errors import InputError
from grader.safe_text import one_line

MAX_BYTES = 20 << 20  # enough for 100,000 students
_HELP = "nothing was graded; correct the roster: a CSV file whose first line names its columns, id among them"

# Names that platforms and people give to columns, the surest first. Without a column of ids, the e-mail is
# the id.
_IDS = (
    "id", "student id", "studentid", "student number", "sid", "sis user id", "id number", "idnumber",
    "identifier", "login", "sis login id", "username", "user name", "netid", "github username",
)  # fmt: skip
_ON_GITHUB = "github username"
_LOGINS = ("login", "sis login id", "username", "user name", "netid")  # GitHub's, if no other column has it
_EMAILS = ("email", "e mail", "email address", "e mail address", "mail")
_NAMES = ("name", "student", "student name", "full name", "fullname")
_FIRST_NAMES = ("first name", "firstname", "given name")
_LAST_NAMES = ("last name", "lastname", "surname", "family name")
_SECTIONS = ("section", "sections", "group")
_PLATFORM_IDS = ("platform id", "canvas id", "moodle id", "canvas user id")
_TIMES = ("handed in", "handed in at", "submitted", "submitted at", "submission time")
_SIS = ("sis user id", "sis login id")  # columns of a Canvas gradebook
_NOT_STUDENTS = ("points possible", "student, test")  # its rows without a SIS user id


def read_roster(path: Path, zone: tzinfo | None = None) -> Roster:
    """Return the roster in a CSV file; many common names of columns are understood.

    Cells are separated by commas, semicolons or tabs. The text is UTF-8, with or without a byte order mark. A
    Canvas gradebook can be used, and Moodle's grading worksheet in any language.

    Raises:
        InputError: it cannot be read, has no column of ids, or has a row that is not a student's.
    """
    place = paths.shown(path)
    head, body = read_table(given_file.read(path, _HELP, MAX_BYTES), place, _HELP)
    first, header = head
    worksheet = read_worksheet(header, [cells for _, cells in body])
    columns = dict(worksheet.columns) if worksheet else _columns(header, f"{place}:{first}")
    if worksheet and not {"id number", "email address"} & columns.keys():
        columns["id"] = worksheet.who
    ids = [columns[name] for name in (*_IDS, *_EMAILS) if name in columns]
    if not ids:
        raise InputError(
            f"{place}:{first}: expected a column id, student id, sid, login, username or email, "
            f"found {', '.join(one_line(name, 40) for name in header)}",
            _HELP,
        )
    rows: list[Row] = []
    seen: dict[str, int] = {}
    for line, cells in body:
        check_width(cells, f"{place}:{line}", head, _HELP)
        row = _row(cells, columns, ids, f"{place}:{line}", zone)
        if row.student.name.casefold() in _NOT_STUDENTS and _is_canvas_s(cells, columns):
            continue
        id = row.student.id
        if not id:
            raise InputError(
                f"{place}:{line}: expected an id in the column {one_line(header[ids[0]])}, found nothing",
                _HELP,
            )
        if id in seen:
            raise InputError(
                f"{place}:{line}: expected each id once, found {one_line(id)} as in line {seen[id]}", _HELP
            )
        seen[id] = line
        rows.append(row)
        if worksheet:
            worksheet.ids.append(id)
    if not rows:
        raise InputError(f"{place}: expected a line for each student, found only the columns' names", _HELP)
    if worksheet is None:
        return Roster(rows)
    told = zip(rows, worksheet.times, strict=True)
    timed = [replace(row, handed_in=time and in_zone(time, zone)) for row, time in told]
    return Roster(timed, worksheet, 0 if zone else sum(time is not None for time in worksheet.times))


def _columns(header: list[str], place: str) -> dict[str, int]:
    """Return the index of each column by its lower-case name."""
    names = [column_name(name) for name in header]
    known = {*_IDS, *_EMAILS, *_NAMES, *_FIRST_NAMES, *_LAST_NAMES, *_SECTIONS, *_PLATFORM_IDS, *_TIMES}
    for name, count in Counter(names).items():
        if count > 1 and name in known:
            raise InputError(f"{place}: expected each column once, found {count} called {name}", _HELP)
    columns = {name: index for index, name in enumerate(names)}
    if "id" in columns and any(name in columns for name in _SIS):
        columns["canvas id"] = columns.pop("id")  # a Canvas gradebook
    elif "identifier" in columns and "email address" in columns:
        columns["moodle id"] = columns.pop("identifier")  # a Moodle grading worksheet: `Participant 12345`
    return columns


def _is_canvas_s(cells: list[str], columns: Mapping[str, int]) -> bool:
    """Return whether a row comes from a Canvas gradebook and has no SIS user id."""
    has_number = "sis user id" in columns and cells[columns["sis user id"]]
    return "student" in columns and any(name in columns for name in _SIS) and not has_number


def _row(
    cells: list[str], columns: Mapping[str, int], ids: list[int], place: str, zone: tzinfo | None
) -> Row:
    def cell(names: tuple[str, ...]) -> str:
        return next((cells[columns[name]] for name in names if name in columns), "")

    name = cell(_NAMES) or f"{cell(_FIRST_NAMES)} {cell(_LAST_NAMES)}".strip()
    id = unicodedata.normalize("NFC", cells[ids[0]])
    if columns.get("moodle id") == ids[0]:
        id = number_in(id)
    student = Student(
        id=id, name=name or id, email=cell(_EMAILS), section=cell(_SECTIONS), platform_id=cell(_PLATFORM_IDS)
    )
    others = tuple(cells[index] for index in ids[1:] if cells[index])
    on_github = cell((_ON_GITHUB,))
    logins = (_ON_GITHUB,) if _ON_GITHUB in columns else _LOGINS
    accounts = tuple(cells[columns[name]] for name in logins if name in columns)
    return Row(student, others, on_github, accounts, _time(cell(_TIMES), place, zone))


def _time(text: str, place: str, zone: tzinfo | None) -> datetime | None:
    """Return the time in a cell, in UTC; None for an empty cell."""
    told = moment(text, zone)
    if told or not text:
        return told
    raise InputError(
        f"{place}: expected a time from {YEARS[0]} to {YEARS[-1]} with its offset from UTC such as "
        f"2026-10-09T23:59-04:00, found {one_line(text, 40)}",
        "nothing was graded; `git log -1 --format=%cI` writes such times; leave an unknown time empty",
    )
