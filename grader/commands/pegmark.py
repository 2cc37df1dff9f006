"""`grade pegmark`: how well client.key_hash spreads boards over the chains of the hash table."""

import math
import threading
from pathlib import Path

import click
from tabulate import tabulate

from grader import paths
from grader.errors import FULL_MARKS, POINTS_LOST, InputError
from grader.judge import Judge
from grader.kinds import client
from grader.kinds.client import Spread
from grader.sandbox import tiers
from grader.sandbox.environment import write_bytecode
from grader.sandbox.runner import Load, Runner
from grader.sandbox.sandbox import Sandbox
from grader.submission import SubmissionFault, read_submission
from grader.tasks import Check, registry

BOARDS = 50_000
CPU_S = 30.0
LONGEST_SHOWN = 10


def run(student: Path | None) -> int:
    """Show the chains that `client.py` of a student makes, beside the reference and chance.

    Args:
        student: the folder of client.py; None for the reference.
    """
    if student is None and not paths.REFERENCE.is_dir():
        raise InputError("--reference: not part of this release", "leave the option out")
    columns: list[tuple[str, Spread, float]] = []
    if student is not None:
        measured = _measure(student)
        if isinstance(measured, str):
            click.echo(measured)
            return POINTS_LOST
        columns.append(("yours", *measured))
    if paths.REFERENCE.is_dir():
        reference = _measure(paths.REFERENCE)
        if isinstance(reference, str):
            raise InputError(f"the reference fails: {reference}", "mend grader/reference/client.py")
        columns.append(("reference", *reference))
    click.echo(_table(columns))
    spread = columns[0][1]
    good = spread.comparisons <= client.GOOD
    if not good:
        click.echo(
            "\nhelp: mix all bits of the key into the low ones; a chain is found by hash & (chains - 1)"
        )
    return FULL_MARKS if good else POINTS_LOST


def _measure(folder: Path) -> tuple[Spread, float] | str:
    """Return the spread of the hashes and the CPU seconds, or what went wrong."""
    task = registry().find("client")
    try:
        submission = read_submission(folder, task.files)
    except SubmissionFault as fault:
        return f"{fault.message}\nhelp: {fault.help}"
    request = client.question([], client.board_texts("hash", BOARDS), True)
    write_bytecode()
    load = Load(submission.clean_folder(), task.module, task.memory_mib, client.Client.answer_bytes)
    tier = tiers.best()
    with Sandbox(tier, False, threading.Event()) as sandbox, Runner(load, sandbox) as runner:
        if not runner.has_compiled_code:
            runner.compile(request)
        outcome = runner.run(request, CPU_S)
    check = Check("hash", 0, CPU_S)
    result, answer = Judge(task, submission, False, tier).said(check, None, outcome)
    if answer is None:
        return f"{result.message}\nhelp: {result.help}"
    return client.spread(answer.hashes), outcome.cpu_s


def _table(columns: list[tuple[str, Spread, float]]) -> str:
    chains, keys = columns[0][1].chains, BOARDS
    load = keys / chains
    chance = [chains * math.exp(-load) * load**size / math.factorial(size) for size in range(LONGEST_SHOWN)]
    chance.append(max(0.0, chains - sum(chance)))
    rows: list[list[str]] = []
    for size in range(LONGEST_SHOWN + 1):
        last = size == LONGEST_SHOWN
        counts = [
            sum(count for length, count in spread.lengths.items() if length >= size)
            if last
            else spread.lengths[size]
            for _, spread, _ in columns
        ]
        name = f"chains of size {size}{'+' if last else ''}"
        rows.append([name, *(f"{count:,}" for count in counts), f"{chance[size]:,.0f}"])
    rows.append(["longest chain", *(f"{spread.longest:,}" for _, spread, _ in columns), ""])
    rows.append(
        [
            "keys compared a look-up",
            *(f"{spread.comparisons:,.2f}" for _, spread, _ in columns),
            f"{client.by_chance(keys, chains):.2f}",
        ]
    )
    rows.append(["CPU", *(f"{cpu_s:.2f} s" for _, _, cpu_s in columns), ""])
    head = [f"{keys:,} boards, {chains:,} chains", *(name for name, _, _ in columns), "by chance"]
    return tabulate(
        rows,
        head,
        tablefmt="plain",
        colalign=["left"] + ["right"] * (len(head) - 1),
        disable_numparse=True,
    )
