# Its owner may set flags of a file that is open for reading: one that keeps it out of backups, say.
import fcntl
import struct

import framework.board

GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40

def set_flag(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        flags = bytearray(8)
        fcntl.ioctl(fd, GET_FLAGS, flags)
        (before,) = struct.unpack("q", flags)
        fcntl.ioctl(fd, SET_FLAGS, struct.pack("q", before ^ NO_DUMP))
        fcntl.ioctl(fd, SET_FLAGS, struct.pack("q", before))
    finally:
        os.close(fd)

def lease(path):
    fd = os.open(path, os.O_RDONLY)
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    os.close(fd)

def lock(path):
    with open(path) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
    with open(path) as file:
        fcntl.lockf(file, fcntl.LOCK_SH)

def tries():
    for path in (__file__, os.__file__, framework.board.__file__):
        attempt("flags", set_flag, path)
        attempt("lease", lease, path)
        attempt("lock", lock, path)

tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    tell()
    return 3
