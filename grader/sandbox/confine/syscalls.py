"""The system calls that a student's process may make, as a filter for seccomp(2).

All other calls are refused as if the kernel did not have them, so that a library that tries one can do
without it. No process and no thread is started, and signals go to the process itself only.
"""

import contextlib
import ctypes
import errno
import importlib
import os
import struct
import tempfile
from functools import partial

from grader.sandbox.confine import kernel

_ALLOWED = """
    read readv pread64 preadv write writev close close_range
    creat stat lstat fstat newfstatat access faccessat faccessat2
    readlink readlinkat getcwd chdir fchdir getdents getdents64
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
    umask dup dup2 dup3 poll ppoll select pselect6 epoll_create epoll_create1
    epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    recvfrom recvmsg shutdown getsockname getpeername
    brk munmap mprotect mremap
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack
    getitimer setitimer alarm pause restart_syscall
    nanosleep gettimeofday time times
    getpid gettid getppid getpgrp getuid geteuid getgid getegid getgroups getresuid
    getresgid getrusage getrlimit uname getcpu getrandom
    sched_yield
    set_robust_list set_tid_address rseq arch_prctl exit exit_group
    wait4 waitid
"""
_REFUSED = ("clone", "fork", "vfork", "execve", "execveat")  # as not permitted: what a student would ask for
_SIGNALS = ("kill", "tgkill")
_OWN_ID = 0x5E1F_1D00  # stands for the process's own id until `install`; no id is as large
_SHARED = 0x01  # MAP_SHARED, of mmap(2), and a bit of MAP_SHARED_VALIDATE
_HUGE = 0x4_0000  # MAP_HUGETLB: its pages are not counted as resident
_OUT_OF_BAND = 1  # MSG_OOB, of send(2): a byte that keeps the judge awake and is never read
# Calls of which only some kinds are allowed: the position of the argument that is the kind, and these kinds.
# Others can change a file's flags (ioctl), signal any process (F_SETOWN) or leave a hole in a file (lseek):
# it can take memory, or blocks of a disk, and only what is written is counted.
_ASKS = (0x5401, 0x5413, 0x541B)  # TCGETS, TIOCGWINSZ, FIONREAD
_OWN_DESCRIPTOR = (0x5450, 0x5451)  # FIONCLEX, FIOCLEX
_DUP, _DUP_CLOSED_ON_EXEC = 0, 1030  # F_DUPFD, F_DUPFD_CLOEXEC
_FLAGS = (1, 2, 3)  # F_GETFD, F_SETFD, F_GETFL, not F_SETFL: all who have the file share its flags
_CLOCKS = tuple(range(12))  # the system's clocks and one's own; others belong to other processes
_PRIVATE = 128  # FUTEX_PRIVATE_FLAG
# Advice about this process's own memory; other kinds load or evict pages of files, which all programs share.
_DONT_NEED, _FREE, _HUGE_PAGES, _NO_HUGE_PAGES = 4, 8, 14, 15
_KINDS = {
    "clock_gettime": (0, _CLOCKS),
    "clock_getres": (0, _CLOCKS),
    "clock_nanosleep": (0, _CLOCKS),
    "sched_getaffinity": (0, (0,)),  # its own
    "madvise": (2, (_DONT_NEED, _FREE, _HUGE_PAGES, _NO_HUGE_PAGES)),
    "ioctl": (1, (*_ASKS, *_OWN_DESCRIPTOR)),
    "fcntl": (1, (*_FLAGS, _DUP, _DUP_CLOSED_ON_EXEC)),
    "lseek": (1, (0,)),  # to the beginning or the end, or nowhere
}

_SECCOMP = {"x86_64": 317, "aarch64": 277}  # the number of seccomp(2), by architecture
_SET_MODE_FILTER = 1


def missing() -> str:
    """Return why no filter can be made here; empty if one can."""
    try:
        importlib.import_module("pyseccomp")
    except ImportError:
        return "the package pyseccomp is not installed"
    except RuntimeError:
        return "the library libseccomp is not installed"
    if not kernel.numbers_are_known():
        return f"the numbers of this Python's system calls on {os.uname().machine} are not known here"
    return ""


def program() -> bytes:
    """Return the filter as the kernel takes it (BPF), for `install`.

    Raises:
        OSError: libseccomp could not make it.
    """
    import pyseccomp

    made = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))

    def add(action: int, name: str, *arguments: pyseccomp.Arg) -> None:
        with contextlib.suppress(ValueError):  # a call that this libseccomp does not know of
            number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
            if number >= 0:  # otherwise only other architectures have this call
                made.add_rule(action, number, *arguments)

    for name in _ALLOWED.split():
        add(pyseccomp.ALLOW, name)
    for name, place in (("open", 1), ("openat", 2)):  # the place of the flags among the arguments
        flags = partial(pyseccomp.Arg, place, pyseccomp.MASKED_EQ)
        # A file opened for reading must not be truncated: Landlock stops that only since Linux 6.2.
        add(pyseccomp.ALLOW, name, flags(os.O_TRUNC | os.O_ACCMODE, os.O_RDONLY))
        add(pyseccomp.ALLOW, name, flags(os.O_ACCMODE, os.O_WRONLY))
        add(pyseccomp.ALLOW, name, flags(os.O_ACCMODE, os.O_RDWR))
    # With a futex that is not private, on a page of a file that both may read, one process can await another.
    add(pyseccomp.ALLOW, "futex", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _PRIVATE, _PRIVATE))
    for name, (place, kinds) in _KINDS.items():
        for kind in kinds:
            add(pyseccomp.ALLOW, name, pyseccomp.Arg(place, pyseccomp.EQ, kind))
    # Its own limits, to read only: no new ones are given.
    add(pyseccomp.ALLOW, "prlimit64", pyseccomp.Arg(0, pyseccomp.EQ, 0), pyseccomp.Arg(2, pyseccomp.EQ, 0))
    # Not sendmsg, which sends descriptors: how many are on their way is counted for each user.
    add(pyseccomp.ALLOW, "sendto", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, _OUT_OF_BAND, 0))
    # A page of a file that two processes share would carry a message from one to the other, and bytes
    # written to a file through memory are counted nowhere.
    add(pyseccomp.ALLOW, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, _SHARED | _HUGE, 0))
    add(pyseccomp.ERRNO(errno.EPERM), "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, _SHARED, _SHARED))
    for name in _REFUSED:
        add(pyseccomp.ERRNO(errno.EPERM), name)
    for name in _SIGNALS:
        add(pyseccomp.ALLOW, name, pyseccomp.Arg(0, pyseccomp.EQ, _OWN_ID))
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install(program: bytes) -> None:
    """Apply a filter to this process for good; raise OSError if the kernel refused."""
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    own = program.replace(struct.pack("=I", _OWN_ID), struct.pack("=I", os.getpid()))
    bytes_each = 8
    filter_ = _Program(len(own) // bytes_each, own)
    mode, flags = ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(0)
    kernel.syscall(_SECCOMP[os.uname().machine], "seccomp", mode, flags, ctypes.byref(filter_))
