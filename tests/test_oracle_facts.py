"""The exact engine beside what is known of the large boards, and beside itself: symmetry, forwards, backwards.

Boards up to 20 holes are held to a plain search in test_oracle.py.
"""

import random
import subprocess
import sys

import numpy as np
import pytest

from framework.board import EMPTY, PEG
from framework.jumps import legal_jumps, play_jump
from framework.verify import verify
from grader import oracle
from grader.catalog.boards import find_board
from grader.oracle import memory, moves
from grader.oracle.analysis import analyse_problems
from grader.oracle.problem import OracleError
from grader.oracle.shape import Shape, shape_of
from grader.oracle.shape import image as position_image
from grader.oracle.winning_set import find_winning, joins
from support.plain_truth import random_shape_board

pytestmark = pytest.mark.slow

# OEIS A112737 and A112738: positions of the central game on the English board up to symmetry, by jump.
REACHABLE = [
    1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927, 229614, 517854, 1022224, 1753737, 2598215, 3312423, 3626632,
    3413313, 2765623, 1930324, 1160977, 600372, 265865, 100565, 32250, 8688, 1917, 348, 50, 7, 2,
]  # fmt: skip
HALF_OF_WINNING = [
    1, 1, 2, 8, 38, 164, 635, 2089, 6174, 16020, 35749, 68326, 112788, 162319, 204992, 230230,
]  # fmt: skip
WINNING = HALF_OF_WINNING + HALF_OF_WINNING[::-1]
CENTRE = [(3, 3)]


@pytest.fixture(scope="module")
def english() -> np.ndarray:
    return find_board("english").board


def test_reachable_positions_of_the_central_game(english: np.ndarray) -> None:
    counts = oracle.reachable(english)
    assert counts.canonical == REACHABLE and sum(counts.canonical) == 23_475_688
    assert sum(counts.raw) == 187_636_299
    assert all(least * 8 >= all_ >= least for least, all_ in zip(counts.canonical, counts.raw, strict=True))


