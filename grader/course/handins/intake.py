"""Read a class's submissions from a folder or a download, with or without a roster."""

import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader import paths
from grader.catalog.tasks import registry
from grader.course.handins.downloads import recognize
from grader.course.handins.found import YEARS, Download, Found, Person, listed
from grader.course.handins.roster import Roster, as_known, read_roster
from grader.course.records import Attempt, Student
from grader.errors import InputError
from grader.safe_text import one_line
from grader.submissions.archives import FOLDER, FolderTree, PackedTree, Parts, Tree, ZipTree, is_archive
from grader.submissions.locate import STUDENT, Holders, locate
from grader.submissions.submission import SubmissionFault


@dataclass(frozen=True)
class Handin:
    """One attempt and its files, which are read only when asked for.

    Attributes:
        attempt: the student, the hand-in time, and any problem with the attempt as a whole.
    """

    attempt: Attempt
    _tree: Tree
    _files: Mapping[str, Parts]

    def read(self, name: str) -> bytes | None:
        """Return the content of the task's file `name`, or None if it was not handed in.

        Raises:
            SubmissionFault: the file is no regular file, is too large, or cannot be read.
        """
        if name not in self._files:
            return None
        return self._tree.read(self._files[name], f"{STUDENT}/{name}")


@dataclass(frozen=True)
class Intake:
    """A class and its submissions.

    Attributes:
        students: everybody on the roster and everybody who handed in, sorted by id.
        handins: all attempts, sorted by student and number.
        notes: remarks for the instructor, one line each.
        layout: the recognized layout of the folder, such as `a Gradescope download`.
    """

    students: list[Student]
    handins: list[Handin]
    notes: list[str]
    layout: str


def take_in(folder: Path, roster: Path | None = None) -> Intake:
    """Return the class and its submissions.

    Args:
        folder: the submissions: a folder, or a .zip as downloaded.
        roster: a CSV file of the students, or None.

    Raises:
        InputError: the folder or the roster cannot be used; nothing was graded.
    """
    names = frozenset(file for task in registry().tasks.values() for file in task.files)
    known = read_roster(roster) if roster else None
    try:
        tree = _open(folder)
        download = recognize(tree, names, known)
    except SubmissionFault as fault:
        raise InputError(fault.message, fault.help) from None
    notes = list(download.notes)
    students = _students([found.person for found in download.found], known, notes)
    whose: defaultdict[str, list[Found]] = defaultdict(list)
    for found in download.found:
        whose[students[found.person].id].append(found)
    handins = [
        _handin(tree, found, student, number, names, notes)
        for student, all_found in sorted(whose.items())
        for number, found in _numbered(student, all_found, download, notes)
    ]
    if known:
        handins = list(_timed(handins, known.times))
    timeless = [handin.attempt.student for handin in handins if handin.attempt.handed_in is None]
    if timeless and len(timeless) == len(handins):
        notes.append(
            "no submission has a hand-in time, so no rule about lateness can apply; "
            "a roster can give the times, in a column handed_in"
        )
    elif timeless:
        known_times = f"no time from {YEARS[0]} to {YEARS[-1]} with its zone"
        notes.append(f"{known_times} says when these were handed in: {listed(timeless)}")
    class_ = {student.id: student for student in students.values()}
    if known:
        absent = [student for id, student in sorted(known.students.items()) if id not in class_]
        class_.update((student.id, student) for student in absent)
        if absent:
            notes.append(f"{len(absent):,} on the roster handed in nothing: {listed([s.id for s in absent])}")
    return Intake([student for _, student in sorted(class_.items())], handins, notes, download.layout)


def _timed(handins: Sequence[Handin], times: Mapping[str, datetime]) -> Iterator[Handin]:
    """Yield the submissions; if a student's last submission has no time, it gets the one in the roster."""
    last = {handin.attempt.student: handin for handin in handins}
    for handin in handins:
        attempt = handin.attempt
        if attempt.handed_in is None and handin is last[attempt.student]:
            attempt = replace(attempt, handed_in=times.get(attempt.student))
        yield replace(handin, attempt=attempt)


def _open(folder: Path) -> Tree:
    """Return the tree of files in the folder or .zip that the instructor named.

    Raises:
        InputError: it does not exist, or is neither a folder nor a .zip.
        SubmissionFault: the .zip is broken.
    """
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


