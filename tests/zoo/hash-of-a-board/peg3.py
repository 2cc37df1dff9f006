from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup

@compiled
def solve(board, stack, unsolvable, pegs):
    key = hash(board)
    if not ht_lookup(unsolvable, key):
        ht_insert(unsolvable, key)
    return pegs

def peg_solve(board, stack, unsolvable):
    return solve(board, stack, unsolvable, count_pegs(board))
