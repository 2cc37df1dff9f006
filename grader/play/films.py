"""Make films of the student's programs: they run as plain Python in the sandbox, beside those of hints."""

import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.film.record import SECONDS
from grader.film.tell import tell
from grader.play.programs import with_facts
from grader.web import positions

FILM = "film of "  # and a task's name: who is asked


class Films:
    """Makes one film at a time."""

    def __init__(self, student: Path) -> None:
        self._student = student
        self._stop = threading.Event()

    def warm(self) -> None:
        """Do nothing: few visitors want a film."""

    def answer(self, who: str, about: str) -> dict[str, Any]:
        """Return the film of a program, if there is one, and how the program failed, if it did.

        Args:
            who: FILM and the task.
            about: the position, as in an address.
        """
        task = registry().find(who.removeprefix(FILM))
        try:
            board = with_facts(positions.position_of(about))
            told = tell(self._student, task, board, compiled=False, stop=self._stop)
        except InputError as error:
            return {"film": None, "failed": f"{error.message}\nhelp: {error.help}"}
        return {"film": told.shown and asdict(told.shown), "failed": told.failed}

    def doing(self) -> dict[str, Any]:
        """Return what is being done; most films are made in a second."""
        return {"doing": "recording", "limit_s": SECONDS}

    def stop(self) -> None:
        """End the program; `answer` then returns immediately."""
        self._stop.set()

    def proceed(self) -> None:
        """Allow films again after a `stop`."""
        self._stop.clear()

    def close(self) -> None:
        """Do nothing: no process is kept."""
