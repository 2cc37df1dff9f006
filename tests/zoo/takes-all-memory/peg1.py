import numpy as np

def peg_solve(board, stack):
    history = []
    while True:
        history.append(np.tile(board, (1000, 1000)))
