"""The film of a program in a browser: the worker records the search, and the judge makes a film of it."""

import json
from dataclasses import asdict
from typing import Any

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task, registry
from grader.errors import InputError
from grader.film.tell import check_task, record_in, tell_of
from grader.site.browser.asking import Replayed, Worker
from grader.site.browser.judge import refused, submission_of
from grader.site.browser.page import on_page
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission
from grader.web import positions


def started(job: str) -> "Replayed | str":
    """Return a film that is to be made, or why there is none, as JSON.

    Args:
        job: a JSON object: `task` is the task's name, `files` has the text of each file by name, and
            `position` is a board, perhaps after some jumps, as in an address.
    """
    given = json.loads(job)
    try:
        task = registry().find(given["task"])
        check_task(task)
        board = positions.position_of(given["position"])
        submission = submission_of(task, given["files"])
    except (InputError, SubmissionFault) as error:
        return refused(error)
    return Replayed(lambda worker: _film(worker, task, submission, board))


def _film(worker: Worker, task: Task, submission: Submission, board: NamedBoard) -> dict[str, Any]:
    """Return `film`, None if there is none, and `failed`, in words; it is empty if the program answered."""
    told = tell_of(record_in(worker, submission, task, board), task, board)
    failed = "\n".join(on_page(line, task.name) for line in told.failed.splitlines())
    return {"film": None if told.shown is None else asdict(told.shown), "failed": failed}
