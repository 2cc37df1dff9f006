# Looks at the judge, its own parent and a sleeping process, in /proc and by system calls.
import re
import resource

SEIZE, TRACE_ME, GET_FILES, REMOVE = 0x4206, 0, 1, 0
WHO = [JUDGE, os.getppid() or JUDGE, PID, 1]

def first(path):
    with open(path, "rb") as file:
        return file.read(100)

class Range(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]

def read_memory(pid):
    """Read what is mapped at an address of our own; a wrong address is another error than no permission."""
    into = ctypes.create_string_buffer(64)
    here, there = Range(ctypes.addressof(into), 64), Range(ctypes.addressof(into), 64)
    try:
        call("process_vm_readv", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    except OSError as error:
        if error.errno != 14:
            raise
    return into.raw

def write_memory(pid):
    here = Range(ctypes.addressof(ctypes.create_string_buffer(1)), 0)
    return call("process_vm_writev", pid, ctypes.byref(here), 1, ctypes.byref(here), 1, 0)

def steal_file(pid):
    process = call("pidfd_open", pid, 0)
    fd = call("pidfd_getfd", process, 0, 0)
    return os.close(fd), os.close(process)

def open_files(pid):
    return [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")][:2]

def tries():
    for pid in WHO:
        for name in ("environ", "mem", "maps", "cmdline", "status", "stat", "auxv", "syscall", "stack", "io", "limits"):
            attempt(f"/proc/{pid}/{name}", first, f"/proc/{pid}/{name}")
        for name in ("cwd", "root", "exe"):
            attempt(f"/proc/{pid}/{name}", os.listdir if name != "exe" else first, f"/proc/{pid}/{name}")
        attempt(f"open files of {pid}", open_files, pid)
        attempt(f"link to the folder of {pid}", os.readlink, f"/proc/{pid}/cwd")
        attempt(f"memory of {pid}", read_memory, pid)
        attempt(f"writing memory of {pid}", write_memory, pid)
        attempt(f"a file of {pid}", steal_file, pid)
        attempt(f"comparing with {pid}", call, "kcmp", pid, os.getpid(), GET_FILES, 0, 0)
        attempt(f"pages of {pid}", call, "move_pages", pid, 0, 0, 0, 0, 0)
        attempt(f"limits of {pid}", resource.prlimit, pid, resource.RLIMIT_NOFILE)
    attempt("environment", lambda: re.search("finch-.*", str(os.environ)).group() if "SECRET" in str(os.environ) else os.stat(""))
    attempt("trace", call, "ptrace", SEIZE, PID, 0, 0)
    attempt("perf", call, "perf_event_open", ctypes.create_string_buffer(b"\0" * 4 + b"\x70", 112), PID, -1, -1, 0)
    attempt("processes", lambda: [name for name in os.listdir("/proc") if name.isdigit()])
    attempt("user faults", lambda: os.close(call("userfaultfd", 1)))
    attempt("the kernel's messages", call, "syslog", 10, 0, 0)
    attempt("keys", call, "keyctl", 0, -4, 1)
    attempt("add a key", call, "add_key", "user", "peg", b"x", 1, -2)
    attempt("shared memory", lambda: libc.shmctl(call("shmget", 0, 4096, 0o1600), REMOVE, None))
    attempt("message queue", lambda: libc.msgctl(call("msgget", 0, 0o1600), REMOVE, None))
    attempt("semaphore", lambda: libc.semctl(call("semget", 0, 1, 0o1600), 0, REMOVE))

tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    # The judge, the parent, would have to wait for each thread that it traces.
    in_thread(lambda: attempt("be traced", call, "ptrace", TRACE_ME, 0, 0, 0))
    tell()
    return 3
