"""The quick search for a game: each solution is played again by a plain checker.

The truth about small boards comes from the plain search of support.plain_truth.
"""

import random

import pytest

from grader.oracle.beam import find_solution
from grader.oracle.shape import Shape
from grader.oracle.shape import shape_of as known_shape
from support.plain_truth import random_shape_board, truth
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
            goal = pick.choice(shape.after_jumps(goal) or [goal])
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


def test_on_small_boards_a_solution_is_found_just_where_there_is_one():
    solvable, pick = 0, random.Random(6)
    for _ in range(300):
        board = random_shape_board(pick)
        shape = known_shape(board)
        start, can = shape.position(board), truth(board).solvable
        jumps = find_solution(shape, start, any_peg(shape), seconds=PATIENCE_S)
        assert (jumps is not None) == can
        if jumps is not None:
            assert replay(shape, start, jumps).bit_count() == 1
        solvable += can
    assert 20 < solvable < 280
