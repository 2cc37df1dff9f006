"""Recognize Moodle's grading worksheet in any language, by the places and patterns of its columns.

Moodle writes the headings in the language of whoever downloads it, and finds them again, on import, by the
very same words. In every language the order of the columns is that of mod/assign/gradingtable.php: who it is
(such as `Participant 12`), the full name unless names are hidden, further details, the status, the grade and
its maximum, when the submission and when the grade were last changed, and the feedback.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from grader.course.handins.moments import dates_in_words

_WHO = re.compile(r"(\D*?) ?(\d{1,18})")
_NUMBER = re.compile(r"\d{1,6}([.,]\d{1,5})?")
_TWO = re.compile(r"(?P<of>.+?)\s*[(\uff08][^()\uff08\uff09]+[)\uff09]")  # `Last modified (grade)`
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_ID = re.compile(r"[\w.-]{2,40}")


@dataclass(frozen=True)
class Worksheet:
    """A worksheet as Moodle wrote it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    grade: int
    changed: int
    feedback: int | None
    columns: Mapping[str, int]  # further columns, by the names that they have in a roster
    # when each row's submission was last changed, without a zone; None where it is not known
    times: Sequence[datetime | None]
    unread: bool = False  # whether there are such times, but in words that cannot be read
    ids: list[str] = field(default_factory=list)

    def without_files(self, handed_in: Collection[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield each status that most students with files have, and the ids of those who have it without."""
        by_status: defaultdict[str, list[str]] = defaultdict(list)
        for id, row in zip(self.ids, self.rows, strict=True):
            by_status[row[self.grade - 1].partition(" - ")[0]].append(id)
        for status, ids in by_status.items():
            lacking = [id for id in ids if id not in handed_in]
            if 0 < 2 * len(lacking) < len(ids):
                yield status, lacking

    @property
    def maximum(self) -> Decimal:
        """The assignment's maximum grade."""
        return Decimal(self.rows[0][self.grade + 1].replace(",", "."))

    @property
    def needs_the_box(self) -> bool:
        """Whether Moodle updates grades only if a box is ticked, since it reads dates in English only."""
        return self.header[0] != "Identifier" and any(
            re.search(r"\d", row[self.changed]) for row in self.rows
        )


def read_worksheet(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Worksheet | None:
    """Return the worksheet in a table, or None if the table is none."""
    if not rows or any(len(row) != len(header) for row in rows):
        return None
    columns = [[row[index] for row in rows] for index in range(len(header))]
    people = [_WHO.fullmatch(cell) for cell in columns[0]]
    who = {match[1] for match in people if match}
    changes = _changes(header)
    if None in people or len(who) != 1 or who == {""} or changes is None:
        return None
    submitted, changed = changes
    before = range(submitted - 1, 2, -1)  # the grades, too, may all be the same number
    most = next((index for index in before if _is_maximum(columns[index])), None)
    if most is None:
        return None
    detail = range(1, most - 1)
    email = next((index for index in detail if _all(columns[index], _EMAIL)), None)
    number = next((index for index in detail if index not in (1, email) and _is_id(columns[index])), None)
    # Where names are hidden, the status takes their place.
    said = {cell.partition(" - ")[0] for cell in columns[1]}
    name = 1 if most > 3 and 2 * len(said) > len(rows) else None
    known = {"full name": name, "moodle id": 0, "email address": email, "id number": number}
    times = dates_in_words(columns[submitted])
    return Worksheet(
        header,
        rows,
        grade=most - 1,
        changed=changed,
        feedback=changed + 1 if changed + 1 < len(header) else None,
        columns={name: index for name, index in known.items() if index is not None},
        times=times or [None] * len(rows),
        unread=times is None and any(re.search(r"\d", cell) for cell in columns[submitted]),
    )


def _changes(header: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of the last changes: two headings that differ only in what is in brackets."""
    first: dict[str, int] = {}
    for index, name in enumerate(header):
        match = _TWO.fullmatch(name)
        if match and match["of"] in first:
            return first[match["of"]], index
        if match:
            first[match["of"]] = index
    return None


def _is_maximum(cells: Sequence[str]) -> bool:
    """Return whether a column has the same number in each row."""
    return len(set(cells)) == 1 and bool(_NUMBER.fullmatch(cells[0]))


def _all(cells: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Return whether all cells but the empty ones fit a pattern, and there is one."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(pattern.fullmatch(cell) for cell in filled)


def _is_id(cells: Sequence[str]) -> bool:
    """Return whether a column has something like a student number: in each row one of its own."""
    return (
        len(cells) > 1
        and len(set(cells)) == len(cells)
        and _all(cells, _ID)
        and any(any(letter.isdigit() for letter in cell) for cell in cells)
    )
