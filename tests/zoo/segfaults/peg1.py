# Ends with a signal of the machine.
import ctypes

def peg_solve(board, stack):
    return len(ctypes.string_at(0))
