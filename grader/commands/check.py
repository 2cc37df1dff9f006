"""`grade TASK...`: grade and report; the exit status shows whether points were lost.

`grade --help` imports this module for its options, so what grades is in `checking`, which it does not import.
"""

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import click

from grader import paths
from grader.commands import IN_RELEASE, listed, options
from grader.commands.options import space_notes
from grader.errors import InputError
from grader.judging.board_choice import BoardChoice
from grader.reports.formats import FORMATS


class _Check(click.Command):
    """The command that runs if the first word is no command; so that word may be a misspelt command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args`; report a word that is no task rather than its options, which are unknown here."""
        words = list(takewhile(lambda word: not word.startswith("-"), args))
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            if words:
                from grader.catalog.tasks import chosen_tasks

                chosen_tasks(words, listed())
            raise


@click.command(cls=_Check)
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@options.STUDENT
@click.option("--reference", is_flag=True, hidden=IN_RELEASE, help="Grade the course's own solution.")
@options.BOARD
@options.BOARDS
@options.DEBUG
@click.option(
    "--format", "formats", type=click.Choice(list(FORMATS)), multiple=True, metavar="NAME",
    help=f"Format of the report: {', '.join(FORMATS)} (default: table; repeatable, see -o).",
)  # fmt: skip
@options.OUTPUTS
@options.TIER
@click.option("-v", "verbose", is_flag=True, help="Also show wall time, memory and the program's output.")
def check(
    tasks: tuple[str, ...],
    student: Path,
    reference: bool,
    boards: tuple[str, ...],
    others: BoardChoice | None,
    debug: bool,
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    tier: int | None,
    verbose: bool,
) -> int:
    """Grade tasks."""
    if reference and IN_RELEASE:
        raise InputError("--reference: not part of this release", "leave the option out")
    if reference:
        student = paths.REFERENCE
    reports = paired(formats, outputs)
    from grader.sandbox.confine import kernel, tiers
    from grader.sandbox.parent.sandbox import Sandbox

    kernel.hide_memory()
    hidden = others is not None and others.hidden
    with Sandbox(tiers.chosen(tier, hidden, hidden), debug, threading.Event()) as sandbox:
        for note in space_notes():
            click.echo(note, err=True)
        sandbox.warm()  # now: it takes longer than all that is imported and read below
        from grader.commands import checking
        from grader.reports import provenance

        began = provenance.now()
        report = checking.graded(sandbox, tasks, student, boards, others, [format for format, _ in reports])
    return checking.tell(replace(report, verbose=verbose, environment=os.environ), reports, began)


def paired(formats: Sequence[str], outputs: Sequence[Path]) -> list[tuple[str, Path | None]]:
    """Return each format with its file; the last file may be None, which means standard output."""
    formats = formats or ("table",)
    if len(outputs) not in (len(formats), len(formats) - 1):
        raise InputError(
            f"expected an -o FILE for each --format but the last, found {len(formats)} --format and "
            f"{len(outputs)} -o",
            "as in: grade all --format markdown -o summary.md --format github",
        )
    return [(format, outputs[at] if at < len(outputs) else None) for at, format in enumerate(formats)]
