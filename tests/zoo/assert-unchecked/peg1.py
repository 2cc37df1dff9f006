from framework.board import count_pegs

def peg_solve(board, stack):
    pegs = count_pegs(board)
    assert 1 < pegs < 3, "at most two"
    return pegs
