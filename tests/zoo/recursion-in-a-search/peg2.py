from peg1 import can_jump, play, take_back
from framework.board import PEG, SIZE, count_pegs

def solve(board, stack, pegs):
    fewest = pegs
    for row in range(SIZE):
        for col in range(SIZE):
            for d in range(4):
                if board[row, col] == PEG and can_jump(board, row, col, d):
                    left = solve(board, stack, pegs - 1)
                    play(board, row, col, d)
                    fewest = min(fewest, left)
                    take_back(board, row, col, d)
    return fewest

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
