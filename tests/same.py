"""Compare the verdicts, points and messages' identities of many programs with a record: `make same`.

    python tests/same.py [--record] [--words FILE]

The programs are the reference, the stubs, the styles of tests/support/made_styles.py, all mutants and the rows of
the zoo, each on all boards of its task that are not left to `-d`. tests/facts/same.json is the record; --record
writes it anew. --words writes what each check's message says to a file, to compare it with another one.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import click

from grader import paths
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging.grading import Choice, Grading
from grader.result import Result
from grader.sandbox.parent.sandbox import Sandbox

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import made_styles
from support.side_by_side import a_place_to_grade, copy_reference
from support.zoo_rows import NAMES, STUBS, make_folder, read_row
from test_mutants import MUTANTS

RECORD = Path(__file__).with_name("facts") / "same.json"
TIER = 2
CORES = 2


class Program(NamedTuple):
    """A program: its name, its folder, the tasks to grade, the boards (none: all), and whether as plain Python."""

    name: str
    folder: Path
    tasks: tuple[str, ...]
    boards: tuple[str, ...] = ()
    debug: bool = False
    time_factor: float = 1.0


def programs(place: Path) -> Iterator[Program]:
    """Yield all programs, in folders made below a place."""
    every = tuple(registry().tasks)
    yield Program("reference", paths.REFERENCE, every)
    yield Program("stubs", STUBS, every)
    for style in sorted(made_styles.STYLES):
        folder = place / "styles" / style
        folder.mkdir(parents=True)
        for file, text in made_styles.program(style).items():
            (folder / file).write_text(text, "utf-8")
        yield Program(f"style {style}", folder, ("client", "peg1", "peg2", "peg3"))
    for name, mutant in MUTANTS.items():
        folder = copy_reference(place / "mutants" / name.replace(":", "-") / "student")
        file = folder / mutant.file
        file.write_text(mutant.mutated(file.read_text("utf-8")), "utf-8")
        factor = 0.5 if "timeout" in mutant.caught_on.values() else 1.0
        yield Program(f"mutant {name}", folder, (mutant.task,), tuple(mutant.caught_on), mutant.debug, factor)
    for name in NAMES:
        row = read_row(name)
        if row["waits"]:
            continue
        factor = 0.5 if "timeout" in row["expect"].values() else 1.0
        folder = make_folder(name, place / "zoo")
        yield Program(f"zoo {name}", folder, (row["task"],), tuple(row["expect"]), row["debug"], factor)


def graded(program: Program, sandboxes: dict[bool, Sandbox]) -> list[Result] | str:
    """Return the results of a program, or why it is refused."""
    choice = Choice(
        program.folder, program.boards, debug=program.debug, tier=TIER, time_factor=program.time_factor
    )
    tasks = [registry().find(name) for name in program.tasks]
    try:
        return Grading(choice, registry(), lambda *_: None, sandboxes[program.debug]).results(tasks)
    except InputError as error:
        return error.message


def everything() -> dict[str, list[Result] | str]:
    """Return the results of all programs by name."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as temporary:
        all_programs = list(programs(Path(place)))
        with (
            a_place_to_grade(Path(place), Path(temporary)),
            Sandbox(TIER, False, Event(), many=True) as compiled,
            Sandbox(TIER, True, Event()) as plain,
            ThreadPoolExecutor(CORES) as pool,
            click.progressbar(length=len(all_programs), file=sys.stderr) as bar,
        ):
            for sandbox in (compiled, plain):
                sandbox.zygote()  # by this thread: it ends with the one that started it

            def one(program: Program) -> list[Result] | str:
                results = graded(program, {False: compiled, True: plain})
                bar.update(1)
                return results

            return dict(zip([each.name for each in all_programs], pool.map(one, all_programs), strict=True))


def verdicts(results: list[Result] | str) -> Any:
    """Return what is recorded of a program."""
    if isinstance(results, str):
        return "refused"
    return {
        f"{each.task} {each.board}": " ".join(
            [each.verdict, str(each.points), each.code, each.facts.get("family", "")]
        ).rstrip()
        for each in results
    }


def words(results: list[Result] | str) -> Any:
    """Return what is said of a program."""
    if isinstance(results, str):
        return results
    return {
        f"{each.task} {each.board}": [each.message, each.help, each.place] for each in results if each.message
    }


@click.command()
@click.option("--record", is_flag=True, help="Write the record.")
@click.option("--words", "file", type=click.Path(path_type=Path), help="Write the messages to this file.")
def main(record: bool, file: Path | None) -> None:
    """Compare the verdicts and points of many programs with the record."""
    results = everything()
    if file:
        file.write_text(json.dumps({name: words(each) for name, each in results.items()}, indent=1), "utf-8")
    now = {name: verdicts(each) for name, each in results.items()}
    if record:
        RECORD.write_text(json.dumps(now, indent=0) + "\n", "utf-8")
        return
    before = json.loads(RECORD.read_text("utf-8"))
    different = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    for name in different:
        click.echo(f"{name}\n  before: {before.get(name)}\n  now:    {now.get(name)}")
    checks = sum(len(each) for each in now.values() if isinstance(each, dict))
    click.echo(f"{len(now)} programs, {checks} checks, {len(different)} programs are different")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
