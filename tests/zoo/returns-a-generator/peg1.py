from framework.board import count_pegs

def peg_solve(board, stack):
    yield count_pegs(board)
