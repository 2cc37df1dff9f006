"""Read a class's submissions from a folder or a download, with or without a roster."""

import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from typing import Self

from grader import paths
from grader.catalog.tasks import registry
from grader.course.handins.downloads import recognize
from grader.course.handins.found import Download, Found, Person
from grader.course.handins.moments import NEVER, YEARS
from grader.course.handins.roster import Roster, find_owners
from grader.course.handins.roster_file import read_roster
from grader.course.handins.times_file import Times, read_times
from grader.course.handins.worksheet import Worksheet
from grader.course.records import Attempt, Student
from grader.errors import InputError
from grader.safe_text import listed, one_line
from grader.submissions.archives import ZipTree
from grader.submissions.gather import Content, gather
from grader.submissions.locate import UNREADABLE, Seen, adds_nothing, has_less, lack, seen
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FolderTree, Tree


@dataclass(frozen=True)
class Handin:
    """One attempt and its files."""

    attempt: Attempt
    _files: Mapping[str, Content] = field(default_factory=dict)
    missing: bool = False  # whether the problem is that there is no file
    ours: bool = False  # whether it is that this machine could not read them
    beside: tuple[str, ...] = ()

    def after(self, before: Self) -> Self:
        """Return this attempt with the files of the one before it that it lacks, and say which are new.

        It lacks one that is the same there, or that is a stub here and is written there.
        """
        kept, told = {}, []
        for name, content in before._files.items():
            if name in self._files:
                mine, other = _seen(self._files[name], name), _seen(content, name)
                if not adds_nothing(mine, other):
                    continue
                if has_less(mine, other):
                    told.append(f"an earlier {name} is kept: {lack(mine)} in attempt {self.attempt.number}")
            kept[name] = content
        if not kept:
            return self
        new = tuple(sorted(self._files.keys() - kept.keys()))
        attempt = replace(self.attempt, new=new, slips=(*self.attempt.slips, *told))
        return replace(self, attempt=attempt, _files={**self._files, **kept})

    @property
    def names(self) -> list[str]:
        """The names of the task files that were handed in."""
        return sorted(self._files)

    def read(self, name: str) -> bytes | None:
        """Return the content of the task's file `name`, or None if it was not handed in."""
        found = self._files.get(name)
        if isinstance(found, SubmissionFault):
            raise found
        return found


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
    students = find_owners([found.person for found in download.found], known, notes)
    if known and (theirs := [p for p, group in students.items() if group[0].id in known.staff]):
        notes.append(f"left aside, handed in by these: {listed([students.pop(p)[0].id for p in theirs])}")
    whose: defaultdict[str, list[Found]] = defaultdict(list)
    for found in download.found:
        if found.person not in students:
            continue
        for student in students[found.person]:
            whose[student.id].append(found)
    handins = [
        _handin(tree, found, student, number, names)
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


def _handin(tree: Tree, found: Found, student: str, number: int, names: frozenset[str]) -> Handin:
    """Return an attempt with its files, or with the problem that makes them unusable."""
    place = tree.shown(found.place)
    attempt = Attempt(student, number, found.handed_in, place, late_by_platform=found.late)
    try:
        gathered = gather(tree, found.folder, found.files, names)
    except SubmissionFault as fault:
        told = replace(attempt, problem=fault.message, help=fault.help)
        return Handin(told, missing=fault.missing, ours=fault.ours)
    attempt = replace(attempt, place=gathered.place, slips=tuple(gathered.slips))
    return Handin(attempt, gathered.files, beside=tuple(dict.fromkeys(gathered.loose)))


def _seen(content: Content, name: str) -> Seen | None:
    if isinstance(content, SubmissionFault):
        return None if content.ours else UNREADABLE
    return seen(content, name)


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

    So does one whose time in the download is only the student's claim.
    """
    versions = download.versions
    last = {handin.attempt.student: handin for handin in handins}
    for handin in handins:
        attempt, time = handin.attempt, handin.attempt.handed_in
        is_last = handin is last[attempt.student]
        if time is None or download.claims:
            if known and is_last:
                time = known.times.get(attempt.student) or time
            if told and (versions or is_last):
                time = told.of(attempt.student, attempt.number if versions else None) or time
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
            "no submission has a hand-in time, so no rule about lateness can apply; `times: FILE` in "
            "course.yaml takes a platform's export of them, and a roster may have a column handed_in"
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
