"""What the judge needs from whatever runs submissions: processes (in `parent`), or workers in a browser."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from grader.sandbox.outcome import Outcome

FAILURE_BYTES = 1 << 19  # the largest frame of a failure with all its values


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

    stop: threading.Event  # ends every wait immediately when it is set

    def warm(self) -> None:
        """Start now whatever the first check would otherwise have to wait for."""

    def runner(self, load: Load, hidden: bool) -> AbstractContextManager[Asks]:
        """Return the `Asks` of a submission, for a `with` block; `hidden`: for questions on hidden boards."""
