"""Define the records that the parts of a class run exchange, and write results as text for the store."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grader.result import Picture, Result, Verdict

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@+")
_MAX_FILE_NAME = 120  # bytes; far below the 255 that file systems allow, even with a suffix


@dataclass(frozen=True)
class Student:
    """A student of the class."""

    id: str
    name: str
    email: str = ""
    section: str = ""
    on_roster: bool = True
    # the id in the platform's gradebook (Canvas's `ID`, Moodle's `Identifier`), or empty
    platform_id: str = ""

    def is_called(self, name: str) -> bool:
        """Return whether a name in a course's file is this student's id, or e-mail address in any case."""
        return name == self.id or (name.lower() == self.email.lower() != "")


@dataclass(frozen=True)
class Attempt:
    """One submission of one student."""

    student: str
    number: int
    handed_in: datetime | None  # the time in UTC; None if unknown
    place: str
    # why none of it can be read, or empty; faults of single files are reported with their tasks
    problem: str = ""
    help: str = ""
    late_by_platform: bool = False
    slips: tuple[str, ...] = ()
    # the tasks' files that are its own where `attempts: merge` keeps others; None for all of them
    new: tuple[str, ...] | None = None


def file_name_of(id: str) -> str:
    """Return a name for the files of the student called `id`, whatever characters the id has.

    Different ids have different names. A name has at most 120 characters, all of them ASCII letters, digits
    or a few safe signs, and does not begin with a dot. Any other byte of the id is written as `%` and two
    hexadecimal digits. A longer name is cut, and ends with `~` and a digest of the whole id.
    """
    raw = id.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw) or "%"
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= _MAX_FILE_NAME:
        return name
    digest = "~" + hashlib.sha256(raw).hexdigest()[:32]
    return re.sub("%.?$", "", name[: _MAX_FILE_NAME - len(digest)]) + digest


_NEEDED = ("task", "board", "verdict", "max_points")  # fields without a default
_BLANK = vars(Result("", "", Verdict.NOT_RUN, 0))


def format_result(result: Result) -> str:
    """Return a record as one line of JSON; fields with their default value are left out."""
    data = {name: value for name, value in vars(result).items() if name in _NEEDED or value != _BLANK[name]}
    return json.dumps(data, separators=(",", ":"))


def parse_result(text: str) -> Result:
    """Return the record in a text written by `format_result`."""
    data: dict[str, Any] = json.loads(text)
    data["verdict"] = Verdict(data["verdict"])
    data["jumps"] = [tuple(jump) for jump in data.get("jumps", [])]
    data["figures"] = tuple((title, value) for title, value in data.get("figures", []))
    data["values"] = tuple((name, value) for name, value in data.get("values", []))
    data["pictures"] = tuple(
        Picture(cells, tuple((mark, row, col) for mark, row, col in marks), caption)
        for cells, marks, caption in data.get("pictures", [])
    )
    return Result(**data)
