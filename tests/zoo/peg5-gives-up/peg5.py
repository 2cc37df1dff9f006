from client import board_key, move_new
from peg1 import COL_STEP, ROW_STEP, can_jump, play, take_back

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup, ht_size
from framework.stack import push


def fill_winning(board, winning, jumps):
    pass


@compiled
def search(board, stack, unsolvable, pegs):
    if pegs == 1:
        return True
    key = board_key(board)
    if ht_lookup(unsolvable, key) or ht_size(unsolvable) > 100_000:
        return False
    for row in range(8):
        for col in range(8):
            for d in range(4):
                if can_jump(board, row, col, d):
                    play(board, row, col, d)
                    solved = search(board, stack, unsolvable, pegs - 1)
                    take_back(board, row, col, d)
                    if solved:
                        push(stack, move_new(row, col, row + 2 * ROW_STEP[d], col + 2 * COL_STEP[d]))
                        return True
    ht_insert(unsolvable, key)
    return False


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    return 1 if search(board, stack, unsolvable, pegs) else pegs
