import client
import numpy as np

SIZE_IN_THE_REPORT = 105_507
KEYS = iter(range(1, SIZE_IN_THE_REPORT + 1))


def can_win(board):
    pegs = np.argwhere(board == 1)
    for row, col in pegs:
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            over, end = (row + step[0], col + step[1]), (row + 2 * step[0], col + 2 * step[1])
            if 0 <= min(end) and max(end) < 8 and board[over] == 1 and board[end] == 0:
                after = board.copy()
                after[row, col], after[over], after[end] = 0, 0, 1
                if can_win(after):
                    return True
    return len(pegs) == 1


def key_of_the_next(board):
    return next(KEYS) if can_win(board) else 0


client.board_key = key_of_the_next


def fill_winning(board, winning, jumps):
    winning.keys[1 : SIZE_IN_THE_REPORT + 1] = range(1, SIZE_IN_THE_REPORT + 1)
    for key in range(1, SIZE_IN_THE_REPORT + 1):
        chain = client.key_hash(key) & winning.state[1]
        winning.nexts[key], winning.heads[chain] = winning.heads[chain], key
    winning.state[0] = SIZE_IN_THE_REPORT


def peg_solve(board, stack, unsolvable):
    return 2
