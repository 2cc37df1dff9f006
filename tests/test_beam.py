"""The quick searches: each solution is played again by a plain checker, each bound held against the exact number.

The truth comes from searches written here, on positions as integers but with nothing else of the code under test.
"""

import random

import pytest

from grader.oracle.beam import find_solution
from grader.oracle.bounds import fewest_moves_bound, least_hitting_set, regions_of, small_regions
from grader.oracle.frontier import few_moves, moves_in
from grader.oracle.shape import Shape
from support.problems import (
    ENGLISH,
    ENGLISH_MOVES,
    FAMILIES,
    FRENCH,
    count_moves,
    feasible,
    replay,
    shape_of,
    vacancy,
)

pytestmark = pytest.mark.slow
PATIENCE_S = 600  # a search on a small board is done in a moment, but perhaps not on a busy machine


@pytest.mark.parametrize("family", FAMILIES)
def test_every_vacancy_is_solved_to_any_peg(family):
    holes, count, never = FAMILIES[family]
    shape = shape_of(tuple(holes))
    assert len(feasible(holes)) == count
    for hole in feasible(holes):
        if hole not in never:
            start = vacancy(shape, hole)
            jumps = find_solution(shape, start, None, seconds=PATIENCE_S)
            assert jumps is not None, hole
            assert replay(shape, start, jumps).bit_count() == 1


@pytest.mark.parametrize(("hole", "end"), ENGLISH_MOVES)
def test_every_english_problem_is_solved(hole, end):
    shape = shape_of(tuple(ENGLISH))
    start, goal = vacancy(shape, hole), 1 << shape.number[end]
    jumps = find_solution(shape, start, [goal], seconds=PATIENCE_S)
    assert jumps is not None
    assert replay(shape, start, jumps) == goal
    assert find_solution(shape, start, [goal], seconds=PATIENCE_S) == jumps


def test_the_english_problems_are_all_there():
    shape = shape_of(tuple(ENGLISH))
    problems = {
        min((symmetry[shape.number[hole]], symmetry[shape.number[end]]) for symmetry in shape.symmetries)
        for hole in shape.holes
        for end in shape.ends_of_class(vacancy(shape, hole))
    }
    assert problems == {
        min((symmetry[shape.number[hole]], symmetry[shape.number[end]]) for symmetry in shape.symmetries)
        for hole, end in ENGLISH_MOVES
    }


def test_the_goals_may_have_several_pegs():
    shape = shape_of(tuple(FRENCH))
    pick = random.Random(5)
    for _ in range(20):
        start = goal = vacancy(shape, (0, 2))
        for _ in range(15):
            goal = pick.choice(
                [goal ^ (a | b | c) for a, b, c, _, _ in jumps_on(shape) if goal & (a | b | c) == a | b]
                or [goal]
            )
        goals = [goal, shape.full >> shape.full.bit_length() - goal.bit_count()]
        jumps = find_solution(shape, start, goals, seconds=PATIENCE_S)
        assert jumps is not None
        assert replay(shape, start, jumps) in goals


def test_what_need_not_or_cannot_be_searched():
    shape = shape_of(tuple(ENGLISH))
    peg, other = 1 << shape.number[3, 3], 1 << shape.number[3, 4]
    assert find_solution(shape, peg, [peg]) == []
    assert find_solution(shape, peg, None) == []
    assert find_solution(shape, peg, [other]) is None
    assert find_solution(shape, peg, [shape.full]) is None
    assert find_solution(shape, vacancy(shape, (3, 3)), [other]) is None  # of another class
    assert find_solution(shape_of(tuple(FRENCH)), shape_of(tuple(FRENCH)).full ^ 1 << 18, None) is None
    assert few_moves(shape, peg, [peg]) == (0, 0, [])
    assert few_moves(shape, peg, [other]).jumps is None


def test_bad_questions_are_refused():
    shape = shape_of(tuple(ENGLISH))
    with pytest.raises(ValueError, match="no hole"):
        find_solution(shape, 1 << 33, None)
    with pytest.raises(ValueError, match="different numbers"):
        find_solution(shape, shape.full ^ 1, [1, 3])
    with pytest.raises(ValueError, match="65 holes"):
        find_solution(Shape([(row, col) for row in range(5) for col in range(13)]), 1, None)


def test_a_board_of_64_holes_is_solved():
    shape = Shape([(row, col) for row in range(8) for col in range(8)])
    start = next(shape.full ^ 1 << hole for hole in range(64) if shape.ends_of_class(shape.full ^ 1 << hole))
    jumps = find_solution(shape, start, None, seconds=PATIENCE_S)
    assert jumps is not None
    assert replay(shape, start, jumps).bit_count() == 1


# --- Small boards, of which everything is known -------------------------------------


def jumps_on(shape: Shape) -> list[tuple[int, int, int, int, int]]:
    return [
        (1 << first, 1 << middle, 1 << last, first, last)
        for three in shape.threes
        for first, middle, last in (
            (three.first, three.middle, three.last),
            (three.last, three.middle, three.first),
        )
    ]


def fewest_moves_to_all(shape: Shape, start: int) -> dict[int, int]:
    """The fewest moves to every position that can be reached, from states of a position and the last peg."""
    jumps = jumps_on(shape)
    level = {(start, -1): 0}
    fewest = {start: 0}
    while level:
        following: dict[tuple[int, int], int] = {}
        for (position, last), moves in level.items():
            for first, middle, end, start_hole, end_hole in jumps:
                if position & (first | middle | end) == first | middle:
                    state = position ^ (first | middle | end), end_hole
                    needed = moves + (start_hole != last)
                    following[state] = min(following.get(state, needed), needed)
        for (position, _), moves in following.items():
            fewest[position] = min(fewest.get(position, moves), moves)
        level = following
    return fewest


