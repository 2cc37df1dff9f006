"""The command `grade`: what can be typed. Each command's module is imported when it is typed, not before."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from grader import errors, paths
from grader.report_formats import FORMATS

STATUS, CHECK = "status", "check"  # what is typed without naming it

IN_RELEASE = not paths.REFERENCE.is_dir()  # this is a student's folder

STUDENT = click.option(
    "--student", type=click.Path(path_type=Path), default=Path("student"), metavar="DIR",
    help="The folder with the files to grade (default: student).",
)  # fmt: skip


class Grade(click.Group):
    """`grade TASK...` and `grade COMMAND`: what is no command is a list of tasks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands to show: the instructor's only where there is a reference."""
        return [name for name, command in self.commands.items() if not _is_missing(command)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command called `name`, whose module a student's folder may not have."""
        command = super().get_command(ctx, name)
        if command is not None and _is_missing(command):
            raise errors.InputError(
                f"{name}: not part of this release",
                "it is for the course's staff; grade --help has the others",
            )
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command in front that `args` leave out."""
        only_student = [*args[:1]] == ["--student"] and len(args) == 2
        only_student = only_student or (len(args) == 1 and args[0].startswith("--student="))
        if not args or only_student:
            args = [STATUS, *args]
        elif args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [CHECK, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both ways to use the command."""
        formatter.write_usage("grade", "                     where you stand, and what to do next")
        formatter.write_usage("grade", "TASK... [OPTIONS]    grade tasks", prefix="       ")
        formatter.write_usage("grade", "COMMAND ...          anything else", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of grading, then the commands."""
        check.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)
        with formatter.section("Exit status"):
            formatter.write_dl(
                [
                    ("0", "full marks"),
                    ("1", "points lost"),
                    ("2", "wrong usage, or a file that cannot be used"),
                    ("3", "the grader's own fault"),
                ]
            )


def _is_missing(command: click.Command) -> bool:
    """Return whether a command is the instructor's, in a student's folder."""
    return IN_RELEASE and (command.help or "").startswith("(instructor)")


@click.group(cls=Grade, context_settings={"max_content_width": 80, "help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Peg Solitaire: grade your solution, and learn from what you read.

    TASK is a name in the table that grade prints, or all.
    """


@cli.command(STATUS, hidden=True)
@STUDENT
def status(student: Path) -> int:
    """Say where you stand."""
    from grader.commands import status as command

    return command.run(student)


@cli.command(CHECK, hidden=True)
@click.argument("tasks", nargs=-1, required=True)
@STUDENT
@click.option("--reference", is_flag=True, hidden=IN_RELEASE, help="Grade the course's own solution.")
@click.option("--board", "boards", multiple=True, metavar="NAME|FILE", help="Only this board (repeatable).")
@click.option(
    "--boards", "board_folder", type=click.Path(path_type=Path), metavar="DIR",
    help="A private set of boards with its own index.yaml.",
)  # fmt: skip
@click.option(
    "--random", "count", type=click.IntRange(1, 1000), metavar="N", hidden=IN_RELEASE,
    help="N random boards instead of the task's own, half of them hopeless.",
)  # fmt: skip
@click.option(
    "--turned", is_flag=True,
    help="The task's boards turned or mirrored, but for those where the order of jumps decides the time.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="S",
    help=f"Other {'' if IN_RELEASE else 'boards for --random, other '}images for --turned (default: 0).",
)  # fmt: skip
@click.option(
    "--also-own", is_flag=True, help="The task's own boards, too, in the same run: before those of the set."
)
@click.option("-d", "debug", is_flag=True, help="Plain Python with every contract checked: slow, exact.")
@click.option(
    "--format", "formats", type=click.Choice(list(FORMATS)), multiple=True, metavar="NAME",
    help=f"What the report is for: {', '.join(FORMATS)} (default: table; repeatable, see -o).",
)  # fmt: skip
@click.option(
    "-o", "outputs", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
    help="Write the report there; the second -o is for the second --format, and so on.",
)  # fmt: skip
@click.option(
    "--tier", type=click.IntRange(0, 3), metavar="0-3",
    help="What must hold the student's processes (default: the best up to 2); see grade doctor.",
)  # fmt: skip
@click.option(
    "-v", "verbose", is_flag=True, help="Show more: time by the clock, memory, what the program printed."
)
def check(
    tasks: tuple[str, ...],
    student: Path,
    reference: bool,
    boards: tuple[str, ...],
    board_folder: Path | None,
    count: int | None,
    turned: bool,
    seed: int | None,
    also_own: bool,
    debug: bool,
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    tier: int | None,
    verbose: bool,
) -> int:
    """Grade tasks."""
    from grader import board_sets
    from grader.commands import check as command

    reports = command.paired(formats, outputs)
    board_set, set_options = board_sets.chosen(board_folder, count, seed, turned, also_own)
    folder = None if reference else student
    return command.run(tasks, folder, boards, board_set, set_options, debug, reports, tier, verbose)


@cli.command()
@click.argument("board", required=False)
def show(board: str | None) -> int:
    """Draw a board with what is known of it; without one, list the boards."""
    from grader.commands import boards as command

    return command.show(board)


@cli.command()
@click.argument("task", required=False)
@click.argument("board", required=False)
@STUDENT
@click.option("--reference", is_flag=True, hidden=IN_RELEASE, help="Play the course's own solution.")
@click.option("--text", is_flag=True, help="In the terminal, although there is a browser.")
def replay(task: str | None, board: str | None, student: Path, reference: bool, text: bool) -> int:
    """Play the last solution of TASK on BOARD, jump by jump."""
    from grader.commands import replay as command

    return command.run(task, board, paths.REFERENCE if reference else student, text)


@cli.command()
@click.argument("board", required=False, metavar="[BOARD]")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Serve there (default: 8064, or a free one)."
)
@click.option("--no-browser", is_flag=True, help="Open none; print the address.")
@STUDENT
@click.option("--reference", is_flag=True, hidden=IN_RELEASE, help="Hints from the course's own solution.")
def play(board: str | None, port: int | None, no_browser: bool, student: Path, reference: bool) -> int:
    """Play in the browser, with hints from your own programs."""
    from grader.commands import play as command

    return command.run(board, paths.REFERENCE if reference else student, port, not no_browser)


@cli.command()
@click.argument("task")
@STUDENT
@click.option("--board", "boards", multiple=True, metavar="NAME|FILE", help="Only this board (repeatable).")
@click.option("-d", "debug", is_flag=True, help="Plain Python with every contract checked: slow, exact.")
def watch(task: str, student: Path, boards: tuple[str, ...], debug: bool) -> int:
    """Grade TASK again at each save, and tell what is different."""
    from grader.commands import watch as command

    return command.run(task, student, boards, debug)


@cli.command()
@STUDENT
@click.option("--reference", is_flag=True, hidden=IN_RELEASE, help="Measure the course's own hash function.")
@click.option("-o", "output", type=click.Path(path_type=Path), metavar="FILE.svg", help="Plot it there, too.")
def pegmark(student: Path, reference: bool, output: Path | None) -> int:
    """Measure the quality of client.key_hash: chain lengths, the longest, the time."""
    from grader.commands import pegmark as command

    return command.run(None if reference else student, output)


@cli.command()
@click.option("--board", "boards", multiple=True, metavar="NAME|FILE", help="A board (repeatable).")
@click.option(
    "--task", "tasks", multiple=True, metavar="TASK",
    help="Instead, the reference's program of a task, as peg4 (repeatable).",
)  # fmt: skip
@click.option(
    "--all-vacancies", is_flag=True,
    help="With --task: on every board that is full but for one hole, English and French.",
)  # fmt: skip
@click.option("--orders", default="normal,out-in,in-out", show_default=True, metavar="ORDER,...")
@click.option("--directions", default="DRLU", show_default=True, metavar="DRUL,...")
@click.option("--bidirectional", is_flag=True, help="Meet a table of boards that win, from behind.")
@click.option(
    "--symmetry", is_flag=True,
    help="Each search also with one image of a board recorded for all eight: what that saves.",
)  # fmt: skip
@click.option(
    "--max-states",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Stop a search there (0: never).",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
)
@click.option("-o", "output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report there.")
def experiment(
    boards: tuple[str, ...],
    tasks: tuple[str, ...],
    all_vacancies: bool,
    orders: str,
    directions: str,
    bidirectional: bool,
    symmetry: bool,
    max_states: int,
    format_: str,
    output: Path | None,
) -> int:
    """(instructor) Count states for traversal order x direction x board, or for a task's program."""
    from grader.commands import experiment as command

    if tasks or all_vacancies:
        context = click.get_current_context()
        for name in ("orders", "directions", "bidirectional", "symmetry", "max_states"):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                option = "--" + name.replace("_", "-")
                raise errors.InputError(
                    f"{option}: is not for --task", "a task's program has an order of its own: leave it out"
                )
        return command.run_tasks(tasks, boards, all_vacancies, format_, output)
    return command.run(boards, orders, directions, bidirectional, symmetry, max_states, format_, output)


@cli.command()
@click.argument("board")
@click.option("--goal", metavar="ROW,COL", help="Where the last peg must be left (default: any hole).")
@click.option(
    "--all", "all_", is_flag=True,
    help="Every vacancy of the board to every goal, up to symmetry, in one table.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), metavar="S",
    help="Only look for a solution and for bounds on its moves, about S seconds (default: prove all).",
)  # fmt: skip
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report there.")
def analyze(
    board: str, goal: str | None, all_: bool, seconds: float | None, format_: str, output: Path | None
) -> int:
    """(instructor) Find out what is true of a board, proved."""
    from grader.commands import analyze as command

    return command.run(board, goal, all_, seconds, format_, output)


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--pegs", required=True, metavar="N|A-B", help="How many pegs; with a range, each in turn.")
@click.option("--solvable", is_flag=True, help="Played backwards from a single peg.")
@click.option(
    "--hopeless", is_flag=True,
    help="Put by lot and proved to be so; the class of the board alone does not tell.",
)  # fmt: skip
@click.option(
    "--forced", is_flag=True,
    help="Solvable, and never more than one jump to make; some cells are blocked.",
)  # fmt: skip
@click.option(
    "--board", "shape", default="english", show_default=True, metavar="SHAPE",
    help="A board or a file whose holes they have; square for all 64 cells.",
)  # fmt: skip
@click.option("--count", type=click.IntRange(1, 10_000), default=10, show_default=True, metavar="N")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S")
@click.option(
    "--format", "format_", type=click.Choice(["text", "cells", "both"]), default="text", show_default=True,
    help="8 x 8 text, the hashing lab's 49 characters, or a file of each.",
)  # fmt: skip
def generate(
    folder: Path,
    pegs: str,
    solvable: bool,
    hopeless: bool,
    forced: bool,
    shape: str,
    count: int,
    seed: int,
    format_: str,
) -> int:
    """(instructor) Make boards with a known answer, in a folder for --boards."""
    from grader.commands import generate as command

    given: dict[command.Kind, bool] = {"solvable": solvable, "hopeless": hopeless, "forced": forced}
    kinds = [kind for kind, is_given in given.items() if is_given]
    if len(kinds) != 1:
        found = " and ".join(f"--{kind}" for kind in kinds) or "none of them"
        raise errors.InputError(
            f"expected one of --solvable, --hopeless, --forced, found {found}",
            "all boards of a folder are of one kind; make a folder for each",
        )
    return command.run(folder, kinds[0], pegs, shape, count, seed, format_)


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--zip", "zipped", is_flag=True, help="DIR.zip as well: the same bytes wherever it is made.")
@click.option(
    "--private", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
    help="Fail if a board of that folder, or an image of one, is in it (repeatable).",
)  # fmt: skip
def release(folder: Path, zipped: bool, private: tuple[Path, ...]) -> int:
    """(instructor) Make the student's folder."""
    from grader.commands import release as command

    return command.run(folder, zipped, private)


@cli.command("class")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@click.option(
    "-o", "output", type=click.Path(path_type=Path), metavar="OUT",
    help="The folder for the results; the same one goes on (default: DIR-graded).",
)  # fmt: skip
@click.option(
    "--roster", type=click.Path(path_type=Path), metavar="FILE",
    help="The class as CSV: id, name, email, section; the first line names them.",
)  # fmt: skip
@click.option(
    "--policy", type=click.Path(path_type=Path), metavar="FILE", help="Due dates and the like: a course.yaml."
)
@click.option(
    "--attempt", type=click.Choice(["latest", "best"]), help="Which attempt counts, whatever the policy says."
)
@click.option("--only", multiple=True, metavar="WHO", help="Grade this student alone (repeatable).")
@click.option(
    "--regrade",
    "again",
    multiple=True,
    metavar="WHO|TASK",
    help="Grade this again (repeatable); else only what is new.",
)
@click.option(
    "--boards", "board_folder", type=click.Path(path_type=Path), metavar="DIR",
    help="A private set of boards instead of the tasks' own.",
)  # fmt: skip
@click.option("--random", "count", type=click.IntRange(1, 1000), metavar="N", help="N random boards instead.")
@click.option("--turned", is_flag=True, help="The tasks' boards, turned or mirrored.")
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Other random or turned boards.")
@click.option("--also-own", is_flag=True, help="The tasks' own boards, too.")
@click.option(
    "--feedback", "formats", type=click.Choice(list(FORMATS)), multiple=True, default=("table",),
    show_default=True, metavar="NAME", help="The formats of the students' files (repeatable).",
)  # fmt: skip
@click.option("--names", is_flag=True, help="Names on the leaderboard instead of pseudonyms.")
@click.option(
    "--scheduler", metavar="tcp://HOST:PORT", help="Grade on a Dask cluster instead of in processes here."
)
@click.option(
    "--tier", type=click.IntRange(0, 3), metavar="0-3", help="What must hold the students' processes."
)
def class_(
    folder: Path,
    tasks: tuple[str, ...],
    output: Path | None,
    roster: Path | None,
    policy: Path | None,
    attempt: str | None,
    only: tuple[str, ...],
    again: tuple[str, ...],
    board_folder: Path | None,
    count: int | None,
    turned: bool,
    seed: int | None,
    also_own: bool,
    formats: tuple[str, ...],
    names: bool,
    scheduler: str | None,
    tier: int | None,
) -> int:
    """(instructor) Grade a class: a folder of submissions, or a platform's download."""
    from grader.commands import class_ as command
    from grader.course.jobs import BoardChoice

    return command.run(
        folder, tasks, output, roster, policy, board_folder, BoardChoice(count, seed, turned, also_own), only,
        again, attempt, scheduler, tier, formats, names,
    )  # fmt: skip


@cli.group()
def export() -> None:
    """(instructor) Make what is uploaded to a course platform."""


OUT = click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
EXPORTED = click.option(
    "--task", "tasks", multiple=True, default=("all",), metavar="TASK", help="Only this task (repeatable)."
)
PRIVATE_BOARDS = click.option(
    "--boards", type=click.Path(path_type=Path), metavar="DIR",
    help="A private set that is graded besides the tasks' own boards.",
)  # fmt: skip


def minutes_option(default: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return the option for how long a run may take."""
    return click.option(
        "--minutes", type=click.IntRange(2, 120), default=default, show_default=True, metavar="N",
        help="The platform's own limit of time; a run stops a minute before.",
    )  # fmt: skip


@export.command("gradescope")
@OUT
@EXPORTED
@PRIVATE_BOARDS
@minutes_option(10)
@click.option(
    "--show-private", type=click.Choice(["after_due_date", "after_published", "hidden"]), metavar="WHEN",
    default="after_due_date", show_default=True,
    help="When students see the checks on private boards: after_due_date, after_published or hidden.",
)  # fmt: skip
def export_gradescope(
    out: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int, show_private: str
) -> int:
    """Gradescope's zip, in the new folder OUT."""
    from grader.commands import export as command

    return command.gradescope(out, tasks, boards, minutes, show_private)


@export.command("autolab")
@OUT
@EXPORTED
@PRIVATE_BOARDS
@minutes_option(14)
def export_autolab(out: Path, tasks: tuple[str, ...], boards: Path | None, minutes: int) -> int:
    """Autolab's tar and Makefile, in the new folder OUT."""
    from grader.commands import export as command

    return command.autolab(out, tasks, boards, minutes)


@export.command("github")
@OUT
@EXPORTED
@click.option("--repository", required=True, metavar="OWNER/NAME", help="Where the grader will be.")
@click.option("--ref", required=True, metavar="TAG", help="The tag or commit of it that grades.")
def export_github(out: Path, tasks: tuple[str, ...], repository: str, ref: str) -> int:
    """GitHub's workflows, in the new folder OUT."""
    from grader.commands import export as command

    return command.github(out, tasks, repository, ref)


@export.command("similarity")
@click.argument("graded", metavar="GRADED", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--attempt", type=click.Choice(["latest", "best"]), default="latest", show_default=True,
    help="Which attempt of a student: the last with a file, or the one with the most points.",
)  # fmt: skip
@click.option(
    "--pseudonyms", is_flag=True, help="Folders called student-1, ...; who is who in OUT-key.csv, beside OUT."
)
def export_similarity(graded: Path, out: Path, attempt: str, pseudonyms: bool) -> int:
    """A graded class, laid out for compare50 and JPlag, in the new folder OUT."""
    from grader.commands import similarity as command

    return command.run(graded, out, attempt == "best", pseudonyms)


@cli.command()
@click.argument("one", metavar="A", type=click.Path(path_type=Path))
@click.argument("other", metavar="B", type=click.Path(path_type=Path))
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report there.")
def compare(one: Path, other: Path, format_: str, output: Path | None) -> int:
    """(instructor) Tell what differs between two class runs, and why.

    A and B are folders that grade class made. Exit status: 0 when points,
    verdicts, attempts and rules are the same for everybody, 1 when not.
    """
    from grader.commands import compare as command

    return command.run(one, other, format_, output)


@cli.command()
@click.option("--check", "check_", is_flag=True, help="Write nothing; fail when a stub differs.")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("student"))
def stubs(folder: Path, check_: bool) -> int:
    """(instructor) Cut the stubs from the reference."""
    from grader.commands import stubs as command

    return command.run(folder, check_)


@cli.command()
@click.option("--tier", type=click.IntRange(0, 3), metavar="0-3", help="What must hold (default: 2).")
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--course", is_flag=True, hidden=IN_RELEASE,
    help="(instructor) Say instead what the course forgot: pages, hints, markers, facts, reasons.",
)  # fmt: skip
def doctor(tier: int | None, format_: str, course: bool) -> int:
    """Try what this machine can hold a student's program to."""
    if not course:
        from grader.commands import doctor as command

        return command.run(tier, format_)
    if IN_RELEASE:
        raise errors.InputError("--course: not part of this release", "leave the option out")
    return _doctor_course()


