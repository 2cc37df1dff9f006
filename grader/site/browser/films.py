"""The film of a program in a browser: the worker records the search, and the judge makes a film of it."""

import json
from dataclasses import asdict

from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.film.tell import check_task, record_in, tell_of
from grader.site.browser.asking import NeedsAnswer, Worker
from grader.site.browser.judge import submission_of
from grader.site.browser.page import on_page
from grader.submissions.source_file import SubmissionFault
from grader.web import positions


class FilmSession:
    """One film; `step` goes on until the recording is needed, and then to the end."""

    def __init__(self, job: str) -> None:
        """Prepare the film.

        Args:
            job: a JSON object: `task` is the task's name, `files` has the text of each file by name, and
                `position` is a board, perhaps after some jumps, as in an address.

        Raises:
            InputError: there is no such task or position, or no film of this task.
            SubmissionFault: a file is missing or cannot be read.
        """
        given = json.loads(job)
        self._task = registry().find(given["task"])
        check_task(self._task)
        self._board = positions.position_of(given["position"])
        self._submission = submission_of(self._task, given["files"])
        self._worker = Worker(debug=True)

    def step(self, answer: str = "") -> str:
        """Go on to the next question, or to the end.

        Args:
            answer: the outcome of the last question, as JSON; empty at first.

        Returns:
            A JSON object: `question` for the worker or, at the end, `film`, which is null if there is none,
            and `failed`, in words; it is empty if the program answered.
        """
        self._worker.answers.restart(answer)
        try:
            recording = record_in(self._worker, 0, self._submission, self._task, self._board)
        except NeedsAnswer as needed:
            return json.dumps({"question": needed.question})
        told = tell_of(recording, self._task, self._board)
        failed = "\n".join(on_page(line, self._task.name) for line in told.failed.splitlines())
        film = None if told.shown is None else asdict(told.shown)
        return json.dumps({"question": None, "film": film, "failed": failed})


def started(job: str) -> "FilmSession | str":
    """Return a new film; if there is none, return a JSON object with `message` and `help` instead."""
    try:
        return FilmSession(job)
    except (InputError, SubmissionFault) as error:
        return json.dumps({"message": error.message, "help": error.help})
