"""The question on a program in a browser: an answer beside what it does, as `grade predict` says it."""

import json
from typing import Any

from grader.catalog.boards import find_board
from grader.catalog.tasks import Task, registry
from grader.reports.content import HELP
from grader.site.browser.asking import Replayed, Worker
from grader.site.browser.judge import refused, submission_of
from grader.site.browser.page import START_S, on_page
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission
from grader.tracing import predictions
from grader.tracing.program import Program


def started(job: str) -> "Replayed | str":
    """Return a comparison that is to be made, or why there is none, as JSON.

    Args:
        job: a JSON object: `task` is the name of a task with a question, `files` has the text of each file
            by name, and `answer` is the student's.
    """
    given = json.loads(job)
    task = registry().tasks[given["task"]]
    try:
        submission = submission_of(task, given["files"])
    except SubmissionFault as error:
        return refused(error)
    return Replayed(lambda worker: {"card": _card(worker, task, submission, given["answer"])})


def _card(worker: Worker, task: Task, submission: Submission, answer: str) -> dict[str, Any]:
    """Return the card that says how an answer compares with what the program does."""
    question = task.question
    assert question is not None
    board = find_board(question.board)
    with Program(task, submission, worker, START_S) as program:
        said = predictions.compare(question, board, answer, program, "press Compare")
    lines = [said.program, *said.head.splitlines(), said.help and HELP + said.help, *said.told, said.last]
    return {
        "headline": predictions.you_predicted(answer, predictions.choices(question, board)),
        "more": [on_page(line, "") for line in lines if line],
        "pictures": [{"cells": cells, "marks": [], "caption": whose} for whose, cells in said.boards],
    }
