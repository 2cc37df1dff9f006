"""`grade pegmark`: measure how evenly client.key_hash spreads boards over the hash table's chains."""

import threading
from pathlib import Path

import click

from framework.board import SIZE
from grader import folders, paths
from grader.catalog.tasks import Asked, Check, registry
from grader.commands import chain_picture
from grader.commands.chain_picture import Chains
from grader.commands.options import PATH, STUDENT, writable
from grader.commands.output import tell_tier
from grader.errors import FULL_MARKS, POINTS_LOST, InputError
from grader.judging.judge import Judge
from grader.judging.kinds import client
from grader.judging.kinds.client_verdicts import GOOD
from grader.judging.spread import Spread, spread
from grader.sandbox.asking import Load
from grader.sandbox.confine import offers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import read_submission

BOARDS = 50_000
CPU_S = 30.0


@click.command()
@STUDENT
@click.option(
    "-o", "output", type=PATH, metavar="FILE.svg", callback=writable,
    help="Also write a drawing of the chains to FILE.svg.",
)  # fmt: skip
def pegmark(student: Path, output: Path | None) -> int:
    """Measure how evenly client.key_hash spreads boards over the chains of the hash table.

    For comparison, the report also shows the course's own hash function (if it is
    here), a poor one, and the spread to expect by chance.
    """
    if output is not None and output.suffix != ".svg":
        raise InputError(f"-o {output}: expected a name that ends in .svg", f"-o {output.stem}.svg")
    tier = tell_tier()
    columns: list[Chains] = []
    if student.resolve() != paths.REFERENCE:
        found = _measure(student, tier)
        if isinstance(found, str):
            click.echo(found)
            return POINTS_LOST
        columns.append(chain_picture.measured("yours", *found))
    if paths.REFERENCE.is_dir():
        found = _measure(paths.REFERENCE, tier)
        if isinstance(found, str):
            raise InputError(f"the reference fails: {found}", "fix grader/reference/client.py")
        columns.append(chain_picture.measured("reference", *found))
    sums = spread(_sums_of_coordinates())
    columns.append(chain_picture.measured("sum of row + col", sums))
    columns.append(chain_picture.by_chance(BOARDS, sums.chains))
    click.echo(f"{chain_picture.table(columns, BOARDS, sums.chains)}\n\n{chain_picture.bars(columns)}")
    if output is not None:
        folders.write_whole(output, chain_picture.svg(columns, BOARDS))
        click.echo(f"{paths.shown(output)}: the same as a picture", err=True)
    good = columns[0].comparisons <= GOOD
    if not good:
        click.echo(
            "\nhelp: mix all bits of the key into the low ones; a chain is found by hash & (chains - 1)"
        )
    return FULL_MARKS if good else POINTS_LOST


def _sums_of_coordinates() -> list[int]:
    """Return a poor hash for each board, the first to come to mind: the sum of row + column over its pegs."""
    return [
        sum(cell // SIZE + cell % SIZE for cell, character in enumerate(text) if character == "*")
        for text in client.board_texts("hash", BOARDS)
    ]


def _measure(folder: Path, tier: int) -> tuple[Spread, float] | str:
    """Return the spread of the hashes and the CPU seconds, or an error message."""
    task = registry().find("client")
    try:
        submission = read_submission(folder, task.files)
    except SubmissionFault as fault:
        return f"{fault.message}\nhelp: {fault.help}"
    request = client.question([], client.board_texts("hash", BOARDS), True)
    load = Load(submission.clean_folder(), task.module, task.memory_mib, client.Client.answer_bytes)
    debug = not offers.compiles()
    with Sandbox(tier, debug, threading.Event()) as sandbox, Runner(load, sandbox) as runner:
        if not runner.has_compiled_code:
            runner.compile(client.Client().compiling(task, registry()))
        outcome = runner.run(request, CPU_S)
    asked = Asked(Check("hash", 0, CPU_S), None, task, debug)
    result, answer = Judge(task, submission, tier).said(asked, outcome)
    if answer is None:
        result = result.harmless()
        return f"{result.message}\nhelp: {result.help}"
    return spread(answer.hashes), outcome.cpu_s
