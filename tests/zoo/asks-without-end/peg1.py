# Asks to signal process 1, from five threads, as often as there is time.
import time

def ask():
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        try:
            os.kill(1, 0)
        except OSError:
            pass

def peg_solve(board, stack):
    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    attempt("signal", os.kill, PID, 0)
    tell()
    return 3
