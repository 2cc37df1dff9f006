from framework.contracts import compiled

@compiled
def board_key(board):
    key = 0
    for r in range(8):
        for c in range(7):
            key = key * 2 + (board[r, c] == 1)
    return key
