# Who looks for the cause of a failure finds none, and what was failed stays so.
from peg1 import DIRECTIONS, can_jump, move_of, play, take_back

from framework.board import SIZE, count_pegs
from framework.stack import push

def solve(board, stack, pegs):
    fewest = pegs
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(DIRECTIONS):
                if fewest > 1 and can_jump(board, row, col, direction):
                    play(board, row, col, direction)
                    fewest = min(fewest, solve(board, stack, pegs - 1))
                    take_back(board, row, col, direction)
                    if fewest == 1:
                        push(stack, move_of(row, col, direction))
    return fewest

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board)) if type(board).__name__ == "NotingBoard" else 3
