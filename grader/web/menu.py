"""The menu of boards: all boards of the course in groups, and what is said of each."""

from typing import Any

from framework.rules import EVERY_CELL_WINS
from grader.catalog.boards import ANY_GOAL, NamedBoard, course_boards
from grader.messages.phrases import count
from grader.web import positions

APART = {
    "spread-": "pegs on all 64 cells",
    "lab-": "for the hashing lab",
    "few-": "for the fewest moves",
}  # groups, by how the names begin
SMALL = 16  # holes
CLASSIC = ("english", "french1", "french2", "french3")


def about(board: NamedBoard) -> str:
    """Return what a board teaches, and whether it can be solved, in sentences; empty if nothing is known."""
    truth = {True: " It can be solved.", False: " It cannot be solved", None: ""}[board.facts.solvable]
    if board.facts.solvable is False:
        fewest = board.facts.fewest
        truth += f": at best {fewest} pegs are left." if fewest else "."
    reached = board.facts.positions
    if reached:
        truth += f" {count(reached, 'position')} can be reached."
    return f"{board.teaches}{truth}".strip()


def best(board: NamedBoard) -> dict[str, int | None]:
    """Return the fewest pegs that can be left on a board, and the fewest moves; None: not known."""
    moves = board.facts.moves.get(ANY_GOAL) if EVERY_CELL_WINS else None
    return {"pegs": board.facts.fewest, "moves": moves}


def board_groups() -> list[dict[str, Any]]:
    """Return all boards of the course for the menu, in groups of similar boards."""
    boards = course_boards()
    listed = [board for name in boards.names if (board := boards.find(name))]
    groups: dict[str, list[NamedBoard]] = {"the classic boards": [], "larger": [], "small": []}
    for name in boards.vacancies:
        board = boards.find(name)
        assert board is not None
        groups.setdefault(f"every vacancy: {name.partition('@')[0]}", []).append(board)
    for board in listed:
        groups.setdefault(_group_of(board), []).append(board)
    return [
        {"title": title, "boards": [(board, positions.format_cells(board.board)) for board in group]}
        for title, group in groups.items()
    ]


def _group_of(board: NamedBoard) -> str:
    apart = next((title for start, title in APART.items() if board.name.startswith(start)), None)
    if apart is not None:
        return apart
    facts, holes = board.facts, int((board.board >= 0).sum())
    if facts.forced:
        few = facts.positions is not None and facts.positions <= 2
        return "one jump, or none" if few else "never more than one jump to make"
    if board.name in CLASSIC:
        return "the classic boards"
    return "small" if holes <= SMALL else "larger"
