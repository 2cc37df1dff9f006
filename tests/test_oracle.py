"""The exact engine says of random small boards what the plain truth says.

pytest tests/test_oracle.py --oracle-boards 10000        that many boards
pytest tests/test_oracle.py --oracle-boards 10000 --oracle-seed 7
"""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from framework.board import read_board
from grader import oracle, paths
from grader.oracle.listing import Listing
from grader.oracle.moves import Solved
from grader.oracle.problem import goals_of_class
from grader.oracle.shape import shape_of
from support.plain_truth import (
    Cell,
    Jump,
    Truth,
    board_of,
    corners,
    drawn,
    holes_of,
    image,
    random_goals,
    random_shape_board,
    truth,
)

pytestmark = pytest.mark.slow

# So many optimal solutions are all asked for; of more only the first.
ALL_SOLUTIONS = 200
# After so many faults a check is not tried on further boards.
ENOUGH_FAULTS = 10


@dataclass(frozen=True)
class Case:
    """A random board with the truth about it; `seed` makes whatever a check picks at random."""

    board: np.ndarray
    goals: list[Cell] | None
    truth: Truth
    seed: str

    def random(self) -> Random:
        return Random(self.seed)


def same(found: Any, wanted: Any, what: str) -> None:
    assert found == wanted, f"{what}: the engine says {found!r}, the truth is {wanted!r}"


