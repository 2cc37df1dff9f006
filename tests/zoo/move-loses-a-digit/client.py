from framework.contracts import compiled

@compiled
def move_new(a, b, c, d):
    return a * 343 + b * 49 + c * 7 + d

@compiled
def row_start(m):
    return m // 343

@compiled
def col_start(m):
    return m // 49 % 7

@compiled
def row_end(m):
    return m // 7 % 7

@compiled
def col_end(m):
    return m % 7
