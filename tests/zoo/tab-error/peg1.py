from framework.board import count_pegs

def peg_solve(board, stack):
        if count_pegs(board) == 1:
	    return 1
        return 2
