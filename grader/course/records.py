"""Who handed in what: the records that the parts of a class run pass on."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Student:
    """A student of the class.

    Attributes:
        id: what tells them from all others: as in the roster, or as the platform names them.
        name: to be shown; the id where no name is known.
        email: empty where none is known.
        section: of the course; empty where none is known.
        on_roster: whether the roster lists them; true for all where there is no roster.
        platform_id: how the platform's gradebook calls them (Canvas's `ID`, Moodle's `Identifier`), or empty.
    """

    id: str
    name: str
    email: str = ""
    section: str = ""
    on_roster: bool = True
    platform_id: str = ""


@dataclass(frozen=True)
class Attempt:
    """One submission of one student.

    Attributes:
        student: the student's id.
        number: 1 for the first that was handed in.
        handed_in: when, in UTC; None where nothing says so.
        place: where it was found, for messages.
        problem: why nothing of it can be read, or empty; what is wrong with one file is told by its tasks.
        help: what to do about the problem, or empty.
        late_by_platform: whether the platform marked it late.
    """

    student: str
    number: int
    handed_in: datetime | None
    place: str
    problem: str = ""
    help: str = ""
    late_by_platform: bool = False
