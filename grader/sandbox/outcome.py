"""Outcome of one child: how it ended, what it sent and printed, what it used."""

from dataclasses import dataclass
from enum import Enum, auto


class End(Enum):
    """How a child ended."""

    ANSWERED = auto()
    DIED = auto()  # without an answer
    CPU_LIMIT = auto()
    WALL_LIMIT = auto()
    MEMORY_LIMIT = auto()
    OUTPUT_LIMIT = auto()
    PREPARE_LIMIT = auto()  # importing took too long
    BAD_FRAME = auto()  # too much, or too many frames
    HOLDS_FILES = auto()  # it kept files open from one check to the next
    STOPPED = auto()  # by the judge's user
    FAULT = auto()  # the grader could not run it


@dataclass
class Outcome:
    """The outcome of one child.

    Attributes:
        end: how it ended.
        frame: its answer as it was sent, unchecked; empty when there is none.
        returncode: its exit status, negative for a signal, when it died by itself.
        cpu_s, wall_s, peak_mib: as in `Result`.
        head, tail: the beginning and the end of what it printed.
        fault: why the grader could not run it.
        report: the file with details of the fault.
        second: the outcome of the follow-up question, if one was asked.
    """

    end: End = End.DIED
    frame: bytes = b""
    returncode: int | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    head: bytes = b""
    tail: bytes = b""
    fault: str = ""
    report: str = ""
    second: "Outcome | None" = None
