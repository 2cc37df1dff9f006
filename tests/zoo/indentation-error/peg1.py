from framework.board import count_pegs

def peg_solve(board, stack):
    n = count_pegs(board)
     return n
