"""The roster of the class: find whose each submission is."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader.course.handins.found import Person
from grader.course.handins.worksheet import Worksheet
from grader.course.records import Student
from grader.safe_text import listed, one_line

_SURE, _BY_LOGIN, _BY_NAME = "", "the first part of the e-mail", "the name"
_BY_EMAIL, _BY_ID = "the e-mail, though the id is another's", "the id, though the e-mail is another"
_STRANGER = " (not on the roster)"  # after an id that a student on the roster has
_THOUGH_NAMED = "the id, though the name is another"
_BY_GITHUB = "a login at GitHub, which anybody may choose (a roster's github_username would prove it)"
_BY_DIGITS, _AS_ID = "the id, but for zeros before it", "the platform's number, taken for the id"


@dataclass(frozen=True)
class Row:
    """A student of the roster."""

    student: Student
    others: tuple[str, ...]
    on_github: str
    accounts: tuple[str, ...]
    handed_in: datetime | None
    group: str = ""


class Roster:
    """The students of the class."""

    def __init__(
        self,
        rows: Collection[Row],
        worksheet: Worksheet | None = None,
        zoneless: int = 0,  # how many times were left out because their zone is not known
        notes: Sequence[str] = (),
        staff: Collection[str] = (),
    ) -> None:
        self.worksheet, self.zoneless, self.notes, self.staff = worksheet, zoneless, notes, staff
        self.students = {row.student.id: row.student for row in rows}
        self.times = {row.student.id: row.handed_in for row in rows if row.handed_in}
        self.logins = {row.student.id: {*row.others, *row.accounts, row.on_github} - {""} for row in rows}
        self._on_github = {row.student.id: row.on_github.casefold() for row in rows}

        def by(keys: Callable[[Row], Iterable[str]]) -> dict[str, set[str]]:
            """Return the ids of the students with each key; empty keys are left out."""
            index: defaultdict[str, set[str]] = defaultdict(set)
            for row in rows:
                for key in filter(None, keys(row)):
                    index[key].add(row.student.id)
            return index

        self._by_email = by(lambda row: [row.student.email.casefold()])
        self._by_id = by(lambda row: [row.student.id.casefold()])
        self._by_other = by(lambda row: map(str.casefold, row.others))
        self._by_login = by(lambda row: map(str.casefold, (row.student.id, *row.others)))
        self._by_first_part = by(
            lambda row: map(_before_at, (row.student.id.casefold(), row.student.email.casefold()))
        )
        self._by_account = by(lambda row: map(str.casefold, row.accounts))
        self._by_number = by(lambda row: [number_in(row.student.platform_id)])
        self._by_name = by(lambda row: _name_keys(row.student.name))
        self._by_digits = by(lambda row: [_digits(row.student.id)])
        self._by_group = by(lambda row: [_squeezed(row.group)])

    @property
    def expected(self) -> set[str]:
        """The ids of everybody who may hand in."""
        return self.students.keys() - set(self.staff)

    def match(self, people: Collection[Person], notes: list[str]) -> dict[Person, tuple[Student, str]]:
        """Return the student that each person matches, with the criterion if the match is unsure.

        People who match no student are left out. The criteria are tried in this order: the e-mail, the login,
        the part of an e-mail before the @, the platform's number, the full name. A criterion that fits two
        students is skipped, and so is a name that two people have. But a login that is one student's id and
        another's login matches nobody, and neither does one with another's e-mail and name, nor a platform's
        number with another's name, such as a group's; a note reports it.
        """
        names = Counter(_squeezed(person.name) for person in set(people))
        of_number = {  # by the platform's number, if the name does not contradict it
            person: {id for id in self.by_number(person) if not self._is_called_otherwise(id, person.name)}
            for person in people
        }
        matches = {}
        for person in people:
            if other := self.by_number(person) - of_number[person]:
                notes.append(self._is_not(person, f"{person.number} is the number", min(other)))
            for how, answer in self._answers(
                person, of_number[person], names[_squeezed(person.name)] == 1, any(of_number.values())
            ):
                if len(answer) == 1:
                    matches[person] = (self.students[next(iter(answer))], how)
                    break
            else:
                named = self._named(person)
                if len(named) == 1:
                    notes.append(self._is_not(person, f"{person.login} is the id", min(named)))
                elif named:
                    may_be = f"{one_line(person.login)} may be any of these on the roster"
                    notes.append(f"{may_be}, so it is taken for none: {listed(sorted(named))}")
        return matches

    def _is_not(self, person: Person, given: str, id: str) -> str:
        of = f"{one_line(id)} {one_line(self.students[id].name)}"
        return f"{one_line(given)} of {of} on the roster, and {one_line(person.name)} is not"

    def by_email(self, person: Person) -> Student | None:
        """Return the one student who has the person's e-mail address; None if there is none, or several."""
        email = person.email.casefold()
        found = self._by_email.get(email) or self._by_id.get(email, set())
        return self.students[next(iter(found))] if len(found) == 1 else None

    def has_github_login(self, student: Student, person: Person) -> bool:
        """Return whether the roster says that a person's login is the student's at GitHub."""
        return person.on_github and self._on_github[student.id] == person.login.casefold()

    def by_number(self, person: Person) -> set[str]:
        """Return the ids of the students with the platform's number of a person."""
        if not self._by_number:  # a roster may have the platform's number as its only id
            return {person.number} & self.students.keys()
        return self.owners(person)

    def owners(self, person: Person) -> set[str]:
        """Return the ids of the students of whom the roster gives the platform's number of a person."""
        return self._by_number.get(number_in(person.platform_id), set())

    def confirms(self, person: Person) -> bool:
        """Return whether one student has both the platform's number and the name of a person."""
        by_name = self._by_name.get(_squeezed(person.name), set())
        return len(self.by_number(person)) == 1 and by_name.issuperset(self.by_number(person))

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

    def _answers(
        self, person: Person, of_number: set[str], by_name: bool, numbers_fit: bool
    ) -> Iterator[tuple[str, Collection[str]]]:
        """Yield, for each criterion, the ids of the students that a person may be.

        Args:
            by_name: whether nobody else has the person's name.
            numbers_fit: whether the roster has the download's numbers; a name with another is no proof.
        """
        nobody: set[str] = set()
        login, email = person.login.casefold(), person.email.casefold()
        named = self._named(person)
        by_email = self._by_email.get(email) or self._by_login.get(email, nobody)
        yield _SURE if named <= by_email else _BY_EMAIL, by_email
        emails = {self.students[id].email.casefold() for id in named}
        other_email = bool(email) and not emails <= {"", email}
        other_name = any(self._is_called_otherwise(id, person.name) for id in named)
        if len(named) > 1 or (other_email and other_name):
            return
        at_github = person.on_github and login not in self._by_account
        how = _BY_ID if other_email else _THOUGH_NAMED if other_name else _BY_GITHUB if at_github else _SURE
        yield how, named
        yield _BY_DIGITS, self._by_digits.get(_digits(person.login), nobody)
        for part in (_before_at(login), _before_at(email)):
            ids = self._by_login.get(part, nobody) | self._by_first_part.get(part, nobody)
            fit = {id for id in ids if not email or self.students[id].email.casefold() in ("", email)}
            yield _BY_LOGIN, {id for id in ids if id in fit or not self._is_called_otherwise(id, person.name)}
        yield _BY_LOGIN, self._possible(person, self._by_first_part.get(login, nobody))
        how = _SURE if self._by_number else _AS_ID
        yield how, of_number
        if by_name:
            owners = self.owners(person)
            named = self._by_name.get(_squeezed(person.name), nobody)
            others = {id for id in named if not (owners or (numbers_fit and self.students[id].platform_id))}
            yield _BY_NAME, others | (named & owners)

    def _is_called_otherwise(self, id: str, name: str) -> bool:
        """Return whether a student's name and another one contradict each other.

        They do if they are in one script, and no word of the one is in the other. So a first name that is not
        the official one, or a middle name, is no contradiction.
        """
        own = self.students[id].name
        if own == id or not _scripts(own) & _scripts(name):
            return False
        return not any(
            word in _plain(there)
            for here, there in ((own, name), (name, own))
            for word in map(_plain, re.split(r"[\W_]+", here))
            if len(word) > 1
        )

    def members(self, person: Person) -> list[Student]:
        """Return the students of the group that has the name of a person; nobody if there is none."""
        found = self._by_group.get(_squeezed(person.name or person.login), set())
        return [self.students[id] for id in sorted(found.difference(self.staff))]


