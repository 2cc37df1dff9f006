"""The plain truth is held to what is known otherwise, and to a still plainer way on the smallest boards."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
import yaml

from support.plain_truth import (
    MOST_HOLES,
    Truth,
    board_of,
    class_of,
    corners,
    drawn,
    holes_of,
    image,
    jumps_on,
    random_goals,
    random_shape_board,
    swapped,
    symmetries_of,
    truth,
    walk,
)
from support.sampling import every

pytestmark = pytest.mark.slow

BOARDS = Path(__file__).resolve().parent.parent / "boards"
INDEX = yaml.safe_load((BOARDS / "index.yaml").read_text(encoding="utf-8"))["boards"]
VACANCIES = yaml.safe_load((BOARDS / "index.yaml").read_text(encoding="utf-8"))["vacancies"]
SMALL = [name for name, fact in INDEX.items() if fact["positions"] and fact["positions"] <= 100_000]


def read(name: str) -> np.ndarray:
    return board_of((BOARDS / f"{name}.txt").read_text(encoding="ascii").replace(" ", ""))


# --- Facts known otherwise -----------------------------------------------------------


@pytest.mark.parametrize("name", every(3, SMALL))
def test_the_boards_of_the_course(name: str) -> None:
    fact, found = INDEX[name], truth(read(name))
    assert sum(found.reachable.raw) == fact["positions"]
    assert found.solvable == fact["solvable"]
    assert found.fewest_pegs == fact["fewest"]
    assert len(found.reachable.raw) == fact["pegs"] - fact["fewest"] + 1
    assert (
        (found.fewest_moves is not None)
        == bool(found.goal_holes)
        == bool(found.winning.raw)
        == fact["solvable"]
    )
    if fact["forced"]:
        assert set(found.reachable.raw) == set(found.reachable.canonical) == {1}
        assert found.solutions == found.optimal_solutions == fact["solvable"]
        assert found.winning == (found.reachable if fact["solvable"] else ([], []))


def test_the_first_levels_of_the_english_board() -> None:
    """OEIS A112737: positions of the central game up to symmetry."""
    board = read("english")
    holes = holes_of(board)
    symmetries = symmetries_of(holes)
    assert len(symmetries) == 8
    start = sum(1 << number for number, hole in enumerate(holes) if board[hole] == 1)
    counts = []
    for level, _ in zip(walk(start, jumps_on(holes)), range(8), strict=False):
        counts.append(
            len({min(swapped(position, symmetry) for symmetry in symmetries) for position in level})
        )
    assert counts == [1, 1, 2, 8, 39, 171, 719, 2757]


@pytest.mark.parametrize("family", VACANCIES)
def test_the_classes_exclude_the_vacancies_that_cannot_be_solved(family: str) -> None:
    facts = VACANCIES[family]
    holes = holes_of(read(facts["full"]))
    possible = [
        [row, col]
        for row, col in holes
        if class_of(hole for hole in holes if hole != (row, col)) in {class_of([hole]) for hole in holes}
    ]
    assert possible == sorted(facts["solvable"])


@pytest.mark.parametrize(
    ("pegs", "solvable"),
    [
        ("9 18 19 29 30 38", True),
        ("2 3 4 9 10 14 15 16 17 19 20 21", False),
        ("2 3 4 9 10 14 15 16 17 19", True),
    ],
)
def test_the_cases_of_lab_10(pegs: str, solvable: bool) -> None:
    """The course CS 315 numbers the 7 x 7 cells of the English board row by row."""
    board = read("english")
    board[board == 1] = 0
    for number in pegs.split():
        cell = divmod(int(number), 7)
        assert board[cell] == 0
        board[cell] = 1
    found = truth(board)
    assert found.solvable == solvable
    if solvable:
        assert len(found.winning.raw) == len(pegs.split())


# --- Worked by hand ------------------------------------------------------------------


def test_one_peg_hopping_twice_is_one_move() -> None:
    """The left peg hops twice, or the right one comes to meet it: two solutions, of one move and of two."""
    found = truth(board_of("**o*o"))
    assert found == Truth(
        reachable=([1, 1, 2], [1, 1, 2]),
        winning=([1, 1, 2], [1, 1, 2]),
        winning_positions=frozenset(
            {
                frozenset({(0, 0), (0, 1), (0, 3)}),
                frozenset({(0, 2), (0, 3)}),
                frozenset({(0, 1)}),
                frozenset({(0, 4)}),
            }
        ),
        successors={(0, 0, 0, 2): True},
        goal_holes=[(0, 1), (0, 4)],
        fewest_pegs=1,
        solutions=2,
        fewest_moves=1,
        optimal_solutions=1,
        holes_of_class=[(0, 1), (0, 4)],
    )


@pytest.mark.parametrize(
    ("goals", "solutions", "moves", "optimal"),
    [
        ([(0, 4)], 1, 1, 1),
        ([(0, 1)], 1, 2, 1),
        ([(0, 1), (0, 4)], 2, 1, 1),
        ([(0, 0), (0, 2)], 0, None, 0),
        ([], 0, None, 0),
    ],
)
def test_the_goals_choose_among_solutions(
    goals: list[tuple[int, int]], solutions: int, moves: int | None, optimal: int
) -> None:
    found = truth(board_of("**o*o"), goals)
    assert (found.solutions, found.fewest_moves, found.optimal_solutions) == (solutions, moves, optimal)
    assert found.reachable.raw == [1, 1, 2]
    assert found.goal_holes == ([goal for goal in goals if solutions])
    assert found.winning.raw == ([1, 1, len(goals)] if solutions else [])
    assert found.successors == {(0, 0, 0, 2): solutions > 0}


def test_another_peg_between_ends_a_move() -> None:
    """A jumps right, B jumps up to where A went over, and A goes back over B."""
    found = truth(board_of("**o .*. .*."))
    assert found.reachable == found.winning == ([1, 1, 1, 1], [1, 1, 1, 1])
    assert (found.solutions, found.fewest_moves, found.optimal_solutions) == (1, 3, 1)
    assert found.goal_holes == [(0, 0)]


@pytest.mark.parametrize(
    ("name", "moves"),
    [("one-jump", 1), ("forced-hops", 1), ("forced-stairs", 2), ("forced-relay", 3)],
)
def test_the_moves_of_forced_games(name: str, moves: int) -> None:
    assert truth(read(name)).fewest_moves == moves


def test_a_peg_alone_is_a_solution_without_a_move() -> None:
    found = truth(board_of("oo*"))
    assert (found.solutions, found.fewest_moves, found.optimal_solutions) == (1, 0, 1)
    assert found.reachable == found.winning == ([1], [1])
    assert found.goal_holes == [(0, 2)]
    assert found.holes_of_class == [(0, 2)]
    elsewhere = truth(board_of("oo*"), [(0, 1)])
    assert (elsewhere.solutions, elsewhere.fewest_moves, elsewhere.optimal_solutions) == (0, None, 0)
    assert elsewhere.reachable == ([1], [1])
    assert elsewhere.winning == ([], [])
    assert (elsewhere.goal_holes, elsewhere.fewest_pegs) == ([], 1)


def test_two_games_beside_each_other_are_played_in_any_order() -> None:
    """Each line has 1 + x + 2x^2 positions by jumps; the two together have the square of that."""
    found = truth(board_of("**o*o ..... ..... **o*o"))
    assert (found.fewest_pegs, found.solutions) == (2, 0)
    assert found.reachable.raw == [1, 2, 5, 4, 4]
    # Of the symmetries one keeps the start: it exchanges the lines.
    assert found.reachable.canonical == [1, 1, 3, 2, 3]


@pytest.mark.parametrize(
    ("text", "symmetries"),
    [("***", 4), ("** **", 8), ("*** ***", 4), (".*. *** .*.", 8), ("** *.", 2), ("*. .*", 4), ("**. *..", 2), ("*.. ***", 1), ("**. .**", 2), (". .*. ..*", 4)],
)  # fmt: skip
def test_the_symmetries_of_holes(text: str, symmetries: int) -> None:
    """Turns and reflections that are the same on a line of holes are counted apart: here all are kept."""
    assert len(symmetries_of(holes_of(board_of(text)))) == symmetries


def test_only_symmetries_that_keep_the_start_join_positions() -> None:
    even, odd = truth(board_of("o**o")), truth(board_of("o**oo"))
    assert even.reachable == even.winning == ([1, 1], [1, 2])
    assert odd.reachable == odd.winning == ([1, 2], [1, 2])
    middle = truth(board_of("**o**"))
    assert middle.reachable == ([1, 1, 1], [1, 2, 2])
    assert middle.winning == ([], [])
    assert (middle.fewest_pegs, middle.goal_holes) == (2, [])


def test_only_symmetries_that_keep_the_goals_join_winning_positions() -> None:
    """L jumps to the middle and so does R, in either order; then one of them goes over the other."""
    board = board_of("**oo**")
    found = truth(board)
    assert found.reachable == found.winning == ([1, 1, 1, 1], [1, 2, 1, 2])
    assert (found.solutions, found.fewest_moves, found.optimal_solutions) == (4, 2, 2)
    assert truth(board, [(0, 1), (0, 4)]) == truth(board, holes_of(board)) == found
    one_side = truth(board, [(0, 4)])
    assert one_side.reachable == found.reachable
    assert one_side.winning == ([1, 2, 1, 1], [1, 2, 1, 1])
    assert (one_side.solutions, one_side.fewest_moves, one_side.optimal_solutions) == (2, 2, 1)


# --- Every jump sequence --------------------------------------------------------------


class TooMany(Exception):
    """There are more jump sequences than this way can play."""


def every_sequence(board: np.ndarray) -> list[tuple[list[int], list[np.ndarray]]]:
    """Return every jump sequence from the start: which peg made each jump, by its name, and the positions met.

    The pegs have names that go with them, so that "the same peg" needs no thought.
    """
    names = np.where(board == 1, np.arange(64).reshape(8, 8) + 1, board)
    found: list[tuple[list[int], list[np.ndarray]]] = []

    def play(names: np.ndarray, jumped: list[int], met: list[np.ndarray]) -> None:
        found.append((jumped, met))
        if len(found) > 1000:
            raise TooMany
        for row, col in np.argwhere(names > 0):
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                over, land = (row + down, col + right), (row + 2 * down, col + 2 * right)
                if min(land) < 0 or max(land) > 7 or names[over] < 1 or names[land] != 0:
                    continue
                after = names.copy()
                after[row, col], after[over], after[land] = 0, 0, names[row, col]
                play(after, [*jumped, int(names[row, col])], [*met, np.minimum(after, 1).astype(np.int8)])

    play(names, [], [board])
    return found


def cells_of(board: np.ndarray, value: int) -> frozenset[tuple[int, int]]:
    return frozenset((int(row), int(col)) for row, col in np.argwhere(board == value))


def images_kept(board: np.ndarray, goals: set[tuple[int, int]]) -> list:
    """Return the turns of the cut-out board that leave holes, pegs and goals as they are, as functions on positions."""
    rows, cols = np.nonzero(board != -1)
    box = np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]
    marks = board.copy()
    for goal in goals:
        marks[goal] += 2

    def turn(position: np.ndarray, quarters: int, flip: bool) -> np.ndarray:
        cut = np.rot90(position[box], quarters)
        return cut[:, ::-1] if flip else cut

    kinds = [(quarters, flip) for quarters in range(4) for flip in (False, True)]
    kept = [kind for kind in kinds if np.array_equal(turn(marks, *kind), marks[box])]
    return [lambda position, kind=kind: turn(position, *kind) for kind in kept]


def orbits(positions: list[np.ndarray], turns: list) -> int:
    return len({min(turn(position).tobytes() for turn in turns) for position in positions})


def by_jumps(sequences: list[list[np.ndarray]]) -> list[list[np.ndarray]]:
    """Return the different positions met after each number of jumps."""
    most = max((len(met) for met in sequences), default=0)
    return [
        list({met[n].tobytes(): met[n] for met in sequences if len(met) > n}.values()) for n in range(most)
    ]


def counts_of(levels: list[list[np.ndarray]], turns: list) -> tuple[list[int], list[int]]:
    return [orbits(level, turns) for level in levels], [len(level) for level in levels]


def check_by_every_sequence(board: np.ndarray, goals: set[tuple[int, int]] | None) -> Truth:
    sequences = every_sequence(board)
    found = truth(board, goals)
    every = cells_of(board, 0) | cells_of(board, 1)
    wins = [
        (1 + sum(one != other for one, other in pairwise(jumped)) if jumped else 0, met)
        for jumped, met in sequences
        if (board == 1).sum() == 1 + len(jumped)
        and cells_of(met[-1], 1) <= (every if goals is None else goals)
    ]
    moves = Counter(cost for cost, _ in wins)
    fewest = min(moves, default=None)
    possible = set() if goals is None else goals & set(found.holes_of_class)
    levels, won = by_jumps([met for _, met in sequences]), by_jumps([met for _, met in wins])
    firsts = {met[1].tobytes() for _, met in sequences if len(met) > 1}
    winning_firsts = {met[1].tobytes() for _, met in wins if len(met) > 1}
    assert found._replace(successors={}, holes_of_class=[]) == Truth(
        reachable=counts_of(levels, images_kept(board, set())),
        winning=counts_of(won, images_kept(board, possible)),
        winning_positions=frozenset(cells_of(position, 1) for level in won for position in level),
        successors={},
        goal_holes=sorted({cell for _, met in wins for cell in cells_of(met[-1], 1)}),
        fewest_pegs=min(len(cells_of(met[-1], 1)) for _, met in sequences),
        solutions=len(wins),
        fewest_moves=fewest,
        optimal_solutions=0 if fewest is None else moves[fewest],
        holes_of_class=[],
    ), drawn(board, goals)
    following = {}
    for jump, winnable in found.successors.items():
        row, col, row_end, col_end = jump
        after = board.copy()
        after[row, col], after[(row + row_end) // 2, (col + col_end) // 2], after[row_end, col_end] = 0, 0, 1
        following[after.tobytes()] = winnable
    assert following == {first: first in winning_firsts for first in firsts}, drawn(board, goals)
    # A peg can only be left alone on a hole of the class, whether the goals allow it or not.
    alone = {cell for _, met in sequences if (met[-1] == 1).sum() == 1 for cell in cells_of(met[-1], 1)}
    assert alone <= set(found.holes_of_class), drawn(board, goals)
    return found


def test_every_sequence_of_random_boards() -> None:
    random = Random(5)
    seen: Counter[str] = Counter()
    for _ in range(500):
        board = random_shape_board(random)
        goals = random_goals(random, board)
        try:
            found = check_by_every_sequence(board, goals)
        except TooMany:
            seen["too many sequences"] += 1
            continue
        seen["solvable"] += found.solvable
        seen["several moves"] += (found.fewest_moves or 0) > 1
        seen["hops"] += found.solvable and 0 < found.fewest_moves < len(found.winning.raw) - 1
        seen["not all optimal"] += found.optimal_solutions < found.solutions
        seen["symmetric"] += found.reachable.canonical != found.reachable.raw
        seen["goals keep less"] += (
            goals is not None and truth(board).winning.canonical != found.winning.canonical
        )
        seen["excluded by class"] += not set(found.holes_of_class) & (goals or set(holes_of(board)))
        seen["refuted by search"] += (
            bool(set(found.holes_of_class) & (goals or set(holes_of(board)))) and not found.solvable
        )
    # The boards are of all kinds: none of these is rare.
    assert min(seen.values()) >= 10, seen


# --- Images, and the random boards ----------------------------------------------------


def test_images_have_the_same_truth() -> None:
    random = Random(6)
    for _ in range(60):
        board = random_shape_board(random)
        goals = random_goals(random, board)
        found = truth(board, goals)
        if sum(found.reachable.raw) > 3000:
            continue
        for turn in range(8):
            moved, place = image(board, turn, random.choice(corners(board, turn)))
            there = truth(moved, None if goals is None else {place(goal) for goal in goals})
            assert there == found._replace(
                winning_positions=frozenset(frozenset(map(place, pegs)) for pegs in found.winning_positions),
                successors={
                    place(jump[:2]) + place(jump[2:]): winnable for jump, winnable in found.successors.items()
                },
                goal_holes=sorted(map(place, found.goal_holes)),
                holes_of_class=sorted(map(place, found.holes_of_class)),
            ), drawn(board, goals) + "\n\n" + drawn(moved)


def test_the_random_boards_are_boards_of_all_kinds() -> None:
    random = Random(7)
    boards = [random_shape_board(random) for _ in range(500)]
    for board in boards:
        assert board.shape == (8, 8)
        assert board.dtype == np.int8
        assert set(np.unique(board).tolist()) <= {-1, 0, 1}
        assert (board == 1).any()
        assert len(holes_of(board)) <= MOST_HOLES
        goals = random_goals(random, board)
        assert goals is None or (goals and goals <= set(holes_of(board)))
    assert {len(holes_of(board)) for board in boards} >= set(range(3, MOST_HOLES + 1))
    assert sum(board != -1 for board in boards).min() >= 10  # no cell of the frame is left out
    assert random_shape_board(Random(8)).tolist() == random_shape_board(Random(8)).tolist()
