"""Read a class's submissions from a folder or a download, with or without a roster."""

import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from grader import paths
from grader.catalog.tasks import registry
from grader.course.handins.downloads import recognize
from grader.course.handins.found import Download, Found, Person
from grader.course.handins.handin import Handin, handin_of
from grader.course.handins.moments import NEVER, YEARS
from grader.course.handins.roster import Roster, as_known
from grader.course.handins.roster_file import read_roster
from grader.course.handins.times_file import Times, read_times
from grader.course.handins.worksheet import Worksheet
from grader.course.records import Student
from grader.errors import InputError
from grader.safe_text import listed, one_line
from grader.submissions.archives import ZipTree
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FolderTree, Tree


@dataclass(frozen=True)
class Intake:
    """A class and its submissions."""

    students: list[Student]  # everybody on the roster and everybody who handed in, sorted by id
    handins: list[Handin]  # all attempts, sorted by student and number
    notes: list[str]
    layout: str
    worksheet: Worksheet | None = None


def take_in(
    folder: Path,
    roster: Path | None = None,
    times: Path | None = None,
    zone: tzinfo | None = None,
    merges: bool = False,
) -> Intake:
    """Return the class and its submissions.

    Args:
        zone: the zone of times that do not say theirs; None: such times are left out.
    """
    names = frozenset(file for task in registry().tasks.values() for file in task.files)
    known = read_roster(roster, zone) if roster else None
    told = read_times(times, zone) if times else None
    try:
        tree = _open(folder)
        download = recognize(tree, names, known)
    except SubmissionFault as fault:
        raise InputError(fault.message, fault.help) from None
    notes = [*download.notes, *(known.notes if known else ())]
    students = _students([found.person for found in download.found], known, notes)
    if known and (theirs := [p for p, group in students.items() if group[0].id in known.staff]):
        notes.append(f"left aside, handed in by these: {listed([students.pop(p)[0].id for p in theirs])}")
    whose: defaultdict[str, list[Found]] = defaultdict(list)
    for found in download.found:
        if found.person not in students:
            continue
        for student in students[found.person]:
            whose[student.id].append(found)
    handins = [
        handin_of(tree, found, student, number, names)
        for student, all_found in sorted(whose.items())
        for number, found in _numbered(student, all_found, download, notes)
    ]
    if merges:
        handins = list(_merged(handins))
    everybody = [student for group in students.values() for student in group]
    class_ = {student.id: student for student in everybody}
    absent = [known.students[id] for id in sorted(known.expected - class_.keys())] if known else []
    class_.update((student.id, student) for student in absent)
    nobodys = told.find_owners(class_.values(), _logins(students, known)) if told else []
    handins = list(_timed(handins, known, told, download))
    notes += [*_about_times(handins, known, told), *_about_absent(absent, handins, known), *nobodys]
    in_order = [student for _, student in sorted(class_.items())]
    return Intake(in_order, handins, notes, download.layout, known.worksheet if known else None)


def _logins(students: Mapping[Person, Sequence[Student]], known: Roster | None) -> dict[str, set[str]]:
    """Return each student's logins: those of the roster, and those by which clones are called."""
    logins = defaultdict(set, {id: {*names} for id, names in known.logins.items()} if known else {})
    for person, group in students.items():
        for student in group if person.on_github else ():
            logins[student.id].add(person.login)
    return logins


def _merged(handins: Iterable[Handin]) -> Iterator[Handin]:
    """Yield the submissions, in order, each with the files that only the student's earlier ones have.

    One without a file of its own stays without: it would be the latest, and perhaps late.
    """
    before: dict[str, Handin] = {}
    for handin in handins:
        student = handin.attempt.student
        if handin.names:
            before[student] = handin = handin.after(before[student]) if student in before else handin
        yield handin


def _timed(
    handins: Sequence[Handin], known: Roster | None, told: Times | None, download: Download
) -> Iterator[Handin]:
    """Yield the submissions; one without a time gets that of the file of times, or else of the roster.

    If a download's own times are the students' claims, those of the file are taken rather.
    """
    versions = download.versions
    last = {handin.attempt.student: handin for handin in handins}
    for handin in handins:
        attempt, time = handin.attempt, handin.attempt.handed_in
        is_last = handin is last[attempt.student]
        if (time is None or download.claims) and told and (versions or is_last):
            time = told.of(attempt.student, attempt.number if versions else None) or time
        if time is None and known and is_last:
            time = known.times.get(attempt.student)
        yield replace(handin, attempt=replace(attempt, handed_in=time))


def _about_absent(
    absent: Sequence[Student], handins: Iterable[Handin], known: Roster | None
) -> Iterator[str]:
    """Yield remarks on who handed in nothing, and on whom a worksheet says to have handed in."""
    if absent:
        yield f"{len(absent):,} on the roster handed in nothing: {listed([each.id for each in absent])}"
    if known and known.worksheet:
        for status, lacking in known.worksheet.without_files({each.attempt.student for each in handins}):
            said = f"the worksheet says {one_line(status)} of {listed(lacking)}"
            yield f"{said}, without a file in the download"


