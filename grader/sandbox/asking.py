"""What the judge needs from whatever runs submissions: processes (in `parent`), or workers in a browser.

It asks a child, and gets its outcome: how it ended, what it sent and printed, and the resources it used.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Protocol

FAILURE_BYTES = 1 << 19  # the largest frame of a failure with all its values


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


@dataclass(frozen=True)
class Basis:
    """What a submission shares with others: all its files but the task's own."""

    folder: Path  # their clean folder; it may not exist
    module: str  # the last of these files, without `.py`
    # the functions of these files and of the framework that the task's own file uses
    functions: frozenset[str]
    make: Callable[[], Path] = field(compare=False)  # makes the clean folder


@dataclass(frozen=True)
class Load:
    """What a child imports."""

    folder: Path  # the submission's clean folder
    module: str  # the name of the task's own file, without `.py`
    memory_mib: int  # the limit on resident memory
    answer_bytes: int = FAILURE_BYTES  # the largest frame that is kept
    basis: Basis | None = None  # what it shares with other submissions, if known


class Asks(Protocol):
    """Asks processes or workers that run one submission."""

    @property
    def has_compiled_code(self) -> bool:
        """Whether there was a compile run, or none is needed."""

    def run(self, request: dict[str, Any], cpu_s: float) -> Outcome:
        """Ask a fresh child, with a limit on its CPU seconds."""

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Run the submission only to keep its compiled code."""


class Place(Protocol):
    """The place where one run of the grader runs submissions."""

    tier: int  # of what confines a submission, see confine/tiers.py
    stop: threading.Event  # ends every wait immediately when it is set

    def warm(self) -> None:
        """Start now whatever the first check would otherwise have to wait for."""

    def runner(self, load: Load, hidden: bool) -> AbstractContextManager[Asks]:
        """Return the `Asks` of a submission, for a `with` block; `hidden`: for questions on hidden boards."""
