"""Convert positions to and from URLs, such as `/play/english/3133.2131`, and list boards for the menu.

In place of a board's name there may be 64 cells, row by row: `*` a peg, `o` an empty hole, `-` a blocked
cell. The jumps so far are joined by dots, each as four digits: row_start col_start row_end col_end.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, is_board, parse_board
from framework.jumps import Jump, format_jump, play_jump
from framework.rules import EVERY_CELL_WINS
from framework.verify import verify
from grader.catalog.boards import ANY_GOAL, Facts, NamedBoard, course_boards, find_board
from grader.errors import InputError
from grader.messages.phrases import count

CELLS = SIZE * SIZE
MOST_JUMPS = CELLS - 1  # each removes a peg, and one peg stays
OWN = "own board"
NAME = re.compile(r"[a-z0-9@,+-]{1,60}")  # no dot and no slash, so that no file can be named
JUMP = re.compile(r"[0-7]{4}", re.ASCII)

_CHARACTER_OF = {BLOCKED: "-", EMPTY: "o", PEG: "*"}
_CELL_OF = {character: cell for cell, character in _CHARACTER_OF.items()}
SEE_MENU = "choose a board from the menu, or correct the address"


def format_cells(board: Board) -> str:
    """Return the 64 cells of a board as a text; `parse_cells` is the inverse."""
    return "".join(_CHARACTER_OF[int(cell)] for cell in board.flat)


def parse_cells(text: str) -> Board:
    """Return the board that 64 cells describe; it has at least one peg.

    Raises:
        InputError: the text is no such board.
    """
    for number, character in enumerate(text[:CELLS], start=1):
        if character not in _CELL_OF:
            raise InputError(f"board: cell {number}: expected '*', 'o' or '-', found {character!r}", SEE_MENU)
    if len(text) != CELLS:
        raise InputError(f"board: expected {CELLS} cells, found {len(text)}", SEE_MENU)
    board = parse_board(text.replace("-", "."))
    if not is_board(board):
        raise InputError("board: expected at least one peg, found none", "put a peg, '*', on it")
    return board


def parse_jumps(text: str) -> list[Jump]:
    """Return the jumps in a text; none for the empty text.

    Raises:
        InputError: the text is not a list of jumps.
    """
    parts = text.split(".") if text else []
    if len(parts) > MOST_JUMPS:
        raise InputError(f"jumps: expected at most {MOST_JUMPS}, found {len(parts)}", SEE_MENU)
    jumps: list[Jump] = []
    for number, part in enumerate(parts, start=1):
        if not JUMP.fullmatch(part):
            found = part if len(part) <= 20 else part[:20] + "…"
            raise InputError(
                f"jump {number}: expected four digits from 0 to 7, found {found!r}",
                "a jump is its row and column before and after, as in 3133; " + SEE_MENU,
            )
        jumps.append((int(part[0]), int(part[1]), int(part[2]), int(part[3])))
    return jumps


def board_of(text: str) -> NamedBoard:
    """Return the board that a URL names: a course board, an image of one, or 64 cells.

    Raises:
        InputError: there is no such board.
    """
    if "*" in text or len(text) == CELLS:
        board = parse_cells(text)
        return NamedBoard(OWN, board, Facts())
    if not NAME.fullmatch(text):
        found = text if len(text) <= 40 else text[:40] + "…"
        raise InputError(f"no board {found!r}", SEE_MENU)
    return find_board(text)


def name_in_url(board: NamedBoard) -> str:
    """Return how a URL names a board: by its name, if that finds this board again, else by its cells."""
    own = not NAME.fullmatch(board.name) or board.name == OWN
    return format_cells(board.board) if own else board.name


def check_game(board: NamedBoard, jumps: Sequence[Jump]) -> None:
    """Raise InputError unless the jumps can be played on the board in this order."""
    seen = verify(board.board, jumps)
    if seen.fault is not None:
        raise InputError(
            f"jump {seen.legal + 1} cannot be played on {board.name}: "
            f"{format_jump(jumps[seen.legal])} {seen.fault.reason}",
            "the address was changed or cut on its way: ask for it again, or start from the menu",
        )


def position_of(address: str) -> NamedBoard:
    """Return the board at a position, such as `english/3133.2131`: the first part as for `board_of`.

    Raises:
        InputError: there is no such board, or the jumps cannot be played on it.
    """
    name, _, played = address.partition("/")
    board, jumps = board_of(name), parse_jumps(played)
    check_game(board, jumps)
    if not jumps:
        return board
    cells = board.board.copy()
    for jump in jumps:
        play_jump(cells, jump)
    return replace(known_board(format_cells(cells)), name=f"{board.name} after {count(len(jumps), 'jump')}")


@cache
def _course_boards_by_cells() -> dict[str, NamedBoard]:
    boards = course_boards()
    names = [*boards.vacancies, *boards.names]
    return {format_cells(board.board): board for name in names if (board := boards.find(name))}


def known_board(cells: str) -> NamedBoard:
    """Return the board that 64 cells describe, with name and facts if it is one of the course's.

    Raises:
        InputError: the text is no board.
    """
    known = _course_boards_by_cells().get(cells)
    return known or NamedBoard(OWN, parse_cells(cells), Facts(), unlisted=True)


# ---- the menu of boards --------------------------------------------------------------------------

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
            groups.setdefault(_group_of(board), []).append((board, format_cells(board.board)))
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
