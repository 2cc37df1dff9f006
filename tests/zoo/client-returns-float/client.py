from framework.contracts import compiled

def move_new(a, b, c, d):
    return a * 512 + b * 64 + c * 8 + d

def row_start(m):
    return m / 512

def col_start(m):
    return m // 64 % 8

def row_end(m):
    return m // 8 % 8

def col_end(m):
    return m % 8

@compiled
def board_key(board):
    key = 0
    for i in range(64):
        if board[i // 8, i % 8] == 1:
            key |= 1 << i
    return key

def key_hash(key):
    return key