def _about_times(handins: Sequence[Handin], known: Roster | None, told: Times | None) -> list[str]:
    """Return remarks on times that are not known or have no zone, and on importing the worksheet."""
    zoneless = (known.zoneless if known else 0) + (told.zoneless if told else 0)
    notes = []
    if zoneless:
        are = "hand-in time does not say its" if zoneless == 1 else "hand-in times do not say their"
        notes.append(f"{zoneless:,} {are} zone, and cannot count: add timezone to course.yaml")
    if known and known.worksheet and known.worksheet.unread:
        notes.append("the times in the worksheet are in no language that can be read: download it in English")
    if known and known.worksheet and known.worksheet.needs_the_box:
        notes.append(
            "to import moodle.csv, tick the box that allows updating records modified more recently: "
            "Moodle reads the dates of the last changes in English only"
        )
    timeless = [handin.attempt.student for handin in handins if handin.attempt.handed_in is None]
    if timeless and len(timeless) == len(handins):
        notes.append(
            "no submission has a hand-in time, so no rule about lateness can apply; --times FILE "
            "takes a platform's export of them, and a roster may have a column handed_in"
        )
    elif timeless:
        known_times = f"no time from {YEARS[0]} to {YEARS[-1]} with its zone"
        notes.append(f"{known_times} says when these were handed in: {listed(timeless)}")
    return notes


def _open(folder: Path) -> Tree:
    """Return the tree of files in the folder or .zip that the instructor named."""
    place = paths.shown(folder)
    help = "give the folder of the submissions, or the .zip as it was downloaded"
    if folder.is_dir():
        return FolderTree(folder)
    if not folder.is_file():
        found = "something else" if folder.exists() else "nothing"
        raise InputError(f"{place}: expected a folder or a .zip file, found {found}", help)
    try:
        folder.open("rb").close()
        if not zipfile.is_zipfile(folder):
            raise InputError(f"{place}: expected a folder or a .zip file, found another file", help)
        return ZipTree(folder, place)
    except OSError as error:
        raise InputError(f"{place}: cannot be read: {error.strerror}", help) from None


# ---- owners -----------------------------------------------------------------------------------


def _students(
    people: Sequence[Person], roster: Roster | None, notes: list[str]
) -> dict[Person, list[Student]]:
    """Return the student for each person, or the members of the group of that name.

    A person who is not on the roster becomes a new student.
    """
    apart = _told_apart(people, notes)
    matches = _matches(people, apart, roster, notes) if roster else {}
    students: dict[Person, list[Student]] = {}
    # Who is surely there alone counts by their own work, not by their group's.
    found_alone = {student.id for student, how in matches.values() if not how}
    groups = _groups(people, matches, roster, found_alone, notes) if roster else {}
    unsure: defaultdict[str, set[str]] = defaultdict(set)
    for person in people:
        if person in matches:
            student, how = matches[person]
            students[person] = [as_known(student, person)]
            if how:
                unsure[how].add(f"{person.name or person.id} as {student.id}")
        elif person in groups:
            students[person] = groups[person]
        else:
            id = (replace(person, login="").id if person in apart else "") or person.id
            taken = roster is not None and id in roster.students  # by chance, as a number may be
            stranger = Student(
                f"{id} (not on the roster)" if taken else id,
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
    people: Sequence[Person],
    matches: Collection[Person],
    roster: Roster,
    found_alone: Collection[str],
    notes: list[str],
) -> dict[Person, list[Student]]:
    """Return the members of each group among the people, but for those who are there alone.

    A name is easily changed to a group's: of two accounts with it, that is the group whose number is nobody's
    on the roster, and otherwise neither.
    """
    called: defaultdict[str, list[Person]] = defaultdict(list)
    for person in dict.fromkeys(people):
        if person not in matches and roster.members(person):
            called[one_line(person.name or person.login)].append(person)
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

    If several accounts match one student, only the surest account is kept, or none if several are equally
    sure. The other accounts are added to `apart`.
    """
    matches = roster.match([person for person in people if person not in apart], notes)
    for person in people:
        if person in apart and (student := roster.by_email(person)):
            matches[person] = student, ""
    whose: defaultdict[str, list[tuple[int, Person]]] = defaultdict(list)
    for person, (student, how) in matches.items():
        if person.on_github or person.account != person.login.casefold():
            proved = roster.by_email(person) == student or roster.has_github_login(student, person)
            unsure = 0 if proved else 2 if how or person.on_github else 1
            whose[student.id].append((unsure, person))
    for id, claimants in whose.items():
        if len({person.account for _, person in claimants}) < 2:
            continue
        notes.append(_shared(id, [person for _, person in claimants]))
        least = min(unsure for unsure, _ in claimants)
        surest = {person.account for unsure, person in claimants if unsure == least}
        for _, person in claimants:
            if least == 2 or surest != {person.account}:
                del matches[person]
                apart.add(person)
    return matches


def _shared(id: str, claimants: Collection[Person]) -> str:
    shown = sorted({f"{person.name} {person.email}".strip() or person.id for person in claimants})
    return f"several accounts stand for {one_line(id)}, told apart by e-mail or name: {listed(shown)}"


def _numbered(
    student: str, all_found: list[Found], download: Download, notes: list[str]
) -> list[tuple[int, Found]]:
    """Return a student's submissions, each with its number, in the order of the numbers.

    The platform's numbers are kept if each submission has its own. Otherwise the submissions are numbered by
    time, and by name where the times are equal or unknown.
    """
    ordered = sorted(all_found, key=lambda found: (found.handed_in or NEVER, found.number, found.place))
    numbers = [found.number for found in ordered]
    if len(ordered) > 1 and not download.versions:
        places = ["/".join(found.place) for found in ordered]
        notes.append(f"{one_line(student)} is there {len(ordered)} times, kept as attempts: {listed(places)}")
    if 0 in numbers or len(set(numbers)) < len(numbers):
        numbers = list(range(1, len(ordered) + 1))
    return sorted(zip(numbers, ordered, strict=True), key=lambda numbered: numbered[0])
