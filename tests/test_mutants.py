"""Mutants: the reference with one small fault each, which some board must charge for.

tests/mutants/TASK.yaml has those that are graded as TASK. By its name, each says
    why        what the student did, in one sentence
    file       the file of the reference that is changed
    replace    the text that is replaced, which stands there just once; it need not be a whole line, and its
               further lines are indented as seen from the line on which it begins
    by         what takes its place, indented in the same way
    caught_on  a board of the task, or several, each with the verdict there; `points lost` for a right answer
               that does not earn all points
    debug      true to run it as plain Python, where that is fast enough: nothing need be compiled
A mutant that earns the points of all boards is a missing board, unless its program is right.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml

from grader import paths
from grader.catalog.tasks import registry
from grader.judging import kinds
from grader.judging.grading import Choice, Grading
from grader.result import Result, Verdict
from grader.sandbox.parent.sandbox import Sandbox
from support.side_by_side import Runs, a_place_to_grade, copy_reference
from support.source_changes import Place, changed, indented, places

FOLDER = Path(__file__).resolve().parent / "mutants"
POINTS_LOST = "points lost"
TIER = 1


@dataclass(frozen=True)
class Mutant:
    """One fault; the fields are those of the YAML files."""

    task: str
    name: str
    why: str
    file: str
    replace: str
    by: str
    caught_on: dict[str, str]
    debug: bool = False

    def mutated(self, source: str) -> str:
        """Return the source of the file with the fault in it."""
        return changed(source, self.replace, self.by)


def read_mutants() -> dict[str, Mutant]:
    """Return all mutants, by task and name."""
    mutants = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        for name, row in yaml.safe_load(file.read_text("utf-8")).items():
            texts = {
                field: text.rstrip("\n") if isinstance(text, str) else text for field, text in row.items()
            }
            mutants[f"{file.stem}:{name}"] = Mutant(file.stem, name, **texts)
    return mutants


MUTANTS = read_mutants()
LARGE = ("peg2", "peg3", "peg4", "peg5", "fewest", "lab10")
TASKS = list(dict.fromkeys(mutant.task for mutant in MUTANTS.values()))


def grade(name: str, place: Path, sandboxes: Mapping[bool, Sandbox]) -> list[Result]:
    """Grade a mutant on the boards that catch it, or, by the name of a task, the reference on all of these.

    Args:
        name: of the mutant or the task.
        place: where its folder is made.
        sandboxes: by whether plain Python is run there.
    """
    folder = copy_reference(place / name.replace(":", "-") / "student")
    if name in MUTANTS:
        mutant = MUTANTS[name]
        file = folder / mutant.file
        file.write_text(mutant.mutated(file.read_text("utf-8")), "utf-8")
        task, boards, debug = mutant.task, list(mutant.caught_on), mutant.debug
    else:
        task = name
        of_task = [mutant for mutant in MUTANTS.values() if mutant.task == task]
        boards = sorted({board for each in of_task for board in each.caught_on})
        debug = all(each.debug for each in of_task)
    runs_out = name in MUTANTS and "timeout" in MUTANTS[name].caught_on.values()
    factor = 0.5 if runs_out else 1.0  # no need to wait for the whole of a limit
    choice = Choice(folder, tuple(boards), debug=debug, tier=TIER, time_factor=factor)
    grading = Grading(choice, registry(), lambda *_: None, sandboxes[debug])
    return grading.results([registry().find(task)])


@pytest.fixture(scope="module")
def runs(
    request: pytest.FixtureRequest, private_cache: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    """Grade what is selected, two at a time, in sandboxes that all share, as those of a class do."""
    place = tmp_path_factory.mktemp("mutants")
    selected = [
        item.callspec.params["name"]
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.module.__name__ == __name__
        and item.originalname in ("test_mutant", "test_the_reference")
    ]
    with (
        a_place_to_grade(place, tmp_path_factory.mktemp("tmp")),
        Sandbox(TIER, False, Event(), many=True) as compiled,
        Sandbox(TIER, True, Event()) as plain,
    ):
        for sandbox in (compiled, plain):
            if sandbox.forks:
                sandbox.zygote()  # by this thread: it ends with the one that started it
        running = Runs(selected, lambda name: grade(name, place, {False: compiled, True: plain}))
        yield running
        running.close()


def slow_where_large(name: str) -> Any:
    """Return a parameter; the searches of the larger tasks take seconds of CPU time each."""
    task = MUTANTS[name].task if name in MUTANTS else name
    return pytest.param(name, marks=pytest.mark.slow if task in LARGE else ())


@pytest.mark.parametrize("name", [slow_where_large(name) for name in MUTANTS])
def test_mutant(name: str, runs: Runs) -> None:
    """It loses points, in the way that is said. The summary at the end of a run counts this test's rows."""
    found = {}
    for result in runs.of(name):
        assert result.points < result.max_points, f"earns all points of {result.board}"
        found[result.board] = POINTS_LOST if result.verdict == Verdict.ACCEPTED else str(result.verdict)
    assert found == MUTANTS[name].caught_on


@pytest.mark.slow
@pytest.mark.parametrize("name", [slow_where_large(name) for name in TASKS])
def test_the_reference(name: str, runs: Runs) -> None:
    """Without a fault the same boards give all points."""
    assert [result.board for result in runs.of(name) if not result.full] == []


@pytest.mark.parametrize("name", MUTANTS)
def test_row(name: str) -> None:
    """It is a fault in a file that the task uses, on boards that it has, and there is one place for it."""
    mutant = MUTANTS[name]
    task = registry().find(mutant.task)
    source = (paths.REFERENCE / mutant.file).read_text("utf-8")
    assert mutant.file in task.files
    assert len(places(source, mutant.replace)) == 1
    compile(mutant.mutated(source), mutant.file, "exec")
    assert mutant.caught_on.keys() <= {check.name for check in task.checks if check.points}
    assert mutant.why


def test_no_two_are_the_same() -> None:
    sources = {
        (each.task, each.file, each.mutated((paths.REFERENCE / each.file).read_text("utf-8")))
        for each in MUTANTS.values()
    }
    assert len(sources) == len(MUTANTS)
    assert len(MUTANTS) >= 40
    assert set(TASKS) == {name for name, task in registry().tasks.items() if kinds.of(task).runs_programs}


def test_places_of_a_text() -> None:
    source = "if a:\n    b()\n    if c:\n        d()\n    b()\n"
    assert len(places(source, "b()")) == 2
    assert places(source, "if c:\n    d()\nb()") == [Place(18, 43, 4)]
    assert places(source, "if c:\nd()") == []
    assert indented("a\n\nb", 2) == "a\n\n  b"
