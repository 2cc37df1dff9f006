from framework.board import count_pegs

def peg_solve(board, stack):
    n = count_pegs(board)
    if n == 1:
        return n
