from peg1 import can_jump, move_of, play

from framework.board import SIZE, count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def solve(board, stack, pegs):
    fewest = pegs
    for row in range(1, SIZE):
        for col in range(SIZE):
            for direction in range(4):
                if can_jump(board, row, col, direction):
                    after = board.copy()
                    play(after, row, col, direction)
                    left = solve(after, stack, pegs - 1)
                    if left == 1:
                        push(stack, move_of(row, col, direction))
                        return 1
                    fewest = min(fewest, left)
    return fewest


def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
