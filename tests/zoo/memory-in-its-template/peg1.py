# The thread is left in the process that forks the checks; where there is none, it is in the check itself.
import threading
import time

def take():
    time.sleep(0.3)
    kept = []
    for _ in range(50):
        kept.append(bytes([1]) * (50 << 20))
    time.sleep(60)

threading.Thread(target=take, daemon=True).start()

def peg_solve(board, stack):
    time.sleep(2)
    return 3
