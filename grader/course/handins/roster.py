"""Read the roster of the class from a CSV file, and match submissions to its students."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path

from grader import given_file, paths
from grader.course.handins.csv_table import read_table
from grader.course.handins.found import Person, listed
from grader.course.handins.moments import YEARS, in_zone, moment
from grader.course.handins.worksheet import Worksheet, read_worksheet
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


_SURE, _BY_LOGIN, _BY_NAME = "", "the first part of the e-mail", "the name"
_BY_EMAIL, _BY_ID = "the e-mail, though the id is another's", "the id, though the e-mail is another"


@dataclass(frozen=True)
class _Row:
    student: Student
    others: tuple[str, ...]  # further ids and logins that identify them
    on_github: str  # their GitHub login, if a column has it
    accounts: tuple[str, ...]  # possible GitHub logins
    handed_in: datetime | None


class Roster:
    """The students of the class.

    Args:
        rows: each student, with their other ids and logins.

    Attributes:
        students: the students by id.
        times: the hand-in times in UTC by id, as far as the roster has them.
        worksheet: Moodle's grading worksheet, if the roster is one.
        zoneless: how many times were left out because their zone is not known.
    """

    def __init__(self, rows: Collection[_Row], worksheet: Worksheet | None = None, zoneless: int = 0) -> None:
        self.worksheet, self.zoneless = worksheet, zoneless
        self.students = {row.student.id: row.student for row in rows}
        self.times = {row.student.id: row.handed_in for row in rows if row.handed_in}
        emails = ((row.student.email.casefold(), row) for row in rows)
        logins = ((login.casefold(), row) for row in rows for login in (row.student.id, *row.others))
        before = (
            (_before_at(each).casefold(), row) for row in rows for each in (row.student.id, row.student.email)
        )
        ids = ((row.student.id.casefold(), row) for row in rows)
        others = ((login.casefold(), row) for row in rows for login in row.others)
        accounts = ((login.casefold(), row) for row in rows for login in row.accounts)
        self._by_id, self._by_other, self._by_account = map(_index, (ids, others, accounts))
        self._on_github = {row.student.id: row.on_github.casefold() for row in rows}
        numbers = ((_number(row.student.platform_id), row) for row in rows)
        names = ((key, row) for row in rows for key in _name_keys(row.student.name))
        self._by_email, self._by_login, self._by_first_part = map(_index, (emails, logins, before))
        self._by_number, self._by_name = map(_index, (numbers, names))

    def match(self, people: Collection[Person], notes: list[str]) -> dict[Person, tuple[Student, str]]:
        """Return the student that each person matches, with the criterion if the match is unsure.

        People who match no student are left out. The criteria are tried in this order: the e-mail, the login,
        the part of an e-mail before the @, the platform's number, the full name. A criterion that fits two
        students is skipped, and so is a name that two people have. But a login that is one student's id and
        another's login matches nobody, and a note reports it.
        """
        names = Counter(_squeezed(person.name) for person in set(people))
        matches = {}
        for person in people:
            for how, answer in self._answers(person, names[_squeezed(person.name)] == 1):
                if len(answer) == 1:
                    matches[person] = (self.students[next(iter(answer))], how)
                    break
            else:
                if len(named := self._named(person)) > 1:
                    may_be = f"{one_line(person.login)} may be any of these on the roster"
                    notes.append(f"{may_be}, so it is taken for none: {listed(sorted(named))}")
        return matches

    def by_email(self, person: Person) -> Student | None:
        """Return the one student who has the person's e-mail address; None if there is none, or several."""
        email = person.email.casefold()
        found = self._by_email.get(email) or self._by_id.get(email, set())
        return self.students[next(iter(found))] if len(found) == 1 else None

    def _named(self, person: Person) -> set[str]:
        """Return the ids of the students whose id or login equals a person's login."""
        login, nobody = person.login.casefold(), set[str]()
        if person.on_github and login in self._by_account:
            return self._by_account[login]
        named = {person.login} & self.students.keys() or self._by_id.get(login, nobody)
        named = named | self._by_other.get(login, nobody)
        if not person.email:
            named |= self._by_email.get(login, nobody)
        return self._possible(person, named)

    def _possible(self, person: Person, ids: Collection[str]) -> set[str]:
        """Return the students in `ids`, without those whose known GitHub login is not the person's."""
        return {
            id for id in ids if not person.on_github or self._on_github[id] in ("", person.login.casefold())
        }

    def _answers(self, person: Person, by_name: bool) -> Iterator[tuple[str, Collection[str]]]:
        """Yield, for each criterion, the ids of the students that a person may be."""
        nobody: set[str] = set()
        login, email = person.login.casefold(), person.email.casefold()
        named = self._named(person)
        by_email = self._by_email.get(email) or self._by_login.get(email, nobody)
        yield _SURE if named <= by_email else _BY_EMAIL, by_email
        emails = {self.students[id].email.casefold() for id in named}
        yield _SURE if not email or emails <= {"", email} else _BY_ID, named
        if len(named) > 1:
            return
        for part in (_before_at(login), _before_at(email)):
            yield _BY_LOGIN, self._by_login.get(part, nobody) | self._by_first_part.get(part, nobody)
        yield _BY_LOGIN, self._possible(person, self._by_first_part.get(login, nobody))
        yield _SURE, self._by_number.get(_number(person.platform_id), nobody)
        if by_name:
            yield _BY_NAME, self._by_name.get(_squeezed(person.name), nobody)
        if not self._by_number:  # a roster may have the platform's number as its only id
            yield _SURE, {person.number} & self.students.keys()