def random_boards(count: int, seed: int) -> list[tuple[Shape, int]]:
    """Connected boards of 9 to 16 holes, more or less filled."""
    pick = random.Random(seed)
    boards = []
    while len(boards) < count:
        holes = {(4, 4)}
        for _ in range(400):
            row, col = pick.choice(sorted(holes))
            down, right = pick.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            if len(holes) < 9 + len(boards) % 8:
                holes.add((row + down, col + right))
        shape = Shape(holes)
        filled = pick.uniform(0.5, 1)
        boards.append((shape, sum(1 << hole for hole in range(len(holes)) if pick.random() < filled)))
    return boards


def test_no_bound_is_above_the_fewest_moves():
    compared = tight = 0
    for shape, start in random_boards(300, seed=1):
        for goal, moves in fewest_moves_to_all(shape, start).items():
            bound = fewest_moves_bound(shape, start, [goal])
            assert bound <= moves
            compared += 1
            tight += bound == moves
    assert compared > 5_000
    assert tight > compared / 4  # it says something, too


def test_regions_are_what_they_claim_to_be():
    for shape, start in random_boards(100, seed=2):
        for region in (*small_regions(shape), *regions_of(shape, start).known):
            for three in shape.threes:
                if region >> three.middle & 1:
                    assert region & (1 << three.first | 1 << three.last)


def test_the_least_hitting_set_is_the_least():
    pick = random.Random(3)
    for _ in range(300):
        sets = [
            sum(1 << each for each in pick.sample(range(9), pick.randint(1, 4)))
            for _ in range(pick.randint(0, 8))
        ]
        count, hit = least_hitting_set(sets)
        assert hit.bit_count() == count and all(each & hit for each in sets)
        assert count == min(each.bit_count() for each in range(1 << 9) if all(each & other for other in sets))


def test_few_moves_on_small_boards_agrees_with_the_truth():
    """With so few positions both searches see everything: the two bounds meet."""
    solved = 0
    for shape, start in random_boards(150, seed=4):
        fewest = fewest_moves_to_all(shape, start)
        goal = max(fewest, key=lambda each: (-each.bit_count(), fewest[each], each))
        for goals in ([goal], [each for each in fewest if each.bit_count() == goal.bit_count()]):
            truth = min(fewest[each] for each in goals)
            found = few_moves(shape, start, goals, seconds=PATIENCE_S)
            assert found.lower == found.upper == truth
            assert found.jumps is not None
            assert replay(shape, start, found.jumps) in goals
            assert count_moves(found.jumps) == moves_in(found.jumps) == truth
            solved += truth > 2
    assert solved > 60


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (3, 5), (3, 4)])
def test_few_moves_on_boards_with_symmetries_agrees_with_the_truth(rows, cols):
    shape = Shape([(row, col) for row in range(rows) for col in range(cols)])
    for hole in shape.holes:
        start = vacancy(shape, hole)
        fewest = fewest_moves_to_all(shape, start)
        singles = [goal for goal in fewest if goal.bit_count() == 1]
        for goals in ([goal] for goal in singles):
            found = few_moves(shape, start, goals, seconds=PATIENCE_S)
            assert found.lower == found.upper == fewest[goals[0]]
        found = few_moves(shape, start, None, seconds=PATIENCE_S)
        if singles:
            assert found.lower == found.upper == min(fewest[goal] for goal in singles)
            assert found.jumps is not None
            assert replay(shape, start, found.jumps) in singles
        else:
            assert found.upper is None and found.jumps is None


def test_on_small_boards_a_solution_is_found_just_where_there_is_one():
    solvable = 0
    for shape, start in random_boards(300, seed=6):
        can = any(position.bit_count() == 1 for position in fewest_moves_to_all(shape, start))
        jumps = find_solution(shape, start, None, seconds=PATIENCE_S)
        assert (jumps is not None) == can
        if jumps is not None:
            assert replay(shape, start, jumps).bit_count() == 1
        solvable += can
    assert 20 < solvable < 280


@pytest.mark.parametrize(("hole", "end"), [((1, 2), (4, 2)), ((1, 3), (1, 3)), ((3, 3), (3, 3))])
def test_few_moves_of_english_problems_lie_about_the_truth(hole, end):
    shape = shape_of(tuple(ENGLISH))
    start, goal = vacancy(shape, hole), 1 << shape.number[end]
    found = few_moves(shape, start, [goal], seconds=0.5)
    assert found.jumps is not None and found.upper is not None
    assert fewest_moves_bound(shape, start, [goal]) <= found.lower <= ENGLISH_MOVES[hole, end] <= found.upper
    assert replay(shape, start, found.jumps) == goal
    assert count_moves(found.jumps) == found.upper <= ENGLISH_MOVES[hole, end] + 4


def test_the_bound_of_every_english_problem_is_admissible():
    shape = shape_of(tuple(ENGLISH))
    for (hole, end), moves in ENGLISH_MOVES.items():
        assert 11 <= fewest_moves_bound(shape, vacancy(shape, hole), [1 << shape.number[end]]) <= moves
