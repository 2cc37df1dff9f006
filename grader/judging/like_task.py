"""Make a private set of boards that grades like a task: other boards, but the same points and limits.

A program that has memorized moves for the task's own boards has none for these boards.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Check, Task
from grader.judging import kinds
from grader.judging.board_sets import TurnedBoards


class LikeCheck(NamedTuple):
    """A check of a private set, made to be like one check of a task."""

    board: NamedBoard  # the board, and what is known about it
    check: Check  # the task's check that it replaces
    new: bool  # whether the board is a new one; otherwise it is an image of the task's own board


def checks_like(task: Task, seed: int, show: Callable[[str], None]) -> list[LikeCheck]:
    """Return a similar check for each of the task's checks that earn points on a board.

    Checks with a variant, such as `english:back-6`, are left out: there are no moves to memorize for them.

    Args:
        task: the task.
        seed: decides which boards are made; they are the same on every machine.
        show: called with a line that reports progress.
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
    """Return another board like this one; None if the oracle says that this one should be kept."""
    from grader.making.chance import Chance
    from grader.making.like_boards import another_like

    facts = board.facts
    assert facts.solvable is not None, "`make check` reports a board without this fact"
    made = another_like(board.board, facts.solvable, facts.positions, Chance(seed), tried)
    if made is None:
        return None
    return replace(
        board, board=made, facts=Facts(facts.solvable, 1 if facts.solvable else None, forced=False)
    )