def _index(keys: Iterable[tuple[str, _Row]]) -> dict[str, set[str]]:
    """Return the ids of the students with each key; empty keys are left out."""
    index: defaultdict[str, set[str]] = defaultdict(set)
    for key, row in keys:
        if key:
            index[key].add(row.student.id)
    return dict(index)


def read_roster(path: Path, zone: tzinfo | None = None) -> Roster:
    """Return the roster in a CSV file; many common names of columns are understood.

    Cells are separated by commas, semicolons or tabs. The text is UTF-8, with or without a byte order mark. A
    Canvas gradebook can be used, and Moodle's grading worksheet in any language.

    Args:
        path: the file.
        zone: the zone of times that do not say theirs, or None.

    Raises:
        InputError: it cannot be read, has no column of ids, or has a row that is not a student's.
    """
    place = paths.shown(path)
    lines = read_table(given_file.read(path, _HELP, MAX_BYTES), place, _HELP)
    if not lines:
        raise InputError(f"{place}: expected a line that names the columns, found nothing", _HELP)
    (first, header), *body = lines
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
    rows: list[_Row] = []
    seen: dict[str, int] = {}
    for line, cells in body:
        if len(cells) != len(header):
            raise InputError(
                f"{place}:{line}: expected {len(header)} cells as in line {first}, found {len(cells)}", _HELP
            )
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
                f"{place}:{line}: expected each id once, found {one_line(id)} as in line {seen[id]}",
                _HELP,
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
    """Return the index of each column by its lower-case name.

    Raises:
        InputError: two columns have the same name.
    """
    names = [" ".join(re.sub(r"[\s_-]+", " ", name.casefold()).split()) for name in header]
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
) -> _Row:
    def cell(names: tuple[str, ...]) -> str:
        return next((cells[columns[name]] for name in names if name in columns), "")

    name = cell(_NAMES) or f"{cell(_FIRST_NAMES)} {cell(_LAST_NAMES)}".strip()
    id = unicodedata.normalize("NFC", cells[ids[0]])
    if columns.get("moodle id") == ids[0]:
        id = _number(id)
    student = Student(
        id=id,
        name=name or id,
        email=cell(_EMAILS),
        section=cell(_SECTIONS),
        platform_id=cell(_PLATFORM_IDS),
    )
    others = tuple(cells[index] for index in ids[1:] if cells[index])
    on_github = cell((_ON_GITHUB,))
    logins = (_ON_GITHUB,) if _ON_GITHUB in columns else _LOGINS
    accounts = tuple(cells[columns[name]] for name in logins if name in columns)
    return _Row(student, others, on_github, accounts, _time(cell(_TIMES), place, zone))


def _time(text: str, place: str, zone: tzinfo | None) -> datetime | None:
    """Return the time in a cell, in UTC; None for an empty cell.

    Raises:
        InputError: the text is no time in YEARS, or has no zone, and the course has none.
    """
    told = moment(text, zone)
    if told or not text:
        return told
    raise InputError(
        f"{place}: expected a time from {YEARS[0]} to {YEARS[-1]} with its offset from UTC such as "
        f"2026-10-09T23:59-04:00, found {one_line(text, 40)}",
        "nothing was graded; `git log -1 --format=%cI` writes such times; leave an unknown time empty",
    )


def as_known(student: Student, person: Person) -> Student:
    """Return a student of the roster, with gaps filled from the platform's data."""
    return replace(
        student,
        email=student.email or person.email,
        platform_id=student.platform_id or person.platform_id,
        name=student.name if student.name != student.id else person.name or student.name,
    )


def _before_at(email: str) -> str:
    return email.partition("@")[0] if "@" in email else ""


def _number(platform_id: str) -> str:
    """Return the number in a platform's id; Moodle writes `Participant 12345` in the site's language."""
    found = re.fullmatch(r"\D*(\d+)", platform_id)
    return found[1] if found else platform_id


_MAX_WORDS = 20  # of a name, since each rotation of its words is kept


def _name_keys(name: str) -> tuple[str, ...]:
    """Return all rotations of a name's words, each squeezed into one word.

    So `Ada Marie King` matches `Marie King, Ada` and Canvas's `kingadamarie`.
    """
    last, comma, first = name.partition(",")
    words = ([*first.split(), *last.split()] if comma else name.split())[:_MAX_WORDS]
    squeezed = [re.sub(r"[\W_]", "", unicodedata.normalize("NFC", word)).casefold() for word in words]
    return tuple("".join(squeezed[index:] + squeezed[:index]) for index in range(len(squeezed)))


def _squeezed(name: str) -> str:
    return next(iter(_name_keys(name)), "")
