"""What whole programs earn: the idea its points in any orientation, a program without it few, a claim nothing."""

from pathlib import Path

import pytest

from grader.catalog.tasks import registry
from grader.judging.board_sets import TurnedBoards
from grader.judging.grading import Choice
from grader.result import Result
from support import idea_programs
from support.grading import results_of
from support.idea_programs import ORDERS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_sandbox")]


@pytest.fixture
def images(request: pytest.FixtureRequest) -> range:
    """The seeds of turned boards to try."""
    return range(request.config.getoption("--points-runs"))


@pytest.fixture
def orders(request: pytest.FixtureRequest) -> list[tuple[str, bool]]:
    """Orders of directions to try, and for each whether cells are scanned by columns."""
    runs = request.config.getoption("--points-runs")
    chosen = [ORDERS[at * len(ORDERS) // runs] for at in range(runs)]
    return [(order, bool(number % 2)) for number, order in enumerate(chosen)]


def results(folder: Path, task: str, seed: int | None = None, boards: tuple[str, ...] = ()) -> list[Result]:
    turned = None if seed is None else TurnedBoards(seed)
    return results_of(Choice(folder, boards, turned), task)


def points(folder: Path, task: str, seed: int | None = None) -> int:
    return sum(result.points for result in results(folder, task, seed))


@pytest.mark.parametrize("task", ["peg4", "peg5"])
def test_the_idea_earns_its_points_in_any_image(task: str, images: range, tmp_path: Path) -> None:
    folder = idea_programs.with_ideas(tmp_path / "student")
    assert min(points(folder, task, seed) for seed in images) >= 13


def test_peg3_as_peg4_and_peg5(orders: list[tuple[str, bool]], tmp_path: Path) -> None:
    for directions, by_columns in orders:
        folder = idea_programs.no_order(tmp_path / directions, directions, by_columns)
        assert points(folder, "peg4") <= 6
        assert points(folder, "peg5") <= 7


@pytest.mark.parametrize(("colours", "most"), [pytest.param(False, 7, marks=pytest.mark.whole), (True, 8)])
def test_peg4_as_peg5(colours: bool, most: int, tmp_path: Path) -> None:
    assert points(idea_programs.one_end(tmp_path / "student", colours), "peg5") <= most


@pytest.mark.whole
def test_peg2_as_peg3_in_any_order(orders: list[tuple[str, bool]], tmp_path: Path) -> None:
    earned = set()
    for directions, by_columns in orders:
        folder = idea_programs.no_memory(tmp_path / directions, directions, by_columns)
        earned.add(points(folder, "peg3"))
    assert max(earned) - min(earned) <= 1
    assert max(earned) <= 6


@pytest.mark.parametrize(
    ("task", "source"),
    [
        ("peg3", idea_programs.plain("peg3.py")),
        pytest.param("peg4", idea_programs.plain("peg3.py"), marks=pytest.mark.whole),
        pytest.param("peg4", idea_programs.idea("peg4_ordered.py"), marks=pytest.mark.whole),
    ],
    ids=["peg3", "peg3-as-peg4", "peg4"],
)
def test_a_table_out_of_sight_earns_nothing(task: str, source: str, tmp_path: Path) -> None:
    """Not a point more, whether the program has the idea or not."""
    # french3 has no points as a board of peg3: they all run into its limit of six seconds
    boards = tuple(
        each.name for each in registry().find(task).checks if each.points or each.name != "french3"
    )
    honest = results(idea_programs.submission(tmp_path / "honest", **{task: source}), task, boards=boards)
    for pretends in (idea_programs.own_table, idea_programs.counter_set_back):
        assert pretends(source) != source
        hidden = idea_programs.submission(tmp_path / pretends.__name__, **{task: pretends(source)})
        claimed = results(hidden, task, boards=boards)
        assert sum(result.points for result in claimed) <= sum(result.points for result in honest)
        assert all((result.unsolvable or 0) <= 1 for result in claimed)  # what it claims


def test_moves_by_heart(images: range, tmp_path: Path) -> None:
    """A list of moves for every board that has points is worth little, in an image or as the course gives it."""
    known = [
        result for result in results(idea_programs.with_ideas(tmp_path / "teacher"), "peg4") if result.jumps
    ]
    source = idea_programs.moves_by_heart(known)
    folder = idea_programs.submission(tmp_path / "student", peg4=source, peg5=source)
    assert points(folder, "peg4") <= 3
    for seed in images:
        assert points(folder, "peg4", seed) <= 3
        assert points(folder, "peg5", seed) <= 3
