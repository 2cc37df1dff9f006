"""`grade generate --like`: other boards that take the same idea, found out by other means; and nothing to learn by heart."""

import re
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from framework.board import BLOCKED, PEG, Board, parse_board, read_board
from grader import oracle, paths
from grader.catalog import yaml_file
from grader.catalog.images import IMAGES, image_of, image_of_cell
from grader.catalog.tasks import registry
from grader.commands.generate import generate
from grader.judging.private_boards import PrivateBoards
from grader.making import ordered_boards
from grader.making.chance import Chance
from grader.making.like_boards import REACHED, another_like, another_losing, another_winning, winning_of
from grader.making.ordered_boards import FULL, ORDERED_STATES, PLAIN_STATES, THREES, ordered_play
from grader.making.searches import FEW_ORDERS, Searches
from grader.oracle.explore import after_jumps, before_jumps, pegs_and_holes, threes_of
from grader.oracle.shape import shape_of
from grader.oracle.walk import walk
from grader.research.report_search import memoized_search
from support.command import grade
from support.sampling import every
from test_generate import contents

pytestmark = pytest.mark.slow

LOSING = parse_board(
    """
    * * o * * . . *
    * * * * * . . *
    * * * * . . . o
    . * * . . . . *
    o * * . . . . *
    . * . . . . . o
    . * . . . . . *
    * o * * o . . *
    """
)
WINNING = parse_board(
    """
    * * * o * * o .
    * * * * * o . .
    * . * * . . . .
    * * * * * * o .
    . * . . . . . .
    . o * * o . . .
    . * . . . . . .
    . * . . . . . .
    """
)


def ignored(times: int) -> None:
    """What is done with the number of each try."""


@pytest.fixture(scope="module")
def plays() -> list[list[int]]:
    """Plays; each takes half a minute to find."""
    return [ordered_play(Chance(f"test/{number}"), ignored) for number in range(2)]


# ---- boards that need an order -------------------------------------------------------------------


@pytest.mark.whole
def test_an_ordered_board_is_solved_by_its_play(plays: list[list[int]]) -> None:
    for play in plays:
        assert play[-1].bit_count() == 1
        for before, after in pairwise(play):
            assert after in after_jumps(before, THREES)


@pytest.mark.whole
def test_plain_searches_take_long_and_ordered_ones_do_not(plays: list[list[int]]) -> None:
    searches = Searches(FULL)
    for play in plays:
        for order in FEW_ORDERS:
            assert searches.plain(play[0], order, PLAIN_STATES[-1][0]) is None
            for lone in (False, True):
                assert searches.ordered(play[0], order, ORDERED_STATES, lone) is not None


@pytest.mark.whole
def test_a_play_is_the_same_every_time(plays: list[list[int]]) -> None:
    assert ordered_play(Chance("test/0"), ignored) == plays[0] != plays[1]


@pytest.mark.parametrize("name", every(2, ["triangle", "backtrack-needle", "key", "big-diamond"]))
def test_a_plain_search_counts_what_the_report_counts(name: str) -> None:
    board = read_board(paths.BOARDS / f"{name}.txt")
    pegs, holes = pegs_and_holes(board)
    known = memoized_search(board)  # down, right, up, left
    states = Searches(holes).plain(pegs, (0, 2, 1, 3), 1_000_000)
    assert states == (known.unsolvable if known.solved else None)


# ---- boards that a table decides -----------------------------------------------------------------


@pytest.mark.parametrize(
    "board", [pytest.param(LOSING, id="losing"), pytest.param(WINNING, id="winning", marks=pytest.mark.whole)]
)
def test_the_positions_that_can_win_are_closed(board: Board) -> None:
    winning = winning_of(board)
    assert winning is not None
    shape = shape_of(board)
    threes = threes_of(pegs_and_holes(board)[1])
    cells = {pegs_and_holes(shape.board(each))[0] for each in winning}
    assert {each.bit_length() - 1 for each in cells if each & each - 1 == 0} == {
        8 * row + col for row, col in shape.ends_of_class(shape.position(board))
    }
    for each in cells:
        assert cells.issuperset(before_jumps(each, threes))
        assert each & each - 1 == 0 or not cells.isdisjoint(after_jumps(each, threes))


@pytest.mark.whole
def test_another_losing_board_reaches_as_many_positions() -> None:
    winning = winning_of(LOSING)
    assert winning is not None
    other = another_losing(LOSING, winning, Chance("test"), ignored)
    assert other is not None and is_another(other, LOSING)
    shape = shape_of(LOSING)
    position = shape.position(other)
    assert position not in winning and shape.class_of(position) == shape.class_of(shape.position(LOSING))
    assert walk(shape, position, REACHED - 1).positions is None


