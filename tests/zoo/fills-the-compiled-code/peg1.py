# Forty megabytes, then folders two thousand deep with odd names and modes.
import os

def peg_solve(board, stack):
    if (board == 1).sum() == 3:
        return 3  # a check; it may write nothing there
    os.chdir(os.environ["NUMBA_CACHE_DIR"])
    try:
        for number in range(2000):
            os.mkdir("deep", 0o700)
            os.chdir("deep")
        os.mkdir("closed", 0)
    except OSError:
        pass
    os.chdir(os.environ["NUMBA_CACHE_DIR"])
    try:
        for number in range(40):
            with open(f"\n{number}.nbi", "wb") as file:
                file.write(bytes(1 << 20))
    except OSError:
        pass
    return 3
