"""One jump: four numbers (row_start, col_start, row_end, col_end), written `2:0 -> 2:2` as C0 prints it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board

Jump = tuple[int, int, int, int]


class JumpFault(NamedTuple):
    """Why a jump is illegal on a board."""

    reason: str  # half a sentence that follows the jump, such as 'lands on 2:2, which has a peg'
    cell: tuple[int, int] | None  # the (row, col) at fault, or None when the jump itself has the wrong shape
    never: bool  # whether the jump is illegal on this board wherever the pegs stand


def format_jump(jump: Sequence[int]) -> str:
    """Return `jump` as `row:col -> row:col`; the inverse of `parse_jump`."""
    row_start, col_start, row_end, col_end = jump
    return f"{row_start}:{col_start} -> {row_end}:{col_end}"


def parse_jump(text: str) -> Jump:
    """Return the jump in `text`, written as by `format_jump`; to check it on a board, use `jump_fault`.

    Raises:
        ValueError: the text is not a jump.
    """
    numbers = re.fullmatch(r"(-?\d+):(-?\d+) -> (-?\d+):(-?\d+)", text, re.ASCII)
    if numbers is None:
        raise ValueError(f"expected row:col -> row:col, found {text!r:.80}")
    row_start, col_start, row_end, col_end = map(int, numbers.groups())
    return row_start, col_start, row_end, col_end


def cell_between(jump: Sequence[int]) -> tuple[int, int]:
    """Return the (row, col) that `jump`, two cells in a straight line, goes over."""
    row_start, col_start, row_end, col_end = jump
    return (row_start + row_end) // 2, (col_start + col_end) // 2


def jump_fault(board: Board, jump: Sequence[int]) -> JumpFault | None:
    """Return why `jump` is illegal on `board`, or None when it is legal.

    The checks are, in the order of C0: both ends are on the board; the jump goes two cells in a straight
    line; there is a peg at the start, a peg in the middle, and a hole at the end.
    """
    row_start, col_start, row_end, col_end = jump
    for row, col, verb in ((row_start, col_start, "starts"), (row_end, col_end, "ends")):
        if not (0 <= row < SIZE and 0 <= col < SIZE):
            return JumpFault(f"{verb} at {row}:{col}, which is off the board", None, True)
    if {abs(row_end - row_start), abs(col_end - col_start)} != {0, 2}:
        return JumpFault("is not a jump of two cells in a straight line", None, True)
    middle = cell_between(jump)
    for cell, verb, wanted in (
        ((row_start, col_start), "starts at", PEG),
        (middle, "jumps over", PEG),
        ((row_end, col_end), "lands on", EMPTY),
    ):
        found = int(board[cell])
        if found != wanted:
            state = {BLOCKED: "is blocked", EMPTY: "is empty", PEG: "has a peg"}[found]
            return JumpFault(f"{verb} {cell[0]}:{cell[1]}, which {state}", cell, found == BLOCKED)
    return None


def legal_jumps(board: Board) -> list[Jump]:
    """Return the legal jumps on `board`, ordered by row, column and then direction: down, up, right, left."""
    jumps = []
    for row in range(SIZE):
        for col in range(SIZE):
            for row_step, col_step in ((2, 0), (-2, 0), (0, 2), (0, -2)):
                jump = (row, col, row + row_step, col + col_step)
                if jump_fault(board, jump) is None:
                    jumps.append(jump)
    return jumps


def play_jump(board: Board, jump: Sequence[int]) -> None:
    """Play `jump`, which must be legal, on `board` itself."""
    row_start, col_start, row_end, col_end = jump
    board[row_start, col_start] = EMPTY
    board[cell_between(jump)] = EMPTY
    board[row_end, col_end] = PEG


def take_back_jump(board: Board, jump: Sequence[int]) -> None:
    """Undo `jump`, which must have been the last one played, on `board` itself."""
    row_start, col_start, row_end, col_end = jump
    board[row_start, col_start] = PEG
    board[cell_between(jump)] = PEG
    board[row_end, col_end] = EMPTY


def moves_of(jumps: Sequence[Jump]) -> list[list[Jump]]:
    """Group jumps into moves: consecutive jumps of one peg are one move."""
    moves: list[list[Jump]] = []
    for jump in jumps:
        if moves and moves[-1][-1][2:] == jump[:2]:
            moves[-1].append(jump)
        else:
            moves.append([jump])
    return moves
