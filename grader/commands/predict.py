"""`grade predict TASK`: ask what a program will do, keep the answer, and compare it later."""

import sys
import threading
from pathlib import Path

import click

from framework.board import draw_board
from grader import last_results
from grader.catalog.boards import NamedBoard, find_board
from grader.catalog.tasks import Question, Task, registry
from grader.commands.options import STUDENT, tell_tier, typed
from grader.errors import FULL_MARKS, OUR_FAULT, POINTS_LOST, InputError
from grader.reports.content import HELP
from grader.reports.table import wrapped, wrapped_message
from grader.result import Verdict
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import check_folder, read_submission
from grader.tracing import predictions
from grader.tracing.predictions import Comparison
from grader.tracing.program import Program
from grader.viva.pages import beside, box, rows_of

A_ROW = 4  # small boards beside each other


@click.command()
@click.argument("task")
@STUDENT
@click.option(
    "--answer", metavar="X",
    help="Give the answer, the number of a choice, and do not ask; a former answer is forgotten.",
)  # fmt: skip
def predict(task: str, student: Path, answer: str | None) -> int:
    """Predict what your program for TASK will do on a small board, before you write it.

    Your answer is kept. Type the same command again once the program is written, and it is compared with
    what your program does. It earns no points and costs none.
    """
    named = registry().find(task)
    question = named.question
    if question is None:
        with_one = [each.name for each in registry().tasks.values() if each.question is not None]
        raise InputError(
            f"{task}: there is nothing to predict", f"tasks that have a question: {', '.join(with_one)}"
        )
    check_folder(student)
    board = find_board(question.board)
    choices = predictions.choices(question, board)
    command = f"grade predict {task}{typed(student)}"
    kept = _kept(student, named, question, choices) if answer is None else None
    if kept is None:
        if answer is None:
            click.echo(_asked(question, board, choices))
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                click.echo(f"\nto answer: {command} --answer N")
                return FULL_MARKS
            answer = click.prompt("\nyour answer", prompt_suffix=" > ")
            click.echo("")
        kept = read_answer(answer, choices)
        data = {"kind": question.kind, "board": question.board, "answer": kept}
        last_results.keep_prediction(student, task, data)
    return _compare(named, question, board, student, kept, choices, command)


def _kept(student: Path, task: Task, question: Question, choices: list[str]) -> str | None:
    """Return the answer that is kept, if it is an answer to this very question."""
    kept = last_results.prediction_of(student, task.name)
    same = (kept.get("kind"), kept.get("board")) == (question.kind, question.board)
    answer = kept.get("answer")
    fits = answer in choices if choices else isinstance(answer, str) and answer.isdecimal()
    return str(answer) if same and fits else None


def read_answer(typed: str, choices: list[str]) -> str:
    """Return the choice that was typed, by its number or as a jump; without choices, a number."""
    said = typed.strip()
    is_number = said.isdecimal() and said.isascii() and len(said) <= 6
    if not choices:
        if not is_number:
            raise InputError(f"expected a number, found {said!r:.40}", "type how many, as in: --answer 7")
        return str(int(said))
    if said in choices:
        return said
    if is_number and 1 <= int(said) <= len(choices):
        return choices[int(said) - 1]
    raise InputError(
        f"expected a number from 1 to {len(choices)}, found {said!r:.40}", "type one of these numbers"
    )


# ---- words and drawings --------------------------------------------------------------------------


def _asked(question: Question, board: NamedBoard, choices: list[str]) -> str:
    """Return the question with its board and its choices."""
    lines = [question.words.replace("`", ""), "", draw_board(board.board)]
    if choices and predictions.is_board(choices[0]):
        pictures = [[str(number), *small(choice)] for number, choice in enumerate(choices, 1)]
        for first in range(0, len(choices), A_ROW):
            lines += ["", *beside(pictures[first : first + A_ROW], "")]
    elif choices:
        lines += ["", *(f"{number}  {choice}" for number, choice in enumerate(choices, 1))]
    return "\n".join(lines)


def small(cells: str) -> list[str]:
    """Return a board, given as 64 cells, as lines: only the rows and columns that have holes."""
    return rows_of(cells, box(cells))


def _text(said: Comparison) -> str:
    """Return a comparison as text."""
    lines = [said.program, ""] if said.program else []
    lines += wrapped_message("\n".join([said.head, *([HELP + said.help] if said.help else [])]))
    for told in said.told:
        lines += wrapped(told, "  ", "    ")
    for whose, cells in said.boards:
        lines += ["", f"  {whose}:", *(f"    {row}" for row in small(cells))]
    if said.last:
        lines += ["", said.last] if said.program else [said.last]
    return "\n".join(lines)


# ---- the program ---------------------------------------------------------------------------------


def _compare(
    task: Task,
    question: Question,
    board: NamedBoard,
    student: Path,
    predicted: str,
    choices: list[str],
    command: str,
) -> int:
    """Run the program, if it is written, and tell whether the prediction was right."""
    click.echo(predictions.you_predicted(predicted, choices))
    try:
        submission = read_submission(student, task.files)
    except SubmissionFault as fault:
        click.echo("\n".join(wrapped_message(f"{fault.message}\n{HELP}{fault.help}")))
        return POINTS_LOST
    with (
        Sandbox(tell_tier(), True, threading.Event()) as sandbox,
        Program(task, submission, sandbox) as program,
    ):
        said = predictions.compare(question, board, predicted, program, command, typed(student))
    click.echo(_text(said))
    if said.failed is None:
        return FULL_MARKS
    return OUR_FAULT if said.failed == Verdict.GRADER_ERROR else POINTS_LOST
