"""Read the roster of the class from a CSV file; many common names of columns are understood."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path

from grader import folders, paths
from grader.course.csv_text import check_width, column_name, read_table
from grader.course.handins.moments import YEARS, in_zone, moment
from grader.course.handins.roster import Roster, Row, number_in
from grader.course.handins.worksheet import read_worksheet
from grader.course.records import Student
from grader.errors import InputError
from grader.safe_text import listed, one_line

MAX_BYTES = 20 << 20  # enough for 100,000 students
_HELP = "nothing was graded; correct the roster: a CSV file whose first line names its columns, id among them"

# Names that platforms and people give to columns, the surest first. Without a column of ids, the e-mail is
# the id.
IDS = (
    "id", "student id", "studentid", "student number", "sid", "sis user id", "id number", "idnumber",
    "identifier", "login", "sis login id", "username", "user name", "netid", "github username",
)  # fmt: skip
_ON_GITHUB = "github username"
LOGINS = ("login", "sis login id", "username", "user name", "netid")  # GitHub's, if no other column has it
EMAILS = ("email", "e mail", "email address", "e mail address", "mail")
_NAMES = ("name", "student", "student name", "full name", "fullname")
_FIRST_NAMES = ("first name", "firstname", "given name")
_LAST_NAMES = ("last name", "lastname", "surname", "family name")
_SECTIONS = ("section", "sections", "group")
_GROUPS = ("group", "groups", "team", "group name")
_ROLES = ("role", "roles")
_STAFF = re.compile(
    r"(ta|designer|manager|observer|reader)(enrollment)?"
    r"|.*(teach|assist|tutor|instruct|lectur|profess|grader|staff|admin).*"
)  # roles, as platforms call them; in another language nobody is left out
_PLATFORM_IDS = ("platform id", "canvas id", "moodle id", "canvas user id")
_TIMES = ("handed in", "handed in at", "submitted", "submitted at", "submission time")
_SIS = ("sis user id", "sis login id")  # columns of a Canvas gradebook
_NOT_STUDENTS = ("", "points possible", "student, test", "test student")  # its rows without a SIS user id
_SHORTENED = re.compile(r"\d\.\d+E\+\d+")  # an id that Excel took for a large number
_TEST_LOGIN = re.compile(r"[0-9a-f]{40}")  # of the test student, whatever they are called


def read_roster(path: Path, zone: tzinfo | None = None) -> Roster:
    """Return the roster in a CSV file; many common names of columns are understood.

    Cells are separated by commas, semicolons or tabs. The text is UTF-8, with or without a byte order mark. A
    Canvas gradebook can be used, and Moodle's grading worksheet in any language.

    Raises:
        InputError: it cannot be read, has no column of ids, or has a row that is not a student's.
    """
    place = paths.shown(path)
    head, body = read_table(folders.read_file(path, _HELP, MAX_BYTES), place, _HELP)
    first, header = head
    worksheet = read_worksheet(header, [cells for _, cells in body])
    columns = dict(worksheet.columns) if worksheet else _columns(header, f"{place}:{first}")
    if worksheet and not {"id number", "email address"} & columns.keys():
        columns["id"] = 0
    ids = [columns[name] for name in (*IDS, *EMAILS, "canvas id") if name in columns]
    if not ids:
        raise InputError(
            f"{place}:{first}: expected a column id, student id, sid, login, username or email, "
            f"found {', '.join(one_line(name, 40) for name in header)}",
            _HELP,
        )
    rows: list[Row] = []
    seen: dict[str, tuple[int, Row]] = {}
    staff: dict[str, str] = {}
    others, in_two = [], []
    for line, cells in body:
        check_width(cells, f"{place}:{line}", head, _HELP)
        row = _row(cells, columns, ids, f"{place}:{line}", zone)
        if _is_no_student(row, cells, columns):
            continue
        id = row.student.id
        if not id:
            raise InputError(
                f"{place}:{line}: expected an id in the column {one_line(header[ids[0]])}, found nothing",
                _HELP,
            )
        if _SHORTENED.fullmatch(id):
            raise InputError(
                f"{place}:{line}: expected an id, found {id}, which a spreadsheet has shortened",
                "make the column of ids text before the table is saved as CSV",
            )
        role = next((cells[columns[name]] for name in _ROLES if name in columns), "")
        is_staff = worksheet is None and bool(_STAFF.fullmatch(role.casefold()))
        if id in seen:
            first_line, before = seen[id]
            alike = replace(row, student=replace(row.student, section=before.student.section))
            if worksheet is not None or alike != before:
                found = f"found {one_line(id)} as in line {first_line}"
                raise InputError(f"{place}:{line}: expected each id once, {found}", _HELP)
            in_two += [id] * (before != row)
            if not is_staff:  # who is a student in one section is one
                staff.pop(id, None)
            continue
        seen[id] = line, row
        if is_staff:
            staff[id] = f"{one_line(id)} ({one_line(role)})"
        elif not cells[ids[0]]:
            others.append(id)
        rows.append(row)
        if worksheet:
            worksheet.ids.append(id)
    if not rows:
        raise InputError(f"{place}: expected a line for each student, found only the columns' names", _HELP)
    if not staff.keys() < seen.keys():
        raise InputError(f"{place}: expected students, found staff only", "write student as their role")
    notes = [f"of the roster, left out for their role: {listed([*staff.values()])}"] * bool(staff)
    if in_two:
        notes.append(f"in several sections of the roster, the first is taken: {listed(in_two)}")
    if others:
        notes.append(
            f"without {one_line(header[ids[0]])} on the roster, known by what else is there: {listed(others)}"
        )
    if worksheet is None:
        return Roster(rows, notes=notes, staff=staff)
    told = zip(rows, worksheet.times, strict=True)
    timed = [replace(row, handed_in=time and in_zone(time, zone)) for row, time in told]
    zoneless = 0 if zone else sum(time is not None for time in worksheet.times)
    return Roster(timed, worksheet, zoneless, notes)


def _columns(header: list[str], place: str) -> dict[str, int]:
    names = [column_name(name) for name in header]
    known = {
        *IDS, *EMAILS, *_NAMES, *_FIRST_NAMES, *_LAST_NAMES,
        *_SECTIONS, *_GROUPS, *_ROLES, *_PLATFORM_IDS, *_TIMES,
    }  # fmt: skip
    for name, count in Counter(names).items():
        if count > 1 and name in known:
            raise InputError(f"{place}: expected each column once, found {count} called {name}", _HELP)
    columns = {name: index for index, name in enumerate(names)}
    if "id" in columns and _is_canvas_s(header, columns):
        columns["canvas id"] = columns.pop("id")
    elif "identifier" in columns and "email address" in columns:
        columns["moodle id"] = columns.pop("identifier")  # a Moodle grading worksheet: `Participant 12345`
    return columns


def _is_canvas_s(header: list[str], columns: Mapping[str, int]) -> bool:
    """Return whether a table is a Canvas gradebook: it has SIS ids, or an assignment with its number."""
    assignments = "section" in columns and any(re.search(r" \(\d+\)$", name) for name in header)
    return any(name in columns for name in _SIS) or assignments


def _is_no_student(row: Row, cells: list[str], columns: Mapping[str, int]) -> bool:
    """Return whether a row of a Canvas gradebook is not a student's: points, or the test student."""
    if "canvas id" not in columns or ("sis user id" in columns and cells[columns["sis user id"]]):
        return False
    login = cells[columns["sis login id"]] if "sis login id" in columns else ""
    return row.student.name.casefold() in _NOT_STUDENTS or bool(_TEST_LOGIN.fullmatch(login))


