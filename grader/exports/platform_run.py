"""Grade a submission on a platform within a time limit, keeping results if the run is stopped.

    python -m grader.exports.platform_run gradescope --submission DIR -o results.json --seconds 540

The tasks are graded one after the other. With `-o` the report is written after each task, completely or not
at all; it also lists the checks that are not graded yet. A fault of the grader leaves no report, which every
platform shows as a failed autograder and not as a score. Gradescope's submission_metadata.json (due dates,
earlier submissions) is not read, since no result depends on it.
"""

import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import click

from grader import errors, folders
from grader.catalog.tasks import chosen_tasks, registry
from grader.errors import InputError
from grader.judging import calibration
from grader.judging.board_sets import GradedBoards, OwnBoardsAnd
from grader.judging.grading import Choice, Grading
from grader.judging.private_boards import PrivateBoards
from grader.reports.provenance import here
from grader.reports.report import Report, render
from grader.result import Result
from grader.sandbox.confine import kernel, tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions import slips
from grader.submissions.gather import gather
from grader.submissions.locate import STUDENT
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, TooLarge
from grader.submissions.trees import FolderTree

STAFF_ONLY = ("gradescope",)  # platforms whose students do not see printed output


@click.command()
@click.argument("format_", type=click.Choice(["gradescope", "autolab"]))
@click.option("--submission", type=click.Path(path_type=Path), required=True, help="A folder or an archive.")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), help="The report's file; default: print it at the end."
)
@click.option(
    "--boards", "folder", type=click.Path(path_type=Path), help="Private boards, added to the tasks' own."
)
@click.option("--task", "names", multiple=True, default=("all",), help="A task (repeatable).")
@click.option("--seconds", type=click.IntRange(1, 86_400), required=True, help="Stop after this time.")
@click.option("--tier", type=click.IntRange(0, 3), default=tiers.USUAL, help="Required sandbox tier.")
@click.option(
    "--hidden-until", default="after_due_date", help="When to show private boards, in Gradescope's words."
)
def main(
    format_: str,
    submission: Path,
    output: Path | None,
    folder: Path | None,
    names: tuple[str, ...],
    seconds: int,
    tier: int,
    hidden_until: str,
) -> None:
    """Grade a submission; the exit status is 0 if there is a report."""
    for name in ("SIGTERM", "SIGHUP"):  # end as on Ctrl-C, which cleans up processes and folders
        signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        errors.check_folders()
        submission, output = submission.absolute(), output and output.absolute()
        board_set = OwnBoardsAnd(PrivateBoards(folder.absolute())) if folder is not None else None
        tasks = chosen_tasks(names)
        asked = None if tier == tiers.USUAL else tier
        tier = tiers.chosen(asked, guarded=True, private=folder is not None)
        if output is not None:
            output.unlink(missing_ok=True)  # left by an earlier run
        with tempfile.TemporaryDirectory(prefix="peg-platform-") as work:
            os.chdir(work)
            if folders.make_cache():  # as on Autolab, where HOME is another user's
                os.environ["XDG_CACHE_HOME"] = work
            lower = list(filter(None, [tiers.note(tier)]))
            report = Report(tasks, [], STUDENT, about=lower, hidden_until=hidden_until, made=here())
            report = _graded(format_, submission, report, board_set, tier, seconds, output)
            os.chdir("/")
        if output is None:
            click.echo(render(format_, report), nl=False)
        else:
            folders.write_whole(output, render(format_, report))
    except Exception as error:
        if output is not None:
            output.unlink(missing_ok=True)  # partial results are no score
        click.echo(_our_fault(error, format_), err=True)
        sys.exit(errors.USAGE if isinstance(error, InputError) else errors.OUR_FAULT)


def _our_fault(error: Exception, format: str) -> str:
    """Return the message for a fault of the grader, with details only where students cannot read them."""
    said = "the grader itself failed; this is not your program's fault: please report it to the course staff"
    if isinstance(error, InputError):  # a fault in the course's own files, or in this machine
        return f"{said}\n{error.message}\nhelp: {error.help}"
    return f"{said}\n{type(error).__name__}" + ("\n" + traceback.format_exc()) * (format in STAFF_ONLY)


def _graded(
    format: str,
    submission: Path,
    report: Report,
    board_set: GradedBoards | None,
    tier: int,
    seconds: int,
    output: Path | None,
) -> Report:
    """Add the results to `report` and return it; if `output` is given, write it there after each task."""
    try:
        names = {name for task in registry().tasks.values() for name in task.files}
        slips = lay_out(submission, Path.cwd(), names)
        report = replace(report, about=[*report.about, *(f"your files: {slip}" for slip in slips)])
    except SubmissionFault as fault:
        if fault.ours:
            raise InputError(fault.message, fault.help) from None
        told = f"your files: {fault.message}; {fault.help}"
        click.echo(told, err=True)
        report = replace(report, about=[*report.about, told])
        Path(STUDENT).mkdir(exist_ok=True)  # each task then reports its missing file
    report = replace(report, time_factor=calibration.factor())
    choice = Choice(Path(STUDENT), board_set=board_set, tier=tier, time_factor=report.time_factor)
    kernel.hide_memory()

    def write(results: list[Result]) -> None:
        if output is not None:
            folders.write_whole(output, render(format, replace(report, results=results)))

    def say(name: str, done: int, total: int) -> None:
        if format in STAFF_ONLY:
            click.echo(f"{done}/{total}  {name}", err=True)

    stop = threading.Event()
    clock = threading.Timer(seconds, stop.set)
    clock.daemon = True
    clock.start()
    try:
        with Sandbox(tier, False, stop) as sandbox:
            results = Grading(choice, registry(), say, sandbox).in_turn(report.tasks, write)
    finally:
        clock.cancel()
    return replace(report, results=results)


def lay_out(handed_in: Path, work: Path, names: Collection[str]) -> list[str]:
    """Make the folder `work/student` to grade, with the student's files.

    Returns:
        Where the files were not as they were asked for, and what they were taken for.

    Raises:
        SubmissionFault: it cannot be read, or has too many files.
    """
    real = Path(os.path.realpath(handed_in))  # unlike resolve(), it accepts a link to itself
    if real.is_dir():
        found = gather(FolderTree(real), (), [], frozenset(names), within="")
    else:
        apart = [{handed_in.name: (real.name,)}]
        is_packed = not slips.meant(handed_in.name, names)
        found = gather(FolderTree(real.parent), None, apart, frozenset(names), is_packed, "")
    told = slips.few([*found.slips, *slips.left_over(names, found.files, found.loose)])
    student = work / STUDENT
    student.mkdir()
    for name, content in sorted(found.files.items()):
        if isinstance(content, TooLarge):
            content = bytes(MAX_BYTES + 1)  # for its task to report
        if isinstance(content, SubmissionFault):  # such as a link
            if content.ours:
                raise content
            told.append(content.message)
            continue
        (student / name).write_bytes(content)
    return told


if __name__ == "__main__":
    main()
