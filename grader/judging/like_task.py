"""Make a private set that grades like a task: other boards, the same points and limits.

A program that holds the moves of the task's own boards has nothing for these.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Check, Task
from grader.judging import kinds
from grader.judging.board_sets import TurnedBoards


class LikeCheck(NamedTuple):
    """A check of the set.

    Attributes:
        board: the board, and what is known of it.
        check: the task's check that it stands for.
        new: whether the board was made; otherwise it is an image of the task's own.
    """

    board: NamedBoard
    check: Check
    new: bool


def checks_like(task: Task, seed: int, show: Callable[[str], None]) -> list[LikeCheck]:
    """Return a check for each one of the task that earns points on a board.

    Checks of the program's functions by themselves are left out: they have no board to learn by heart.

    Args:
        task: the task.
        seed: names the boards; the same ones on every machine.
        show: called with the progress.
    """
    turned = TurnedBoards(seed)
    found = [
        (check, board)
        for check in task.checks
        if check.points and not check.variant and kinds.of(task).has_board(check)
        if (board := turned.find(check.board)) is not None
    ]
    made = []
    for number, (check, board) in enumerate(found, 1):
        name = f"{task.name}-{number:02}"

        def tried(times: int, said: str = f"board {number} of {len(found)}") -> None:
            show(f"{said}, try {times}")

        other = _another(board, f"like/{task.name}/{seed}/{number}", tried)
        made.append(LikeCheck(replace(other or board, name=name), check, new=other is not None))
    return made


def _another(board: NamedBoard, seed: str, tried: Callable[[int], None]) -> NamedBoard | None:
    """Return another board like this one, if the oracle makes one: all that it is told of the catalog."""
    from grader.oracle.chance import Chance
    from grader.oracle.like_boards import another_like

    facts = board.facts
    assert facts.solvable is not None, "make check asks for it"
    made = another_like(board.board, facts.solvable, facts.positions, Chance(seed), tried)
    if made is None:
        return None
    return replace(
        board, board=made.board, facts=Facts(facts.solvable, 1 if facts.solvable else None, forced=False)
    )
