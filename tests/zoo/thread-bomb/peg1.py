# As many threads as there may be take the processes of the machine as processes do.
import time

def peg_solve(board, stack):
    started = 0
    try:
        for _ in range(150):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    ATTEMPTS.append(f"got through: {started} threads" if started > 60 else "")
    tell()
    return 3
