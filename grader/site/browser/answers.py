"""What is said of a program in a browser beside a run: its film, a hint, how a prediction compares."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from grader.catalog.boards import find_board
from grader.catalog.tasks import Task
from grader.film.tell import check_task, record_in, tell_of
from grader.judging.grading import Choice
from grader.reports.content import HELP
from grader.site.browser.asking import Worker
from grader.site.browser.judge import STUDENT, card_of
from grader.site.browser.page import START_S, on_page
from grader.submissions.submission import Submission
from grader.tracing import predictions
from grader.tracing.program import Program
from grader.web import positions
from grader.web.helpers import answer_of, graded

Given = Mapping[str, Any]  # the job


def film(worker: Worker, task: Task, submission: Submission, given: Given) -> dict[str, Any]:
    """Return `film`, None if there is none, and `failed`, in words; it is empty if the program answered.

    Args:
        given: `position` is a board, perhaps after some jumps, as in an address.
    """
    check_task(task)
    board = positions.position_of(given["position"])
    told = tell_of(record_in(worker, submission, task, board), task, board)
    failed = "\n".join(on_page(line, task.name) for line in told.failed.splitlines())
    return {"film": None if told.shown is None else asdict(told.shown), "failed": failed}


def hint(worker: Worker, task: Task, submission: Submission, given: Given) -> dict[str, Any]:
    """Return the answer of a program on the board of 64 `cells`, as `grade play` has it."""
    choice = Choice(Path(STUDENT), tier=worker.tier)
    result = graded(task, given["cells"], worker, choice, lambda _: submission)
    return answer_of(result, card_of(replace(result.harmless(), board="")))


def comparison(worker: Worker, task: Task, submission: Submission, given: Given) -> dict[str, Any]:
    """Return the card that says how the student's `answer` compares with what the program does."""
    answer, question = given["answer"], task.question
    assert question is not None
    board = find_board(question.board)
    with Program(task, submission, worker, START_S) as program:
        said = predictions.compare(question, board, answer, program, "press Compare")
    lines = [said.program, *said.head.splitlines(), said.help and HELP + said.help, *said.told, said.last]
    card = {
        "headline": predictions.you_predicted(answer, predictions.choices(question, board)),
        "more": [on_page(line, "") for line in lines if line],
        "pictures": [{"cells": cells, "marks": [], "caption": whose} for whose, cells in said.boards],
    }
    return {"card": card}
