from framework.board import count_pegs
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
    return count_pegs(board)

@compiled
def key_hash(key):
    return key * 40503 >> 4
