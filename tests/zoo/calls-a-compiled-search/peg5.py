import peg4

from framework.board import count_pegs


def fill_winning(board, winning, jumps):
    pass


def peg_solve(board, stack, unsolvable):
    return peg4.go(count_pegs(board))
