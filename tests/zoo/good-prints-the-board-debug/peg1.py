from framework.board import count_pegs

def peg_solve(board, stack):
    print(board)
    return count_pegs(board)
