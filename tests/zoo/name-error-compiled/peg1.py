from framework.board import SIZE, PEG, count_pegs
from framework.contracts import compiled

@compiled
def has_neighbour(board, r, c):
    # only to the right for now
    return c + 1 < SIZE and bord[r, c + 1] == PEG

def peg_solve(board, stack):
    for r in range(SIZE):
        for c in range(SIZE):
            if has_neighbour(board, r, c):
                return 1
    return count_pegs(board)