def _as_known(student: Student, person: Person) -> Student:
    """Return a student of the roster, with gaps filled from the platform's data."""
    return replace(
        student,
        email=student.email or person.email,
        platform_id=student.platform_id or person.platform_id,
        name=student.name if student.name != student.id else person.name or student.name,
    )


def find_owners(
    people: Sequence[Person], roster: Roster | None, notes: list[str]
) -> dict[Person, list[Student]]:
    """Return the student for each person, or the members of the group of that name.

    A person who is not on the roster becomes a new student.
    """
    apart = _told_apart(people, notes)
    matches = _matches(people, apart, roster, notes) if roster else {}
    students: dict[Person, list[Student]] = {}
    groups = _groups(people, matches, roster, notes) if roster else {}
    unsure: defaultdict[str, set[str]] = defaultdict(set)
    for person in people:
        if person in matches:
            student, how = matches[person]
            students[person] = [_as_known(student, person)]
            if how:
                unsure[how].add(f"{person.name or person.id} as {student.id}")
        elif person in groups:
            students[person] = groups[person]
        else:
            id = (replace(person, login="").id if person in apart else "") or person.id
            # By chance, as a number may be; and nobody may be called as one who got another id for that.
            taken = roster is not None and (id in roster.students or id.endswith(_STRANGER))
            stranger = Student(
                id + _STRANGER if taken else id,
                person.name or id,
                person.email,
                on_roster=roster is None,
                platform_id=person.platform_id,
            )
            students[person] = [stranger]
    for how, found in unsure.items():
        notes.append(f"{len(found):,} found on the roster by {how}: {listed(sorted(found))}")
    ids = {student.id: student.on_roster for those in students.values() for student in those}
    strangers = sorted(id for id, on_roster in ids.items() if not on_roster)
    if strangers and len(strangers) == len(ids):
        notes.append("nobody who handed in is on the roster: is it this class's?")
    if strangers:
        notes.append(f"{len(strangers):,} not on the roster, graded all the same: {listed(strangers)}")
    return students