def test_another_winning_board_wins() -> None:
    winning = winning_of(WINNING)
    assert winning is not None
    other = another_winning(WINNING, winning, Chance("test"), ignored)
    assert other is not None and is_another(other, WINNING)
    assert shape_of(WINNING).position(other) in winning
    assert memoized_search(other).solved


def is_another(board: Board, own: Board) -> bool:
    """Return whether a board has the holes of another one, and is not an image of it."""
    images = [own, *(image_of(own, image) for image in IMAGES)]
    same_holes = bool(((board == BLOCKED) == (own == BLOCKED)).all())
    return same_holes and not any((board == each).all() for each in images)


@pytest.mark.whole
def test_what_kind_of_board_is_made() -> None:
    """It follows from what is true of the given one."""
    losing = another_like(LOSING, False, None, Chance("a"), ignored)
    assert losing is not None and is_another(losing, LOSING)
    winning = another_like(WINNING, True, None, Chance("a"), ignored)
    assert winning is not None and is_another(winning, WINNING)
    ordered = another_like(read_board(paths.BOARDS / "french1.txt"), True, None, Chance("a"), ignored)
    assert ordered is not None and (ordered != BLOCKED).all()
    small = read_board(paths.BOARDS / "big-diamond.txt")
    assert another_like(small, False, 214_749, Chance("a"), ignored) is None
    excluded = read_board(paths.BOARDS / "french1.txt")
    excluded[0, 3], excluded[2, 3], excluded[3, 3] = PEG, PEG, 0
    assert another_like(excluded, False, None, Chance("a"), ignored) is None


# ---- the set -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sets(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a set, with --whole also one of another seed, and the first one again.

    Plain searches may be luckier there, to save minutes.
    """
    root = tmp_path_factory.mktemp("like")
    seeds = {"1": "1", "2": "2", "again": "1"} if request.config.getoption("--whole") else {"1": "1"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordered_boards, "PLAIN_STATES", ((3_000, 8),))
        for name, seed in seeds.items():
            done = CliRunner().invoke(generate, [str(root / name), "--like", "peg4", "--seed", seed])
            assert done.exit_code == 0, done.output
    return {path.name: path for path in root.iterdir()}


def test_the_set_grades_like_the_task(sets: dict[str, Path]) -> None:
    task = registry().find("peg4")
    checks = PrivateBoards(sets["1"]).checks(task)
    own = [check for check in task.checks if check.points and not check.variant]
    assert [(check.points, check.cpu_s) for check in checks] == [(each.points, each.cpu_s) for each in own]
    assert {check.board for check in checks}.isdisjoint(check.board for check in task.checks)
    done = grade("peg4", "--reference", "--boards", str(sets["1"]))
    assert done.returncode == 0, done.stdout


@pytest.mark.whole
def test_a_seed_names_a_set(sets: dict[str, Path]) -> None:
    assert contents(sets["again"]) == contents(sets["1"]) != contents(sets["2"])


@pytest.mark.whole
def test_moves_learnt_by_heart_earn_nothing_on_new_boards(sets: dict[str, Path], tmp_path: Path) -> None:
    """A program that knows all of a set, in all images, has at most the points of the small boards in another."""
    shutil.copytree(paths.REFERENCE, tmp_path / "learnt")
    program = tmp_path / "learnt" / "peg4.py"
    program.write_text(by_heart([read_board(path) for path in sorted(sets["1"].glob("*.txt"))]), "utf-8")
    points = {}
    for seed in ("1", "2"):
        done = grade("peg4", "--student", str(tmp_path / "learnt"), "--boards", str(sets[seed]))
        found = re.search(r"^peg4  (\d+) / (\d+)", done.stdout, re.MULTILINE)
        assert found, done.stdout
        points[seed] = int(found[1])
    boards = yaml_file.read_mapping(sets["2"] / "index.yaml", "").mapping("boards")
    small = sum(facts["points"] for facts in boards.values() if "positions" in facts)
    assert points["1"] > small >= points["2"]


def by_heart(boards: list[Board]) -> str:
    """Return a peg4 that knows solutions of some boards, in all images, and calls all others unsolvable."""
    known = {}
    for board in boards:
        answer = oracle.solve(board)
        for image in ("", *IMAGES) if answer.solvable else ():
            turned = [
                (*image_of_cell(*jump[:2], image), *image_of_cell(*jump[2:], image)) for jump in answer.jumps
            ]
            known[image_of(board, image).tobytes()] = turned
    return PROGRAM.format(known=known)


PROGRAM = """\
from client import move_new
from framework.stack import push

KNOWN = {known}


def peg_solve(board, stack, unsolvable):
    jumps = KNOWN.get(board.tobytes())
    if jumps is None:
        return 2
    for jump in reversed(jumps):
        push(stack, move_new(*jump))
    return 1
"""
