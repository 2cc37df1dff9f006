"""How long a class's second run takes after one student edited peg2.py, without grading the class first.

    python tests/bench/bench_second_run.py COUNT [--times N] [--beside FOLDER] [--no-edit]

The files of the class are real, see support/made_class.py; its results are made up. Each of N times (default 5) a
student edits peg2.py, and the class is run again. FOLDER is another checkout of the course with the same tasks, such
as a worktree of the commit before: it runs in turns with this one, A B A B ..., and the last row has this one's share
of what it takes. Printed are medians; the CPU seconds are those of all processes together.
"""

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from grader.catalog.tasks import registry
from grader.course import class_run
from grader.course.handins.intake import take_in
from grader.course.store import ClassStore, Graded
from grader.result import Result
from support.class_store import by_lot, right
from support.made_class import TASKS, Made, MadeClass, make_class

ROOT = Path(__file__).resolve().parents[2]
GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]


def make_up_results(made: MadeClass, out: Path) -> None:
    """Put results for all submissions into a class's store: full marks, or for a wrong program some by lot."""
    tasks = [registry().find(name) for name in TASKS]
    intake = take_in(made.submissions, made.roster)
    how = {each.student: each for each in made.made}
    with ClassStore(out, create=True) as store:
        class_run.take_class(store, intake, tasks, None)
        for each in intake.handins:
            student = each.attempt.student
            for part in store.todo({student: [each.attempt.number]}, 2):
                for todo in part:
                    store.keep(Graded(todo, 2, 1.0, results_of(how[student], todo.task)))


def results_of(made: Made, task: str) -> list[Result]:
    """Return made-up results of a submission; those made from the same fault are the same."""
    if made.kind in ("correct", "late"):
        return right(task)
    return by_lot(registry().find(task), random.Random(f"{made.kind} {made.of} {task}"), 0.6)


def run(made: MadeClass, out: Path, checkout: Path, expected: str) -> tuple[float, float]:
    """Run the class again; return wall and CPU seconds.

    Args:
        made: the class.
        out: where its results are kept.
        checkout: the course to run.
        expected: what the run must say.
    """
    command = [*GRADE, "class", made.submissions, *TASKS, "-o", out]
    environment = {**os.environ, "CI": "true", "PYTHONPATH": str(checkout)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process would compile all that it imports
    began, used = time.monotonic(), _cpu_s()
    done = subprocess.run(
        command, cwd=made.roster.parent, env=environment, capture_output=True, text=True, check=False
    )
    took = time.monotonic() - began, _cpu_s() - used
    assert done.returncode == 0 and expected in done.stderr, done.stderr
    return took


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@click.command(help=__doc__)
@click.argument("count", type=int)
@click.option("--times", default=5)
@click.option("--beside", type=click.Path(exists=True, file_okay=False, path_type=Path, resolve_path=True))
@click.option("--no-edit", is_flag=True, help="Run it again as it is, with nothing to grade.")
def main(count: int, times: int, beside: Path | None, no_edit: bool) -> None:
    """Make a class, make its results up, and print a table of its second runs."""
    expected = "nothing to grade" if no_edit else "graded 1 task "
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        made = make_class(Path(folder, "class"), count, seed=7)
        edited = next(each.student for each in made.made if each.kind == "correct")
        checkouts = {"this one": ROOT} | ({"beside": beside} if beside else {})
        for name, checkout in checkouts.items():
            make_up_results(made, Path(folder, name))
            run(made, Path(folder, name), checkout, "")  # another checkout may grade a few files anew
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in checkouts}
        for number in range(times):
            if not no_edit:
                with (made.submissions / edited / "peg2.py").open("a") as file:
                    file.write(f"# edit {number}\n")
            for name, checkout in checkouts.items():
                taken[name].append(run(made, Path(folder, name), checkout, expected))
    rows = [[name, *map(statistics.median, zip(*each, strict=True))] for name, each in taken.items()]
    if beside:
        pairs = list(zip(*taken.values(), strict=True))
        shares = [[one[at] / other[at] for one, other in pairs] for at in (0, 1)]
        rows.append(["share", *map(statistics.median, shares)])
    print(tabulate(rows, ["checkout", "s", "CPU s"], floatfmt=".2f"))


if __name__ == "__main__":
    main()
