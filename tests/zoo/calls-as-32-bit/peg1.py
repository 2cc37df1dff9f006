# int 0x80 with number 20, which is getpid there; on other machines than x86_64 it sends itself the signal.
import ctypes
import mmap
import os
import signal

CODE = bytes([0x53, 0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0x5B, 0xC3])

def peg_solve(board, stack):
    if os.uname().machine != "x86_64":
        signal.raise_signal(signal.SIGSYS)
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    code.write(CODE)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return 3
