"""What instructors can type: `grade release`, `grade class`, and so on; each help begins with (instructor).

Each command's module is imported when it is typed, not before: a student's folder does not have it.
"""

from collections.abc import Callable
from pathlib import Path

import click
from click.core import ParameterSource

from grader import errors
from grader.reports.formats import FORMATS


@click.command()
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


@click.command()
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


@click.command()
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


@click.command()
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


@click.command("class")
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

    typed = command.Typed(
        folder, tasks, output, roster, policy, attempt, only, again,
        board_folder, BoardChoice(count, seed, turned, also_own), formats, names, scheduler, tier,
    )  # fmt: skip
    return command.run(typed)


@click.group()
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


@click.command()
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


@click.command()
@click.option("--check", "check_", is_flag=True, help="Write nothing; fail when a stub differs.")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("student"))
def stubs(folder: Path, check_: bool) -> int:
    """(instructor) Cut the stubs from the reference."""
    from grader.commands import stubs as command

    return command.run(folder, check_)


COMMANDS = (experiment, analyze, generate, release, class_, export, compare, stubs)
