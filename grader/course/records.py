"""Records of who handed in what, passed between the parts of a class run."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@+")
_MAX_FILE_NAME = 120  # bytes; with a suffix still far below the 255 that file systems take


@dataclass(frozen=True)
class Student:
    """A student of the class.

    Attributes:
        id: unique: as in the roster, or as the platform names them.
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
        problem: why nothing of it can be read, or empty; a fault of one file is reported by its tasks.
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


def file_name_of(id: str) -> str:
    """Return a name for the files of the student called `id`, whatever characters the id has.

    Other ids have other names. A name is plain ASCII of at most 120 bytes, without separators, and does not
    begin with a dot. What is not plain is written as `%` and two hexadecimal digits a byte. A long name is
    cut, and ends with `~` and a digest of the whole id.
    """
    raw = id.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw) or "%"
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= _MAX_FILE_NAME:
        return name
    digest = "~" + hashlib.sha256(raw).hexdigest()[:32]
    return re.sub("%.?$", "", name[: _MAX_FILE_NAME - len(digest)]) + digest
