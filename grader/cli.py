"""The command `grade`: its help, its errors and its exit statuses."""

import atexit
import errno
import os
import re
import signal
import sys
from importlib import import_module
from typing import Any

import click

from grader import errors, folders, paths
from grader.commands import CHECK, COMMANDS, IN_RELEASE, STATUS, listed
from grader.paths import DISTRIBUTION
from grader.safe_text import safe

# Nothing here multiplies matrices, and to start the threads for it is half of what importing numpy takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

EXIT_STATUS = [
    ("0", "full marks"),
    ("1", "not full marks"),
    ("2", "wrong usage, or a file that cannot be used"),
    ("3", "the grader's own fault"),
]
OF_THE_USER = {  # system errors that are not the grader's fault, and what to do about them
    errno.EACCES: "look at its permissions, and at those of the folders around it",
    errno.EPERM: "choose another place: this one is somebody else's, or protected",
    errno.EROFS: "choose another place: that disk is read-only",
    errno.EMFILE: "allow more open files: ulimit -n 1024",
    errno.EAGAIN: "allow more processes: ulimit -u, or end some",
    errno.ENAMETOOLONG: "type a shorter name",
    errno.ENOSPC: "make room on that disk, or choose another place",
    errno.EDQUOT: "make room on that disk, or choose another place",
}


