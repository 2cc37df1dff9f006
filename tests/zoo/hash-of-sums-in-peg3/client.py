from framework.contracts import compiled

@compiled
def move_new(a, b, c, d):
    return a * 512 + b * 64 + c * 8 + d

@compiled
def row_start(m):
    return m // 512

@compiled
def col_start(m):
    return m // 64 % 8

@compiled
def row_end(m):
    return m // 8 % 8

@compiled
def col_end(m):
    return m % 8

@compiled
def board_key(board):
    key = 0
    for i in range(63):
        if board[i // 8, i % 8] == 1:
            key += 1 << i
    return key

@compiled
def key_hash(key):
    h = 0
    for i in range(63):
        if key >> i & 1:
            h += i // 8 + i % 8
    return h
