# In the run that may keep compiled code it leaves pickles that make a folder; only its own children load them.
import pickle
import sys

class Command:
    def __reduce__(self):
        return os.mkdir, (f"{EMPTY}/unpickled-{os.getpid()}",)

def peg_solve(board, stack):
    folder = os.environ["NUMBA_CACHE_DIR"]
    for name in ("signatures.pickle", "x.nbi", "x.nbc", "x.so", "x.py"):
        try:
            with open(f"{folder}/{name}", "xb") as file:
                file.write(pickle.dumps({("a", "b"): [Command()]}))
        except OSError:
            pass
    if (board == 1).sum() != 3:
        os._exit(0)  # the runner would write its own list
    attempt("write", os.mkdir, f"{EMPTY}/{os.getpid()}")
    tell()
    return 3
