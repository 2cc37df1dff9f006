"""What the judge needs of a place where submissions run: `parent` has processes, a browser has workers."""

import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from grader.sandbox.outcome import Outcome

FAILURE_BYTES = 1 << 19  # the largest frame of a failure with all its values


@dataclass(frozen=True)
class Load:
    """What a child imports.

    Attributes:
        folder: the submission's clean folder.
        module: the name of the task's own file, without `.py`.
        memory_mib: the limit on resident memory.
        cpu_s: the largest limit of a check in CPU seconds; the system kills every process beyond it.
        answer_bytes: the largest frame that is kept.
        basis: the clean folder of an earlier task with some of the same files; it may not exist.
    """

    folder: Path
    module: str
    memory_mib: int
    cpu_s: float
    answer_bytes: int = FAILURE_BYTES
    basis: Path | None = None


class Asks(Protocol):
    """Asks children of one submission; use it in a `with` block."""

    def __enter__(self) -> "Asks": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def has_compiled_code(self) -> bool:
        """Whether there was a compile run, or none is needed."""

    def run(self, request: dict[str, Any], cpu_s: float, more: dict[str, Any] | None = None) -> Outcome:
        """Ask a fresh child within a limit of CPU seconds; send it `more` if it answers."""

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Run the submission only to keep its compiled code."""


class Place(Protocol):
    """Where the submissions of a run of the grader are run.

    Attributes:
        stop: ends every wait immediately when it is set.
    """

    stop: threading.Event

    def warm(self) -> None:
        """Start now what the first check would have to wait for."""

    def runner(self, load: Load, hidden: bool) -> Asks:
        """Return what asks children of a submission; if `hidden`, about hidden boards."""