def _row(
    cells: list[str], columns: Mapping[str, int], ids: list[int], place: str, zone: tzinfo | None
) -> Row:
    def cell(names: tuple[str, ...]) -> str:
        return next((cells[columns[name]] for name in names if name in columns), "")

    for index in (*ids, *(columns[name] for name in _PLATFORM_IDS if name in columns)):
        cells[index] = _as_typed(cells[index])
    name = cell(_NAMES) or f"{cell(_FIRST_NAMES)} {cell(_LAST_NAMES)}".strip()
    first = next((index for index in ids if cells[index]), ids[0])
    id = unicodedata.normalize("NFC", cells[first])
    if columns.get("moodle id") == first:
        id = number_in(id)
    student = Student(
        id=id, name=name or id, email=cell(EMAILS), section=cell(_SECTIONS), platform_id=cell(_PLATFORM_IDS)
    )
    number = columns.get("canvas id")  # no name to hand in by
    others = tuple(cells[index] for index in ids if index not in (first, number) and cells[index])
    on_github = cell((_ON_GITHUB,))
    logins = (_ON_GITHUB,) if _ON_GITHUB in columns else LOGINS
    accounts = tuple(cells[columns[name]] for name in logins if name in columns)
    return Row(student, others, on_github, accounts, _time(cell(_TIMES), place, zone), cell(_GROUPS))


def _as_typed(text: str) -> str:
    """Return an id without what spreadsheets and exports add: `="0017"`, `'0017`, `17.0`."""
    text = re.sub(r'^="(.*)"$', r"\1", text).removeprefix("'")
    return re.sub(r"^(\d+)\.0$", r"\1", text)


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
