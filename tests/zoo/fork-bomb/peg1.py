# Starts processes that start nothing more; where nothing holds them they end by themselves.
import multiprocessing
import subprocess
import time

SIGCHLD, VM_VFORK = 17, 0x4100

def child(pid):
    if pid == 0:
        time.sleep(1)
        os._exit(0)
    return pid

def many():
    return [child(os.fork()) for _ in range(20)]

def by_multiprocessing():
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(1,)).start()

def tries():
    attempt("fork", many)
    attempt("fork by number", lambda: child(call("fork")))
    attempt("clone", lambda: child(call("clone", SIGCHLD, 0, 0, 0, 0)))
    attempt("clone3", call, "clone3", 0, 0)
    attempt("clone3 of a process", lambda: child(call("clone3", (ctypes.c_uint64 * 8)(0, 0, 0, 0, SIGCHLD), 64)))
    attempt("multiprocessing", by_multiprocessing)
    attempt("subprocess", subprocess.Popen, ["/bin/sleep", "1"])
    attempt("posix_spawn", os.posix_spawn, "/bin/sleep", ["sleep", "1"], {})
    attempt("forkpty", lambda: child(os.forkpty()[0]))

tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    tell()
    return 3
