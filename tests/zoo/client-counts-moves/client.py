MADE = []
KEYS = {}

def move_new(row_start, col_start, row_end, col_end):
    MADE.append((row_start, col_start, row_end, col_end))
    return len(MADE) % 192

def row_start(move):
    return (MADE or [(0, 0, 0, 2)] * 192)[move][0]

def col_start(move):
    return (MADE or [(0, 0, 0, 2)] * 192)[move][1]

def row_end(move):
    return (MADE or [(0, 0, 0, 2)] * 192)[move][2]

def col_end(move):
    return (MADE or [(0, 0, 0, 2)] * 192)[move][3]

def board_key(board):
    return KEYS.setdefault(board.tobytes(), len(KEYS))

def key_hash(key):
    return key
