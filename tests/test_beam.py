"""The quick search for a game: each solution is played again by a plain checker.

The truth comes from searches written here, on positions as integers but with nothing else of the code under test.
"""

import random

import pytest

from grader.oracle.beam import find_solution
from grader.oracle.shape import Shape
from support.problems import (
    ENGLISH,
    ENGLISH_MOVES,
    FAMILIES,
    FRENCH,
    any_peg,
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
            jumps = find_solution(shape, start, any_peg(shape), seconds=PATIENCE_S)
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
    french = shape_of(tuple(FRENCH))

    def found(shape: Shape, start: int, goals: list[int]) -> object:
        return find_solution(shape, start, goals, seconds=PATIENCE_S)

    assert found(shape, peg, [peg]) == found(shape, peg, any_peg(shape)) == []
    assert found(shape, peg, [other]) is None
    assert found(shape, peg, [shape.full]) is None
    assert found(shape, vacancy(shape, (3, 3)), [other]) is None  # of another class
    assert found(french, french.full ^ 1 << 18, any_peg(french)) is None


def test_a_board_of_64_holes_is_solved():
    shape = Shape([(row, col) for row in range(8) for col in range(8)])
    start = next(shape.full ^ 1 << hole for hole in range(64) if shape.ends_of_class(shape.full ^ 1 << hole))
    jumps = find_solution(shape, start, any_peg(shape), seconds=PATIENCE_S)
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


def all_reached(shape: Shape, start: int) -> set[int]:
    """Every position that can be reached."""
    reached, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        for first, middle, end, _, _ in jumps_on(shape):
            after = position ^ (first | middle | end)
            if position & (first | middle | end) == first | middle and after not in reached:
                reached.add(after)
                waiting.append(after)
    return reached


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


def test_on_small_boards_a_solution_is_found_just_where_there_is_one():
    solvable = 0
    for shape, start in random_boards(300, seed=6):
        can = any(position.bit_count() == 1 for position in all_reached(shape, start))
        jumps = find_solution(shape, start, any_peg(shape), seconds=PATIENCE_S)
        assert (jumps is not None) == can
        if jumps is not None:
            assert replay(shape, start, jumps).bit_count() == 1
        solvable += can
    assert 20 < solvable < 280
