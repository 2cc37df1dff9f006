# The thread is left in the process that forks the checks; where there is none, it is in the check itself.
import threading
import time

def take():
    time.sleep(0.3)
    kept = []
    for _ in range(100):
        kept.append(bytes([1]) * (50 << 20))
    time.sleep(60)

taker = threading.Thread(target=take, daemon=True)
taker.start()

def peg_solve(board, stack, unsolvable):
    time.sleep(2)
    taker.join()  # at once in a fork, which has no other thread
    return 5