def _students(people: Sequence[Person], roster: Roster | None, notes: list[str]) -> dict[Person, Student]:
    """Return the student for each person; a person who is not on the roster becomes a new student."""
    apart = _told_apart(people, notes)
    matches = _matches(people, apart, roster, notes) if roster else {}
    students = {}
    unsure: defaultdict[str, set[str]] = defaultdict(set)
    for person in people:
        if person in matches:
            student, how = matches[person]
            students[person] = as_known(student, person)
            if how:
                unsure[how].add(f"{person.name or person.id} as {student.id}")
        else:
            id = (replace(person, login="").id if person in apart else "") or person.id
            taken = roster is not None and id in roster.students  # by chance, as a number may be
            students[person] = Student(
                f"{id} (not on the roster)" if taken else id,
                person.name or id,
                person.email,
                on_roster=roster is None,
                platform_id=person.platform_id,
            )
    for how, found in unsure.items():
        notes.append(f"{len(found):,} found on the roster by {how}: {listed(sorted(found))}")
    strangers = sorted({student.id for student in students.values() if not student.on_roster})
    if strangers and not matches:
        notes.append("nobody who handed in is on the roster: is it this class's?")
    if strangers:
        notes.append(f"{len(strangers):,} not on the roster, graded all the same: {listed(strangers)}")
    return students


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
        if person.account != person.login.casefold():
            unsure = 0 if roster.by_email(person) == student else 2 if how else 1
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
    ordered = sorted(all_found, key=lambda found: (found.handed_in or _NEVER, found.number, found.place))
    numbers = [found.number for found in ordered]
    if len(ordered) > 1 and not download.versions:
        places = ["/".join(found.place) for found in ordered]
        notes.append(f"{one_line(student)} is there {len(ordered)} times, kept as attempts: {listed(places)}")
    if 0 in numbers or len(set(numbers)) < len(numbers):
        numbers = list(range(1, len(ordered) + 1))
    return sorted(zip(numbers, ordered, strict=True), key=lambda numbered: numbered[0])


_NEVER = datetime.min.replace(tzinfo=UTC)


# ---- files -------------------------------------------------------------------------------------


def _handin(
    tree: Tree, found: Found, student: str, number: int, names: frozenset[str], notes: list[str]
) -> Handin:
    """Return an attempt with its files, or with the problem that makes them unusable."""
    place = tree.shown(found.place)
    attempt = Attempt(student, number, found.handed_in, place, late_by_platform=found.late)
    try:
        tree, holders = _look(tree, found, names)
    except SubmissionFault as fault:
        return Handin(replace(attempt, problem=fault.message, help=fault.help), tree, {})
    if len(holders) > 1:
        taken, *others = ["/".join(holder) for holder in holders]
        notes.append(
            f"{one_line(student)}: several folders hold files of the tasks; "
            f"{one_line(taken)} is taken, left aside: {listed(others)}"
        )
    holder, files = next(iter(holders.items()))
    return Handin(replace(attempt, place=tree.shown(holder)), tree, files)


def _look(tree: Tree, found: Found, names: frozenset[str]) -> tuple[Tree, Holders]:
    """Return the tree that holds a submission's files, and the folders in it where they are.

    The tree is the download itself, or an archive in it.

    Raises:
        SubmissionFault: no task file can be found.
    """
    if found.folder is None:
        files = {name: parts for name, parts in found.files.items() if name in names}
        if files:
            return tree, {found.place: files}
        packed = [parts for name, parts in found.files.items() if is_archive(name)]
        loose = [name for name in found.files if not is_archive(name)]
    else:
        kind = tree.kind(found.folder)
        if kind != FOLDER:
            raise SubmissionFault(
                f"{one_line(found.folder[-1])}: expected a folder, found a {kind}",
                "ask for the files themselves, or download the submissions again",
            )
        holders, packed, loose = locate(tree, found.folder, names, one_line(found.folder[-1]))
        if holders:
            return tree, holders
    if len(packed) > 1:
        raise SubmissionFault(
            f"expected one archive, found {listed([parts[-1] for parts in packed])}",
            "hand in the files themselves, or one .zip of them",
        )
    if not packed:
        raise _nothing_found(names, loose)
    inner = PackedTree(tree, packed[0], names)
    holders, packed, loose = locate(inner, (), names, one_line(packed[0][-1]))
    if holders:
        return inner, holders
    if packed:
        raise SubmissionFault(
            f"{one_line(packed[0][-1])}: an archive inside an archive is not opened",
            "hand in the files themselves, or one .zip of them",
        )
    raise _nothing_found(names, loose)


def _nothing_found(names: frozenset[str], there: Collection[str]) -> SubmissionFault:
    """Return the fault to report for a submission without any task file."""
    if not there:
        return SubmissionFault(
            "the submission is empty", f"hand in the tasks' files: {', '.join(sorted(names))}"
        )
    return SubmissionFault(
        f"the submission has no task file, found {listed(sorted(there), 3)}",
        f"keep the files' names: {', '.join(sorted(names))}",
    )
