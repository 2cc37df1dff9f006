"""`grade hint TASK`: give the next hint for the first failure of a task, from the last results."""

from pathlib import Path

import click

from grader import last_results
from grader.catalog.tasks import registry
from grader.commands.options import STUDENT, typed
from grader.errors import FULL_MARKS, POINTS_LOST, InputError
from grader.judging import kinds
from grader.messages.catalogue import hints_for
from grader.reports.content import check_name
from grader.reports.table import wrapped
from grader.result import Verdict, first_failure
from grader.submissions.submission import check_folder, digest_of


@click.command()
@click.argument("task")
@STUDENT
def hint(task: str, student: Path) -> int:
    """Give the next of three hints for the first failure of TASK, without grading again.

    The first hint is a question, the second says where to look, and the third says what to change. When
    another failure becomes the first, its own hints begin. For `examples` there are three hints for each kind
    of bug that the boards miss. The exit status is 1 if there is a hint, and 0 if there is no failure.
    """
    named = registry().find(task)
    check_folder(student)
    results = last_results.results_of(student, task, [check.name for check in named.checks])
    again = f"grade {task}{typed(student)}"
    if not results:
        raise InputError(
            f"{task}: not graded yet, so there is nothing to hint at", f"grade it first: {again}"
        )
    failure = first_failure(results)
    if failure is None:
        more = "" if len(results) == len(named.checks) else f"   next: {again}"
        click.echo(f"{task}: no failure in the last results{more}")
        return FULL_MARKS
    fitting = hints_for(failure)
    chosen = fitting[:1] if kinds.of(named).runs_programs else fitting  # boards may miss several things
    levels = [(each.topic.partition(" ")[2], level) for each in chosen for level in each.levels]
    about = f"{failure.board} {chosen[0].topic}"
    number = min(last_results.count_hint(student, task, about), len(levels))
    ended = "not all points" if failure.verdict == Verdict.ACCEPTED else failure.verdict.words
    lines = [f"{check_name(failure)}: {ended}", ""]
    which, level = levels[number - 1]
    of_a_kind = which and failure.verdict == Verdict.ACCEPTED and not kinds.of(named).runs_programs
    kind = f" (of kind {which})" if of_a_kind else ""
    lines += wrapped(f"hint {number} of {len(levels)}{kind}: {level}", "", "  ")
    graded = last_results.load(student)[task].get("digest")
    if graded is not None and graded != digest_of(student, named):
        lines += ["", f"your files or the course have changed since the last full run: {again}"]
    more = f"another hint: grade hint {task}{typed(student)}"
    if number == len(levels):
        more = f"no more hints: see {named.handout}"
    lines += ["", f"next: try it, then: {again}", more]
    click.echo("\n".join(lines))
    return POINTS_LOST
