from peg1 import can_jump, play, take_back
from framework.board import PEG, SIZE, count_pegs
from framework.contracts import compiled

@compiled
def solve(board, stack, pegs):
    """Search a board."""
    # TODO(peg2): for every jump: play it, solve what it leads to, take it back
    raise NotImplementedError("peg2: solve is not written yet; see handouts/peg2.md")
    fewest = pegs
    for row in range(SIZE):
        for col in range(SIZE):
            for d in range(4):
                if board[row, col] == PEG and can_jump(board, row, col, d):
                    play(board, row, col, d)
                    fewest = min(fewest, solve(board, stack, pegs - 1))
                    take_back(board, row, col, d)
    return fewest

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
