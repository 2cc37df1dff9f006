"""The plain truth is held to games worked by hand; on random boards tests/test_oracle.py holds it to the engine."""

from typing import Any, NamedTuple

import pytest

from support.plain_truth import Truth, board_of, holes_of, symmetries_of, truth

Cells = list[tuple[int, int]]


class Worked(NamedTuple):
    """A game worked by hand: its board and goals, and the fields of the truth that were worked out."""

    why: str
    board: str
    goals: Cells | None
    known: dict[str, Any]


ONE_LINE = {"reachable": ([1, 1, 1, 1], [1, 1, 1, 1]), "winning": ([1, 1, 1, 1], [1, 1, 1, 1])}
NO_WIN = {"winning": ([], []), "goal_holes": [], "solutions": 0, "fewest_moves": None, "optimal_solutions": 0}
WORKED = [
    Worked("the left peg hops twice, or the right one comes to meet it", "**o*o", None, {
        "reachable": ([1, 1, 2], [1, 1, 2]), "winning": ([1, 1, 2], [1, 1, 2]),
        "winning_positions": {
            frozenset({(0, 0), (0, 1), (0, 3)}), frozenset({(0, 2), (0, 3)}), frozenset({(0, 1)}), frozenset({(0, 4)}),
        },
        "successors": {(0, 0, 0, 2): True}, "goal_holes": [(0, 1), (0, 4)], "fewest_pegs": 1,
        "solutions": 2, "fewest_moves": 1, "optimal_solutions": 1, "holes_of_class": [(0, 1), (0, 4)],
    }),
    Worked("only two hops of one peg", "**o*o", [(0, 4)],
           {"solutions": 1, "fewest_moves": 1, "optimal_solutions": 1, "winning": ([1, 1, 1], [1, 1, 1])}),
    Worked("only two pegs that meet", "**o*o", [(0, 1)],
           {"solutions": 1, "fewest_moves": 2, "optimal_solutions": 1, "goal_holes": [(0, 1)]}),
    Worked("goals of another class", "**o*o", [(0, 0), (0, 2)],
           {**NO_WIN, "reachable": ([1, 1, 2], [1, 1, 2]), "successors": {(0, 0, 0, 2): False}}),
    Worked("no goals", "**o*o", [], NO_WIN),
    Worked("one goes right, another jumps up to where it went over, and it goes back", "**o .*. .*.", None,
           {**ONE_LINE, "solutions": 1, "fewest_moves": 3, "optimal_solutions": 1, "goal_holes": [(0, 0)]}),
    Worked("a peg alone is solved without a move", "oo*", None,
           {"reachable": ([1], [1]), "winning": ([1], [1]), "solutions": 1, "fewest_moves": 0, "optimal_solutions": 1,
            "goal_holes": [(0, 2)], "holes_of_class": [(0, 2)]}),
    Worked("a peg alone elsewhere", "oo*", [(0, 1)], {**NO_WIN, "reachable": ([1], [1]), "fewest_pegs": 1}),
    Worked("two games of 1 + x + 2x^2 positions have the square of that; one symmetry exchanges them",
           "**o*o ..... ..... **o*o", None,
           {"fewest_pegs": 2, "solutions": 0, "reachable": ([1, 1, 3, 2, 3], [1, 2, 5, 4, 4])}),
    Worked("the board's symmetry keeps the start", "o**o", None,
           {"reachable": ([1, 1], [1, 2]), "winning": ([1, 1], [1, 2])}),
    Worked("none keeps the start", "o**oo", None, {"reachable": ([1, 2], [1, 2]), "winning": ([1, 2], [1, 2])}),
    Worked("two images without a solution", "**o**", None,
           {**NO_WIN, "reachable": ([1, 1, 1], [1, 2, 2]), "fewest_pegs": 2}),
    Worked("both jump to the middle, in either order; then one goes over the other", "**oo**", None,
           {"reachable": ([1, 1, 1, 1], [1, 2, 1, 2]), "winning": ([1, 1, 1, 1], [1, 2, 1, 2]),
            "solutions": 4, "fewest_moves": 2, "optimal_solutions": 2}),
    Worked("the symmetry does not keep the goal", "**oo**", [(0, 4)],
           {"reachable": ([1, 1, 1, 1], [1, 2, 1, 2]), "winning": ([1, 2, 1, 1], [1, 2, 1, 1]),
            "solutions": 2, "fewest_moves": 2, "optimal_solutions": 1}),
]  # fmt: skip


@pytest.mark.parametrize("game", WORKED, ids=lambda game: game.why)
def test_a_game_worked_by_hand(game: Worked) -> None:
    found = truth(board_of(game.board), game.goals)
    assert {name: getattr(found, name) for name in game.known} == game.known
    assert found.solvable == (found.solutions > 0)


def test_all_fields_are_worked_out_once() -> None:
    assert set(WORKED[0].known) == set(Truth._fields)


@pytest.mark.parametrize(
    ("text", "symmetries"),
    [("***", 4), ("** **", 8), ("*** ***", 4), (".*. *** .*.", 8), ("** *.", 2), ("*. .*", 4), ("**. *..", 2), ("*.. ***", 1), ("**. .**", 2), (". .*. ..*", 4)],
)  # fmt: skip
def test_the_symmetries_of_holes(text: str, symmetries: int) -> None:
    """Turns and reflections that are the same on a line of holes are counted apart: here all are kept."""
    assert len(symmetries_of(holes_of(board_of(text)))) == symmetries
