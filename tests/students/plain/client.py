from framework.contracts import compiled


@compiled
def move_new(row_start, col_start, row_end, col_end):
    return row_start + 10 * col_start + 100 * row_end + 1000 * col_end


@compiled
def row_start(move):
    return move % 10


@compiled
def col_start(move):
    return move // 10 % 10


@compiled
def row_end(move):
    return move // 100 % 10


@compiled
def col_end(move):
    return move // 1000


@compiled
def board_key(board):
    key = 0
    bit = 1
    for i in range(63):
        if board[i // 8, i % 8] == 1:
            key += bit
        bit *= 2
    if board[7, 7] == 1:
        key = -key - 1
    return key


@compiled
def key_hash(key):
    key = key ^ (key >> 32)
    key = (key * 0x45D9F3B) & 0x7FFFFFFFFFFF
    key = key ^ (key >> 16)
    key = (key * 0x45D9F3B) & 0x7FFFFFFFFFFF
    return key ^ (key >> 15)
