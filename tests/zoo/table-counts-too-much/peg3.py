from client import board_key
from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_size
from framework.stack import push


@compiled
def solve(board, stack, table, pegs):
    best = pegs
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    left = solve(board, stack, table, pegs - 1)
                    take_back(board, r, c, d)
                    if left == 1:
                        push(stack, move_of(r, c, d))
                        return 1
                    best = min(best, left)
    if pegs > 1:
        ht_insert(table, board_key(board) * 1000 + ht_size(table))
    return best


def peg_solve(board, stack, unsolvable):
    return solve(board, stack, unsolvable, count_pegs(board))
