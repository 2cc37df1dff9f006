"""`grade viva`: questions about a student's own files, for a talk of five minutes or for oneself."""

import sys
import threading
from pathlib import Path

import click

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.commands.options import STUDENT, tell_tier
from grader.errors import FULL_MARKS, OUR_FAULT, POINTS_LOST, InputError
from grader.reports import content
from grader.reports.table import wrapped, wrapped_message
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import check_folder, read_submission
from grader.viva import pages
from grader.viva.pages import LETTERS
from grader.viva.paper import Paper, make_paper, tasks_to_ask_about

QUESTIONS = 6


@click.command()
@click.argument("names", nargs=-1, metavar="[TASK]...")
@STUDENT
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Other questions (default: 0)."
)
@click.option(
    "--questions", "number", type=click.IntRange(1, 50), default=QUESTIONS, metavar="N",
    help=f"How many questions at most (default: {QUESTIONS}).",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(list(pages.FORMATS)),
    help="Print the questions, and the key on a page of its own, instead of asking.",
)  # fmt: skip
def viva(names: tuple[str, ...], student: Path, seed: int, number: int, format_: str | None) -> int:
    """Answer questions about your own programs: what they do on small boards, and which line does it.

    Without TASK they are about each of peg2 to peg5 that runs. The answers are found by running the programs.
    They earn no points and cost none.
    """
    check_folder(student)
    tasks = _named(names) or list(tasks_to_ask_about().values())
    with Sandbox(tell_tier(), True, threading.Event()) as sandbox:
        paper, unasked = make_paper(
            paths.shown(student),
            lambda task: read_submission(student, task.files),
            tasks,
            sandbox,
            seed,
            number,
        )
    told = [each for each in unasked if names or not paper.questions]
    for each in told if names else told[:1]:
        lines = wrapped_message(f"{each.task}: nothing can be asked: {content.told(each.why)}")
        click.echo("\n".join(lines), err=True)
    if any(each.ours for each in told):
        return OUR_FAULT
    if not paper.questions:
        return POINTS_LOST
    if format_ is None and sys.stdin.isatty() and sys.stdout.isatty():
        _ask(paper)
    else:
        click.echo(pages.FORMATS[format_ or "text"](paper), nl=False)
    return POINTS_LOST if told else FULL_MARKS


def _named(names: tuple[str, ...]) -> list[Task]:
    """Return the tasks called `names`."""
    known = tasks_to_ask_about()
    for name in names:
        registry().find(name)
        if name not in known:
            raise InputError(f"{name}: there are no questions about it", f"tasks: {', '.join(known)}")
    return [task for name, task in known.items() if name in names]


def _ask(paper: Paper) -> None:
    """Ask one question after the other in the terminal."""
    right = answered = 0
    for place, question in enumerate(paper.questions, 1):
        click.echo(f"\n{place} of {len(paper.questions)}  {pages.text_of(question)}\n")
        letter = ""
        while letter not in (*LETTERS, "Q"):
            try:
                letter = input("A, B, C or D; q: quit > ").strip().upper() or " "
            except EOFError:
                letter = "Q"
        if letter == "Q":
            break
        answered += 1
        is_right = letter == LETTERS[question.right]
        right += is_right
        click.echo("right" if is_right else f"not {letter}, but {LETTERS[question.right]}:")
        click.echo(
            "\n".join(line for told in pages.reasons(question) for line in wrapped(told, "", "        "))
        )
    click.echo(f"\n{right} of {answered} right; other questions: grade viva --seed {paper.seed + 1}")
