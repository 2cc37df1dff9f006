"""The command `grade`: what can be typed. Each command's module is imported when it is typed, not before."""

import errno
import os
import signal
import sys
from pathlib import Path
from typing import Any

import click

from grader import cli_course, errors, paths
from grader.reports.formats import FORMATS
from grader.safe_text import safe

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
    from grader.commands import check as command
    from grader.judging import board_sets

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


for each in cli_course.COMMANDS:
    cli.add_command(each)


_OF_THE_USER = {  # what the system refuses wherever it is asked, and what to do
    errno.ENAMETOOLONG: "type a shorter name",
    errno.ENOSPC: "make room on that disk, or choose another place",
    errno.EDQUOT: "make room on that disk, or choose another place",
}


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
        click.echo(safe(f"{error.message}\nhelp: {error.help}"), err=True)
        status_code = errors.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing was kept", err=True)
        status_code = errors.INTERRUPTED
    except BrokenPipeError:  # grade | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status_code = 141  # the shell's number for it
    except Exception as error:
        help = _OF_THE_USER.get(error.errno or 0) if isinstance(error, OSError) else None
        if isinstance(error, OSError) and help is not None:
            place = str(error.filename)[:200] if error.filename else "the output"
            click.echo(safe(f"{place}: {error.strerror}\nhelp: {help}"), err=True)
            status_code = errors.USAGE
        else:
            click.echo(_our_fault(error), err=True)
            status_code = errors.OUR_FAULT
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
