# What a row with `canary` begins with: it tries things, and tells in the end which of them it could do.
import ctypes
import os
import threading

FOLDER, SOCKET = "CANARY_FOLDER", "CANARY_SOCKET"
PORT, UDP_PORT, PID, JUDGE = (int(n) for n in "CANARY_PORT CANARY_UDP_PORT CANARY_PID CANARY_JUDGE".split())
SECRET, EMPTY = FOLDER + "/secret.txt", FOLDER + "/empty"

ATTEMPTS = []
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def attempt(name, act, *arguments):
    """Try something; what the system refuses is held, and any other error is a mistake of this file."""
    try:
        got = act(*arguments)
    except OSError:
        ATTEMPTS.append("")
    else:
        ATTEMPTS.append(f"got through: {name} {got!r:.60}")


def in_thread(act):
    """Call `act` in a thread and wait for it; or here, where no thread can be started."""
    thread = beside(act)
    if thread is None:
        act()
    else:
        thread.join()


def beside(act):
    """Call `act` in a thread that goes on; return the thread, or None where none can be started."""
    thread = threading.Thread(target=act, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


def tell():
    """Print what got through, each once, and how much was tried."""
    for line in dict.fromkeys(ATTEMPTS):
        if line:
            print(line)
    print(len(ATTEMPTS), "attempts made", flush=True)


def checked(result):
    """Return what a C function returned, unless it says that it failed."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "")
    return result


# System calls by their numbers on x86_64 and on aarch64, where some are not there.
NUMBERS = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None),
    "socket": (41, 198), "socketpair": (53, 199), "sendto": (44, 206),
    "fork": (57, None), "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435),
    "execve": (59, 221), "execveat": (322, 281), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "move_pages": (279, 239),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "prlimit64": (302, 261), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ioprio_set": (251, 30),
    "get_robust_list": (274, 100), "perf_event_open": (298, 241), "bpf": (321, 280),
    "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "add_key": (248, 217), "keyctl": (250, 219),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    "fsopen": (430, 430), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "chroot": (161, 51),
    "pivot_root": (155, 41), "personality": (135, 92), "mlockall": (151, 230), "quotactl": (179, 60),
    "acct": (163, 89), "swapon": (167, 224), "sethostname": (170, 161), "settimeofday": (164, 170),
    "syslog": (103, 116), "vhangup": (153, 58), "setuid": (105, 146), "capset": (126, 91),
    "truncate": (76, 45), "link": (86, None), "symlink": (88, None), "linkat": (265, 37),
    "symlinkat": (266, 36), "renameat2": (316, 276), "unlinkat": (263, 35), "mkdirat": (258, 34),
    "mknodat": (259, 33), "fchmodat": (268, 53), "fchmodat2": (452, 452), "fchownat": (260, 54),
    "utimensat": (280, 88), "setxattr": (188, 5), "removexattr": (197, 14),
}  # fmt: skip


def call(name, *arguments):
    """Make a system call by its number."""
    number = NUMBERS[name][os.uname().machine == "aarch64"]
    if number is None:
        raise OSError(38, "not on this machine")
    words = [word.encode() if isinstance(word, str) else word for word in arguments]
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    return checked(libc.syscall(ctypes.c_long(number), *words))
