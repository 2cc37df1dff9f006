from framework.board import count_pegs

def peg_solve(board, stack):
    pegs = count_pegs(board)
    jumped = True
    while jumped:
        jumped = False
        pegs -= 1
        for r in range(8):
            for c in range(8):
                for dr, dc in (1, 0), (-1, 0), (0, 1), (0, -1):
                    if jumped or not (0 <= r + 2 * dr < 8 and 0 <= c + 2 * dc < 8):
                        continue
                    if board[r, c] == 1 and board[r + dr, c + dc] == 1 and board[r + 2 * dr, c + 2 * dc] == 0:
                        jumped = True
                        board[r, c] = board[r + dr, c + dc] = 0
                        board[r + 2 * dr, c + 2 * dc] = 1
    return pegs