def _groups(
    people: Sequence[Person], matches: Mapping[Person, tuple[Student, str]], roster: Roster, notes: list[str]
) -> dict[Person, list[Student]]:
    """Return the members of each group among the people, but for those who are there alone.

    A name is easily changed to a group's: an account whose number is that of a student who is no member is no
    group. Of two others, that is the group whose number is nobody's on the roster, and otherwise neither.
    """
    found_alone = {student.id for student, _ in matches.values()}
    called: defaultdict[str, list[Person]] = defaultdict(list)
    for person in dict.fromkeys(people):
        name, ids = one_line(person.name or person.login), {each.id for each in roster.members(person)}
        if person in matches or not ids:
            continue
        if others := roster.owners(person) - ids:
            notes.append(f"{name} is the name of a group, of which {listed(sorted(others))} is no member")
        else:
            called[name].append(person)
    groups = {}
    for name, accounts in called.items():
        sure = [each for each in accounts if not roster.owners(each)] or accounts
        members = [each for each in roster.members(sure[0]) if each.id not in found_alone]
        if len(sure) > 1:
            notes.append(_shared(name, accounts))
        elif members:
            groups[sure[0]] = members
            notes.append(f"{name} is a group, credited to {listed([each.id for each in members])}")
    return groups


def _told_apart(people: Sequence[Person], notes: list[str]) -> set[Person]:
    """Return the people whose login several accounts claim.

    Such a login does not prove who somebody is, since students can edit their own.
    """
    claims: defaultdict[str, dict[str, Person]] = defaultdict(dict)
    for person in people:
        for claimed in filter(None, (person.login.casefold(), person.account)):
            claims[claimed].setdefault(person.account, person)
    for claimed, claimants in claims.items():
        if len(claimants) > 1:
            notes.append(_shared(claimed, claimants.values()))
    return {person for person in people if len(claims[person.login.casefold()]) > 1}


def _matches(
    people: Sequence[Person], apart: set[Person], roster: Roster, notes: list[str]
) -> dict[Person, tuple[Student, str]]:
    """Return the student on the roster that each person matches, with the criterion if the match is unsure.

    If several accounts match one student, those are kept that are proved to be theirs; without one, only the
    surest account, or none if several are equally sure. The other accounts are added to `apart`.
    """
    matches = roster.match(people, notes)
    whose: defaultdict[str, list[tuple[int, Person]]] = defaultdict(list)
    for person, (student, how) in matches.items():
        is_given = not person.on_github and person.account == person.login.casefold()
        proved = is_given or roster.by_email(person) == student or roster.has_github_login(student, person)
        whose[student.id].append((0 if proved else 2 if how else 1, person))
    for id, claimants in whose.items():
        least = min(unsure for unsure, _ in claimants)
        surest = {(each.on_github, each.account) for unsure, each in claimants if unsure == least}
        kept = surest if least == 0 or len(surest) == 1 else ()
        others = {each for _, each in claimants if (each.on_github, each.account) not in kept}
        if others and (said := _shared(id, [person for _, person in claimants])) not in notes:
            notes.append(said)
        for person in others:
            del matches[person]
        apart |= others
    return matches


def _shared(id: str, claimants: Collection[Person]) -> str:
    shown = sorted(
        {f"{each.name} {each.email}".strip() or each.id + " at GitHub" * each.on_github for each in claimants}
    )
    return f"several accounts stand for {one_line(id)}, told apart by e-mail or name: {listed(shown)}"


def _digits(id: str) -> str:
    """Return a number without the zeros before it, which a spreadsheet leaves out; empty if it is none."""
    return id.lstrip("0") if id.isdecimal() else ""


def _plain(name: str) -> str:
    """Return the letters of a name, without accents, as one word."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(each for each in letters if each.isalpha())


def _scripts(name: str) -> set[str]:
    """Return the scripts of a name's letters, such as `LATIN`."""
    return {unicodedata.name(each, "").partition(" ")[0] for each in name if each.isalpha()}


def _before_at(email: str) -> str:
    return email.partition("@")[0] if "@" in email else ""


def number_in(platform_id: str) -> str:
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
