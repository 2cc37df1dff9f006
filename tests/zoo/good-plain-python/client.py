def move_new(a, b, c, d):
    return a * 1000 + b * 100 + c * 10 + d

def row_start(move):
    return move // 1000

def col_start(move):
    return move // 100 % 10

def row_end(move):
    return move // 10 % 10

def col_end(move):
    return move % 10

def board_key(board):
    key = -(2 ** 63)
    for i in range(64):
        if board[i // 8, i % 8] == 1:
            key += 1 << i
    return int(key)

def key_hash(key):
    return (key ^ (key >> 7) ^ (key >> 19) ^ (key >> 37)) & 1048575
