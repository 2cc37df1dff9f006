"""Play a claimed solution on a fresh board: the grader believes a solution only after playing it here."""

from collections.abc import Sequence
from typing import NamedTuple

from framework.arrays import np
from framework.board import Board, count_pegs
from framework.jumps import JumpFault, jump_fault, play_jump
from framework.rules import is_won


class Verification(NamedTuple):
    """The outcome of playing the jumps."""

    legal: int  # how many jumps came before the first illegal one (all of them if there is none)
    fault: JumpFault | None  # why jump number `legal` (0-based) cannot be played; None if all jumps are legal
    board: Board  # the board after the legal jumps
    pegs: int  # how many pegs are left on it

    @property
    def solved(self) -> bool:
        """Whether every jump was legal and one peg is left, on a goal."""
        return self.fault is None and is_won(self.board)


def verify(board: Board, jumps: Sequence[Sequence[int]]) -> Verification:
    """Play `jumps` in order on a copy of `board` until one is illegal.

    Args:
        board: the board before the first jump; it is not changed.
        jumps: row_start, col_start, row_end and col_end of each jump, in the order played.
    """
    played: Board = np.array(board)  # no checked board: the rules are checked here, jump by jump
    for number, jump in enumerate(jumps):
        fault = jump_fault(played, jump)
        if fault is not None:
            return Verification(number, fault, played, count_pegs(played))
        play_jump(played, jump)
    return Verification(len(jumps), None, played, count_pegs(played))