def _doctor_course() -> int:
    """(instructor) Say what the course forgot."""
    from grader.commands import doctor_course as command

    return command.run()


def main() -> None:
    """Run the command; every way out has its exit status, and none a traceback."""
    for name in ("SIGTERM", "SIGHUP"):  # end as by Ctrl-C, with every process and folder cleaned up
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        status_code: Any = cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        status_code = stop.exit_code
    except click.ClickException as error:
        click.echo(
            f"{error.format_message()}\nhelp: {_typed(error)} --help shows what can be typed", err=True
        )
        status_code = errors.USAGE
    except errors.InputError as error:
        click.echo(f"{error.message}\nhelp: {error.help}", err=True)
        status_code = errors.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing was kept", err=True)
        status_code = errors.INTERRUPTED
    except BrokenPipeError:  # grade | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status_code = 141  # the shell's number for it
    except Exception as error:
        status_code = errors.OUR_FAULT
        click.echo(_our_fault(error), err=True)
    sys.exit(status_code or 0)


def _typed(error: click.ClickException) -> str:
    """Return the command that was typed, as far as it is one."""
    context = getattr(error, "ctx", None)
    names = context.command_path.split()[1:] if context is not None else []
    return " ".join(["grade", *(name for name in names if name not in (STATUS, CHECK))])


def _our_fault(error: Exception) -> str:
    """Return what to say of a fault of the grader, and keep the details in a file to send."""
    import traceback

    from grader import fault_report

    said = f"the grader itself failed ({type(error).__name__}); this is not your program's fault\n"
    try:
        file = fault_report.write(
            "grade " + " ".join(sys.argv[1:]), "".join(traceback.format_exception(error))
        )
    except OSError as second:  # a full disk, most likely what it failed of
        return f"{said}help: {error}; no report could be written either: {second}"
    return f"{said}help: run it again, and send {file} to the course's staff if it stays so"
