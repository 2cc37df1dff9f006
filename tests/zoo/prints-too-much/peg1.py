from framework.board import format_board

def peg_solve(board, stack):
    for i in range(20000):
        print("now at", i)
        print(format_board(board))
    return 3
