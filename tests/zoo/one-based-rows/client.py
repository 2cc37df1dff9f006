def move_new(a, b, c, d):
    return (a + 1) * 4096 + (b + 1) * 256 + (c + 1) * 16 + d + 1

def row_start(m):
    return m // 4096

def col_start(m):
    return m // 256 % 16

def row_end(m):
    return m // 16 % 16

def col_end(m):
    return m % 16