def played(board: np.ndarray, jumps: Iterable[Iterable[int]]) -> np.ndarray:
    """Play jumps by the rules."""
    board = np.array(board)
    for number, jump in enumerate(jumps, start=1):
        row, col, row_end, col_end = (int(part) for part in jump)
        what = f"jump {number}, {row}:{col} -> {row_end}:{col_end}"
        assert min(row, col, row_end, col_end) >= 0 and max(row, col, row_end, col_end) <= 7, (
            f"{what} leaves the frame"
        )
        assert sorted([abs(row_end - row), abs(col_end - col)]) == [0, 2], (
            f"{what} is not straight or not of two cells"
        )
        over = ((row + row_end) // 2, (col + col_end) // 2)
        assert [int(board[cell]) for cell in ((row, col), over, (row_end, col_end))] == [1, 1, 0], (
            f"{what} is illegal"
        )
        board[row, col] = board[over] = 0
        board[row_end, col_end] = 1
    return board


def pegs_of(board: np.ndarray) -> frozenset[Cell]:
    return frozenset(cell for cell in holes_of(board) if board[cell] == 1)


def check_solution(case: Case, jumps: Any, what: str) -> list[Jump]:
    """Check that jumps are played on the board to one peg on a goal; return them as plain tuples."""
    assert jumps is not None, f"{what}: no jumps are given"
    plain = [tuple(int(part) for part in jump) for jump in jumps]
    left = pegs_of(played(case.board, plain))
    goals = holes_of(case.board) if case.goals is None else case.goals
    assert len(left) == 1 and left <= set(goals), f"{what}: {plain} leave {sorted(left)}"
    return plain


def moves_in(jumps: list[Jump]) -> int:
    """Count the moves: a jump of the peg that has just landed goes on with its move."""
    return sum(number == 0 or jumps[number - 1][2:] != jump[:2] for number, jump in enumerate(jumps))


def summary(board: np.ndarray, goals: Iterable[Cell] | None) -> Solved:
    """Return what the sets tell, however few positions there are."""
    return oracle.solutions(board, goals).summary()


# --- One check for each question ------------------------------------------------------


def check_reachable(case: Case) -> None:
    counts = oracle.reachable(case.board)
    same(list(counts.raw), case.truth.reachable.raw, "raw")
    same(list(counts.canonical), case.truth.reachable.canonical, "canonical")


def check_holds(case: Case) -> None:
    """Ask for winning positions, for such with a peg more or less, for what play leads to, and for any."""
    random, winning, holes = case.random(), case.truth.winning_positions, holes_of(case.board)
    asked = random.sample(sorted(winning, key=sorted), min(len(winning), 60))
    asked += [pegs ^ {random.choice(holes)} for pegs in asked[:20]]
    for _ in range(2):
        board, jumps = case.board, list(case.truth.successors)
        while jumps:
            board = played(board, [random.choice(jumps)])
            asked.append(pegs_of(board))
            jumps = legal(board)
    asked += [frozenset(random.sample(holes, random.randint(0, len(holes)))) for _ in range(20)]
    asked += [frozenset([hole]) for hole in holes]
    found, shape = oracle.solutions(case.board, case.goals).winning, shape_of(case.board)
    for pegs in asked:
        position = np.where(case.board == -1, -1, 0).astype(np.int8)
        for cell in pegs:
            position[cell] = 1
        answer = found.holds(shape.position(position))
        assert bool(answer) == (pegs in winning), f"holds is {answer!r} of\n{drawn(position)}"


def legal(board: np.ndarray) -> list[Jump]:
    """Return the legal jumps of a position, tried on every cell and in every direction."""
    jumps = []
    for row, col in holes_of(board):
        for jump in (
            (row, col, row + 2, col),
            (row, col, row - 2, col),
            (row, col, row, col + 2),
            (row, col, row, col - 2),
        ):
            try:
                played(board, [jump])
            except AssertionError:
                continue
            jumps.append(jump)
    return jumps


def check_fewest_pegs(case: Case) -> None:
    same(oracle.fewest_pegs(case.board), case.truth.fewest_pegs, "fewest pegs")


def check_solved(case: Case) -> None:
    found, known = summary(case.board, case.goals), case.truth
    same(list(map(list, found.positions)), list(map(list, known.winning)), "winning")
    assert type(found.solutions) is int, (
        f"the number is a {type(found.solutions).__name__}, which may overflow"
    )
    same(found.solutions, known.solutions, "number of solutions")
    same(list(map(tuple, found.goals)), known.goal_holes, "goal holes")
    same(found.moves, known.fewest_moves, "fewest moves")
    same(found.optimal_solutions, known.optimal_solutions, "number of optimal solutions")
    if found.moves is None:
        assert not found.best, f"a solution of a board that has none: {found.best}"
        return
    same(moves_in(check_solution(case, found.best, "the proof")), found.moves, "moves of the proof")


def check_all_solutions(case: Case) -> None:
    found = oracle.solutions(case.board, case.goals)
    optimal = case.truth.optimal_solutions
    given = list(islice(found.best(), ALL_SOLUTIONS + 1))
    assert len(given) == min(optimal, ALL_SOLUTIONS + 1), (
        f"{len(given)} solutions are given, there are {optimal}"
    )
    plain = [check_solution(case, jumps, "one of all solutions") for jumps in given]
    assert len({tuple(jumps) for jumps in plain}) == len(plain), "the same solution is given twice"
    for jumps in plain:
        same(moves_in(jumps), case.truth.fewest_moves, f"moves of {jumps}")


def check_listing(case: Case) -> None:
    """What is known where all positions are listed, without the sets."""
    shape = shape_of(case.board)
    start = shape.position(case.board)
    listing = Listing(shape, start)
    same(list(map(list, listing.reachable())), list(map(list, case.truth.reachable)), "reachable")
    found = listing.solve(goals_of_class(shape, start, case.goals))
    same(list(map(list, found.positions)), list(map(list, case.truth.winning)), "winning")
    same(found.goals, case.truth.goal_holes, "goal holes")
    wanted = case.truth.solutions, case.truth.fewest_moves, case.truth.optimal_solutions
    same((found.solutions, found.moves, found.optimal_solutions), wanted, "solutions, moves, best solutions")
    if found.moves is not None:
        jumps = check_solution(case, found.best, "the best")
        same(moves_in(jumps), found.moves, "moves of the best")


def check_solve(case: Case) -> None:
    found = oracle.solve(case.board, case.goals)
    assert found.status in ("proved", "found", "refuted by class"), (
        f"status {found.status!r} on a small board"
    )
    assert found.solvable is case.truth.solvable, (
        f"solvable is {found.solvable!r}, the truth is {case.truth.solvable}"
    )
    goals = holes_of(case.board) if case.goals is None else case.goals
    excluded = not set(goals) & set(case.truth.holes_of_class)
    same(found.status == "refuted by class", excluded, f"refuted by class (status {found.status!r})")
    if found.solvable:
        check_solution(case, found.jumps, "the solution")
    else:
        assert found.status != "found", "nothing can be found"
        assert not found.jumps, f"jumps for a board that cannot be solved: {found.jumps}"


def check_successors(case: Case) -> None:
    found = oracle.successors(case.board, case.goals)
    plain = [(tuple(int(part) for part in jump), bool(winnable)) for jump, winnable in found]
    same(sorted(plain), sorted(case.truth.successors.items()), "successors")


def check_image(case: Case) -> None:
    """The board turned and put elsewhere has the same answers, goals turned with it."""
    random, known = case.random(), case.truth
    turn = random.randrange(8)
    board, place = image(case.board, turn, random.choice(corners(case.board, turn)))
    there = None if case.goals is None else [place(goal) for goal in case.goals]
    known = known._replace(
        successors={place(jump[:2]) + place(jump[2:]): wins for jump, wins in known.successors.items()},
        goal_holes=sorted(map(place, known.goal_holes)),
        holes_of_class=sorted(map(place, known.holes_of_class)),
    )
    turned = Case(board, there, known, case.seed)
    for check in (check_reachable, check_fewest_pegs, check_solved, check_solve, check_successors):
        try:
            check(turned)
        except AssertionError as error:
            raise AssertionError(f"of the image\n{drawn(board, there)}\n{error}") from None
    if there is not None:  # goals may come as any iterable, even one that can be gone through only once
        same(summary(board, iter(there)).solutions, known.solutions, "number of solutions")


CHECKS: dict[str, Callable[[Case], None]] = {
    "reachable": check_reachable,
    "holds": check_holds,
    "fewest_pegs": check_fewest_pegs,
    "solved": check_solved,
    "all_solutions": check_all_solutions,
    "listing": check_listing,
    "solve": check_solve,
    "successors": check_successors,
    "image": check_image,
}


# --- Random boards --------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    holes: int
    message: str


def fault_of(check: Callable[[Case], None], case: Case, number: int) -> Fault | None:
    """Return what a check finds wrong with the engine on a board, or None."""
    before, tried = case.board, replace(case, board=case.board.copy())
    what = ""
    try:
        check(tried)
    except AssertionError as error:
        # What the check says, without pytest's own explanation after it; an assertion of the engine's may say nothing.
        what = str(error).split("\nassert ")[0] or traceback.format_exc(limit=-3)
    except Exception:
        what = traceback.format_exc(limit=-3)
    if not np.array_equal(before, tried.board):
        what = f"the engine has changed the board it was given. {what}"
    if not what:
        return None
    picture = drawn(before, case.goals)
    return Fault(len(holes_of(before)), f"board {number}, made from {case.seed!r}:\n{picture}\n{what}")


@pytest.fixture(scope="module")
def faults(request: pytest.FixtureRequest) -> dict[str, list[Fault]]:
    """Return the faults of every check.

    The boards come one after the other, so that only one truth, which may be large, is kept at a time.
    """
    boards, seed = request.config.getoption("--oracle-boards"), request.config.getoption("--oracle-seed")
    found: dict[str, list[Fault]] = {name: [] for name in CHECKS}
    for number in range(boards):
        random = Random(f"{seed}/{number}")
        board = random_shape_board(random)
        chosen = random_goals(random, board)
        goals = None if chosen is None else random.sample(sorted(chosen), len(chosen))
        case = Case(board, goals, truth(board, goals), f"{seed}/{number}")
        for name, check in CHECKS.items():
            if len(found[name]) < ENOUGH_FAULTS:
                fault = fault_of(check, case, number)
                found[name] += [fault] if fault else []
    return found


@pytest.mark.parametrize("name", CHECKS)
def test_random_boards(name: str, faults: dict[str, list[Fault]]) -> None:
    found = sorted(faults[name], key=lambda fault: fault.holes)
    if found:
        count = f"{len(found)} or more" if len(found) == ENOUGH_FAULTS else str(len(found))
        pytest.fail(
            f"boards at fault: {count}, among them\n\n" + "\n\n".join(f.message for f in found[:3]),
            pytrace=False,
        )


# --- Chosen boards --------------------------------------------------------------------

# Of each kind one: even and solvable, even and not, with solutions of different numbers of moves, islands, a long line.
FIXED = [
    "**oo**",
    ".*. *** *o* .*.",
    "**o*o",
    "*o** **** ****",
    "**o .*. .*.",
    "**o*o ..... **o*o",
    "o**o**o*",
    ".**. **** *o** .**.",
    "*",
    "*o ..* o**",
]


@pytest.mark.parametrize("text", FIXED)
def test_all_checks_for_each_goal(text: str) -> None:
    board = board_of(text)
    for goals in (None, *([hole] for hole in holes_of(board))):
        for name, check in CHECKS.items():
            fault = fault_of(check, Case(board, goals, truth(board, goals), text), 0)
            if fault:
                pytest.fail(f"{name}: {fault.message}", pytrace=False)


def test_no_goal_is_not_the_same_as_any_goal() -> None:
    board = board_of("**o*o")
    assert summary(board, []).solutions == 0
    assert summary(board, []).goals == []
    assert summary(board, []).moves is None
    assert oracle.solve(board, []).solvable is False
    assert oracle.hint(board, []) is None
    assert list(summary(board, []).positions.raw) == []


def test_boards_from_files_do() -> None:
    """Read with assertions on, a board is an array that checks its indices."""
    for name in ("choice", "choice-middle", "plus", "3x4-corner", "corner-bottom-right", "one-peg"):
        board = read_board(paths.BOARDS / f"{name}.txt")
        case = Case(board, None, truth(np.array(board)), name)
        for check in CHECKS.values():
            check(case)