def test_winning_positions_of_the_central_game(english: np.ndarray) -> None:
    found, shape = oracle.solutions(english, CENTRE).winning, shape_of(english)
    assert found.counts.canonical == WINNING and sum(WINNING) == 1_679_072
    assert found.counts.raw == found.counts.raw[::-1]
    for jumps in (3, 15, 28):
        positions = found.field.members(found.levels[jumps])
        assert len(positions) == WINNING[jumps]
        assert (np.bitwise_count(positions) == 32 - jumps).all()
        for position in positions[:: len(positions) // 5 + 1].tolist():
            assert found.holds(position) and oracle.can_win(shape.board(position), CENTRE)
            assert found.holds(shape.full ^ position)  # the game is its own reverse


def test_solutions_of_the_central_game(english: np.ndarray) -> None:
    found = oracle.solutions(english, CENTRE)
    assert (found.count, found.moves) == (40_861_647_040_079_968, 18)
    games = list(found.best())
    assert len(games) == len({tuple(game) for game in games}) == found.optimal_count
    for game in [oracle.solved(english, CENTRE).best, *games[:: len(games) // 20]]:
        moves = sum(game[at - 1][2:] != game[at][:2] for at in range(1, len(game))) + 1
        seen = verify(english, game)
        assert seen.solved and moves == 18


@pytest.mark.whole
def test_another_hole_for_the_last_peg_and_all_together(english: np.ndarray) -> None:
    ends = oracle.class_ends(english)
    assert ends == [(0, 3), (3, 0), (3, 3), (3, 6), (6, 3)]
    assert oracle.solved(english).goals == ends
    by_goal = {end: oracle.solutions(english, [end]).count for end in ends[:3]}
    assert by_goal[0, 3] == by_goal[3, 0]
    assert oracle.solutions(english).count == by_goal[3, 3] + 4 * by_goal[0, 3]


@pytest.mark.parametrize(("vacancy", "goal"), [((0, 3), (0, 3)), ((1, 3), (1, 3)), ((0, 3), (6, 3))])
def test_there_and_back(vacancy: tuple[int, int], goal: tuple[int, int], english: np.ndarray) -> None:
    """A solution played backwards solves the reverse problem: as many positions and solutions, in other order."""
    there, back = (full_but(english, hole) for hole in (vacancy, goal))
    assert (
        oracle.solutions(there, [goal]).winning.counts.raw
        == oracle.solutions(back, [vacancy]).winning.counts.raw[::-1]
    )
    assert oracle.solutions(there, [goal]).count == oracle.solutions(back, [vacancy]).count


def full_but(board: np.ndarray, hole: tuple[int, int]) -> np.ndarray:
    full = np.where(board == EMPTY, PEG, board).astype(np.int8)
    full[hole] = EMPTY
    return full


def test_hints_lead_from_any_position_to_a_solution(english: np.ndarray) -> None:
    """Play at random while it can win, then by hints; what is lost has no hint."""
    chance = random.Random(5)
    for _ in range(20):
        board, jumps = english.copy(), []
        for _ in range(chance.randint(1, 20)):
            following = oracle.successors(board)
            assert sorted(jump for jump, _ in following) == sorted(map(tuple, legal_jumps(board)))
            winning = [jump for jump, wins in following if wins]
            if not winning:
                break
            jump = chance.choice(winning)
            jumps.append(jump)
            play_jump(board, jump)
        while jump := oracle.hint(board):
            jumps.append(jump)
            play_jump(board, jump)
        assert verify(english, jumps).solved


# ---- what cannot be answered ------------------------------------------------------------------


def test_too_many_holes() -> None:
    board = np.ones((8, 8), dtype=np.int8)
    board[0, 0] = EMPTY
    with pytest.raises(OracleError, match="64 holes; the exact engine takes up to 41"):
        oracle.solutions(board)


def test_too_little_memory(english: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 10 << 20)
    board = full_but(english, (1, 2))
    with pytest.raises(OracleError, match=r"needs \d+ MiB of memory, and 10 MiB are free"):
        oracle.solutions(board)
    assert oracle.solve(board).status == "found"  # that needs little


def test_memory_of_the_system_is_known() -> None:
    assert 0 <= memory.available() < 1 << 50  # none is left in a container full of cached files


def test_without_numba_the_package_is_light() -> None:
    """Random boards are made where no search runs: numba takes half a second to import."""
    code = "import sys, grader.making.random_boards; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_all_problems_of_a_shape() -> None:
    """Each once, up to symmetry; a problem and its reverse have as many positions and solutions."""
    for name, board in (("3x5", rectangle(3, 5).board(1)), ("random", random_shape_board(random.Random(3)))):
        shape = shape_of(board)

        def least(vacancy: int, goal: int, shape: Shape = shape) -> tuple[int, int]:
            return min((symmetry[vacancy], symmetry[goal]) for symmetry in shape.symmetries)

        found = {}
        for each in analyse_problems(name, board):
            vacancy = tuple(map(int, each.board.partition("@")[2].split(",")))
            assert each.goal is not None and each.winning is not None
            problem = least(shape.number[vacancy], shape.number[each.goal])
            assert problem not in found
            found[problem] = each.solutions, each.winning.raw
        assert found.keys() == {
            least(vacancy, shape.number[goal])
            for vacancy in range(len(shape.holes))
            for goal in shape.ends_of_class(shape.full ^ 1 << vacancy)
        }
        for (vacancy, goal), (solutions, winning) in found.items():
            assert found[least(goal, vacancy)] == (solutions, winning[::-1])


def rectangle(rows: int, cols: int) -> Shape:
    return Shape((row, col) for row in range(rows) for col in range(cols))


def test_more_jump_sequences_than_fit_into_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way counts 2^50 times, so that a second word is taken on the way."""
    shape = rectangle(4, 5)
    most = 0
    for vacancy in range(len(shape.holes)):
        start = shape.full ^ 1 << vacancy
        goals = [1 << shape.number[hole] for hole in shape.ends_of_class(start)]
        if not goals:
            continue
        found = find_winning(shape, start, goals)
        counts = [moves.Solutions(found).ways_to(goal)[0] for goal in goals]
        with monkeypatch.context() as patched:
            patched.setattr(moves, "ONE_WAY", moves.ONE_WAY << np.uint64(50))
            assert [moves.Solutions(found).ways_to(goal)[0] for goal in goals] == [
                count << 50 for count in counts
            ]
        most = max(most, *counts)
    assert most << 50 > 1 << 66


def test_winning_positions_where_the_reverse_problem_is_an_image() -> None:
    """Only the levels from the start are grown there; a plain search grows them from both ends."""
    pick, shape = random.Random(7), Shape([(row, col) for row in range(4) for col in range(4)])
    solvable = 0
    while solvable < 12:
        start, symmetry = pick.getrandbits(16), pick.choice(shape.symmetries[1:])
        opposite = position_image(symmetry, start)
        goal = shape.full ^ opposite
        if position_image(symmetry, opposite) != start or opposite == start:
            continue
        if not 0 < goal.bit_count() < start.bit_count():
            continue
        reached = [{start}]
        for _ in range(start.bit_count() - goal.bit_count()):
            reached.append({after for each in reached[-1] for after in shape.after_jumps(each)})
        winning = [reached[-1] & {goal}]
        for level in reversed(reached[:-1]):
            winning.append({each for each in level if winning[-1] & set(shape.after_jumps(each))})
        found = find_winning(shape, start, [goal])
        assert joins(shape, start, [goal]) == found.solvable == bool(winning[0])
        if found.solvable:
            solvable += 1
            assert found.counts.raw == [len(level) for level in reversed(winning)]
            assert all(found.holds(each) for level in winning for each in level)
