from framework.contracts import compiled

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