class Grade(click.Group):
    """Runs `grade COMMAND` and `grade TASK...`: if the first word is not a command, all words are tasks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands that `grade --help` shows."""
        return listed()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command called `name` after importing its module, or None if there is none."""
        if name not in COMMANDS:
            return None
        entry = COMMANDS[name]
        if entry.is_missing:
            raise errors.InputError(
                f"{name}: not part of this release",
                "it is for the course staff; to list the others: grade --help",
            )
        command: click.Command = getattr(import_module(f"grader.commands.{entry.module}"), entry.module)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args`; if they do not begin with a command, insert `status` or `check` first."""
        only_student = [*args[:1]] == ["--student"] and len(args) == 2
        only_student = only_student or (len(args) == 1 and args[0].startswith("--student="))
        if not args or only_student:
            args = [STATUS, *args]
        elif args[0] not in COMMANDS and args[0] not in ("-h", "--help", "--version"):
            args = [CHECK, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the three ways to use the command."""
        formatter.write_usage("grade", "                     where you stand, and what to do next")
        formatter.write_usage("grade", "TASK... [OPTIONS]    grade tasks", prefix="       ")
        formatter.write_usage("grade", "COMMAND ...          anything else", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of grading, the commands and the exit statuses."""
        check = self.get_command(ctx, CHECK)
        assert check is not None
        options = [each for each in [*check.params, *self.get_params(ctx)] if isinstance(each, click.Option)]
        names = self.list_commands(ctx)
        commands, instructors = (
            [(name, COMMANDS[name].short_help) for name in names if COMMANDS[name].for_instructors is each]
            for each in (False, True)
        )
        for title, rows in (
            ("Options", [record for option in options if (record := option.get_help_record(ctx))]),
            ("Commands", commands),
            ("Commands for instructors", instructors),
            ("Exit status", EXIT_STATUS),
        ):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@click.group(cls=Grade, context_settings={"max_content_width": 80, "help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name=DISTRIBUTION, prog_name="grade", message="%(prog)s %(version)s (%(package)s)"
)
def cli() -> None:
    """Peg Solitaire: grade your solution, and learn from the report.

    TASK is a name in the table that `grade` prints, or `all`.
    """


def main() -> None:
    """Run the command; each way to end has its own exit status, and none shows a traceback."""
    # Whatever is started imports nothing from the current folder: its files may be somebody else's.
    os.environ["PYTHONSAFEPATH"] = "1"
    if hasattr(signal, "SIGCHLD"):  # a parent may have had it ignored, and then no child is waited for
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for name in ("SIGTERM", "SIGHUP"):  # exit as after Ctrl-C, with every process and folder cleaned up
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, signal.default_int_handler)
    for descriptor in range(3):  # one that is closed would be taken by the next file or process
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        os.set_blocking(descriptor, True)  # whoever made a pipe of it may have set it otherwise
    for stream in (sys.stdout, sys.stderr):  # a console may lack letters; a path or an output may have them
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    note = ""
    try:
        errors.check_folders()
        note = "\n".join(filter(None, (_without_cache(), _other_course())))
        if IN_RELEASE:
            check_python()
        status_code: Any = cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        status_code = stop.exit_code
    except click.ClickException as error:
        click.echo(f"{error.format_message()}\nhelp: for usage: {_typed(error)} --help", err=True)
        status_code = errors.USAGE
    except errors.InputError as error:
        click.echo(safe(f"{error.message}\nhelp: {error.help}"), err=True)
        status_code = errors.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing was kept", err=True)
        status_code = errors.INTERRUPTED
    except BrokenPipeError:  # grade | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status_code = 141  # the shell's number for a broken pipe
    except Exception as error:
        help = OF_THE_USER.get(error.errno or 0) if isinstance(error, OSError) else None
        if isinstance(error, OSError) and help is not None:
            place = str(error.filename)[:200] if error.filename else "the output"
            click.echo(safe(f"{place}: {error.strerror}\nhelp: {help}"), err=True)
            status_code = errors.USAGE
        else:
            help = errors.advice("grade " + " ".join(sys.argv[1:]), error, "run it again")
            said = f"the grader itself failed ({type(error).__name__}); this is not your program's fault"
            click.echo(f"{said}\nhelp: {help}", err=True)
            status_code = errors.OUR_FAULT
    if note:
        click.echo(safe(note), err=True)
    sys.exit(status_code or 0)


def _without_cache() -> str:
    """Use a temporary cache folder if the user's own cannot be written; return a note to show to the user."""
    why = folders.make_cache()
    if not why:
        return ""
    from grader.sandbox.parent.sandbox import scratch_folder

    made = scratch_folder()
    atexit.register(folders.remove, made)
    os.environ["XDG_CACHE_HOME"] = str(made)
    help = "set XDG_CACHE_HOME to a folder that can be written"
    return f"{why}; no result is kept for the next command\nhelp: {help}"


def _other_course() -> str:
    """Return a note if the current folder has another course, as where an older one's .venv is active."""
    here = os.path.join("grader", paths.TASKS_FILE.name)
    if not os.path.isfile(here) or os.path.samefile(here, paths.TASKS_FILE):
        return ""
    if os.environ.get("CI"):  # a platform grades by the instructor's course, whatever else a student hands in
        return ""
    said = f"this ran the course in {paths.shown(paths.FRAMEWORK_ROOT)}, not the one in this folder"
    return f"{said}\nhelp: to run this folder's: rm -rf .venv && make && .venv/bin/grade"


def check_python() -> None:
    """Raise InputError if pyproject.toml pins another version of Python, which may accept other programs."""
    try:
        text = (paths.FRAMEWORK_ROOT / "pyproject.toml").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return  # installed: pip has checked it
    pinned = re.search(r'^requires-python\s*=\s*"==(\d+)\.(\d+)\.\*"', text, re.M)
    if pinned is None or (int(pinned[1]), int(pinned[2])) == sys.version_info[:2]:
        return
    wanted = f"{pinned[1]}.{pinned[2]}"
    raise errors.InputError(
        f"pyproject.toml: this course is graded with Python {wanted}, found Python "
        f"{sys.version_info.major}.{sys.version_info.minor}",
        f"make the environment anew: rm -r .venv && make PYTHON=python{wanted}",
    )


def _typed(error: click.ClickException) -> str:
    """Return the command that was typed, without its arguments, so that `--help` can be added to it."""
    context = getattr(error, "ctx", None)
    names = context.command_path.split()[1:] if context is not None else []
    return " ".join(["grade", *(name for name in names if name not in (STATUS, CHECK))])
