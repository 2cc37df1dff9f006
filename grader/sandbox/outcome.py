"""The outcome of one child: how it ended, what it sent and printed, and the resources it used."""

from dataclasses import dataclass, field
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
    BAD_FRAME = auto()  # it sent a frame that is too large, or more than one
    IDLE = auto()  # not run: earlier checks waited too long in all
    STOPPED = auto()  # by the judge's user
    FAULT = auto()  # the grader could not run it


@dataclass
class Outcome:
    """The outcome of one child."""

    end: End = End.DIED
    frame: bytes = b""  # its answer as it was sent, unchecked; empty when there is none
    returncode: int | None = None  # its exit status, negative for a signal, when it died by itself
    cpu_s: float = 0.0  # this and the next two as in `Result`
    wall_s: float = 0.0
    peak_mib: float = 0.0
    head: bytes = b""  # the beginning of what it printed
    tail: bytes = b""  # the end of it
    fault: str = ""  # why the grader could not run it
    report: str = ""  # the file with details of the fault
    # the outcomes of the questions that verify its answer, each asked in a child of its own
    more: "list[Outcome]" = field(default_factory=list)
    # the outcomes of the two questions that look boards up in its table, if they were asked
    looked_up: "list[Outcome]" = field(default_factory=list)
    # seconds that it slept or waited for anything but a core, while it was loaded or asked, and CPU seconds
    # of loading beyond IMPORT_CPU_S
    idle_s: float = 0.0
    importing: bool = False  # whether it ended before its files were imported, and so before it was asked
