"""The menu of boards: all boards of the course in groups, and what is said of each."""

from collections.abc import Callable
from typing import Any

from framework.rules import EVERY_CELL_WINS
from grader.catalog.boards import ANY_GOAL, NamedBoard, course_boards
from grader.messages.phrases import count
from grader.web import positions

APART = {"spread-": "pegs on all 64 cells", "lab-": "for the hashing lab", "few-": "for the fewest moves"}
SMALL = 16  # holes
CLASSIC = ("english", "french1", "french2", "french3")


def about(board: NamedBoard) -> str:
    """Return what a board teaches, and whether it can be solved, in sentences; empty if nothing is known."""
    facts = board.facts
    left = f": at best {facts.fewest} pegs are left" if facts.fewest else ""
    truth = {True: " It can be solved.", False: f" It cannot be solved{left}.", None: ""}[facts.solvable]
    reached = f" {count(facts.positions, 'position')} can be reached." if facts.positions else ""
    return f"{board.teaches}{truth}{reached}".strip()


def best(board: NamedBoard) -> dict[str, int | None]:
    """Return the fewest pegs that can be left on a board, and the fewest moves; None: not known."""
    moves = board.facts.moves.get(ANY_GOAL) if EVERY_CELL_WINS else None
    return {"pegs": board.facts.fewest, "moves": moves}


def board_groups(is_there: Callable[[str], bool] = bool) -> list[dict[str, Any]]:
    """Return all boards of the course, or those there by name, in groups of similar boards for the menu."""
    boards = course_boards()
    groups: dict[str, list[tuple[NamedBoard, str]]] = {"the classic boards": [], "larger": [], "small": []}
    for name in filter(is_there, [*boards.vacancies, *boards.names]):
        if board := boards.find(name):
            groups.setdefault(_group_of(board), []).append((board, positions.format_cells(board.board)))
    return [{"title": title, "boards": group} for title, group in groups.items() if group]


def _group_of(board: NamedBoard) -> str:
    if "@" in board.name:
        return f"every vacancy: {board.name.partition('@')[0]}"
    facts, holes = board.facts, int((board.board >= 0).sum())
    for start, title in APART.items():
        if board.name.startswith(start):
            return title
    if facts.forced:
        few = facts.positions is not None and facts.positions <= 2
        return "one jump, or none" if few else "never more than one jump to make"
    if board.name in CLASSIC:
        return "the classic boards"
    return "small" if holes <= SMALL else "larger"
