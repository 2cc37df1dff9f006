# Calls the C library from code that numba compiled.
import numba
import numpy as np

calls = ctypes.CDLL(None)
c_open, c_mkdir, c_socket, c_kill, c_fork = calls.open, calls.mkdir, calls.socket, calls.kill, calls.fork
c_open.argtypes = c_mkdir.argtypes = [ctypes.c_void_p, ctypes.c_int]
c_socket.argtypes, c_kill.argtypes, c_fork.argtypes = [ctypes.c_int] * 3, [ctypes.c_int] * 2, []

@numba.njit((numba.uint64, numba.uint64, numba.int64))
def tries(secret, folder, pid):
    return c_open(secret, 0), c_open(secret, 2), c_mkdir(folder, 511), c_socket(2, 1, 0), c_kill(pid, 0), c_fork()

def peg_solve(board, stack):
    secret = np.frombuffer(SECRET.encode() + b"\0", np.uint8)
    folder = np.frombuffer(f"{EMPTY}/{os.getpid()}".encode() + b"\0", np.uint8)
    got = tries(secret.ctypes.data, folder.ctypes.data, PID)
    if got[-1] == 0:
        os._exit(0)
    for name, result in zip(("read", "write", "make a folder", "socket", "signal", "fork"), got):
        attempt(name, checked, result)
    tell()
    return 3
