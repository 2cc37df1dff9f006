# What is evicted by one program and found missing by another is a word from the one to the other.
import mmap

import numpy

FILE = numpy.__file__

def advise(advice):
    with open(FILE, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    mapped.madvise(advice)

def with_file(act):
    with open(FILE, "rb") as file:
        return act(file.fileno())

def tries():
    for advice in (os.POSIX_FADV_DONTNEED, os.POSIX_FADV_WILLNEED, os.POSIX_FADV_RANDOM):
        attempt(f"fadvise {advice}", with_file, lambda fd: os.posix_fadvise(fd, 0, 0, advice))
    attempt("read what is there", with_file, lambda fd: os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT))
    for name, numbers in {"mincore": (27, 232), "readahead": (187, 213), "fadvise64": (221, 223), "cachestat": (451, 451),
                          "preadv2": (327, 286), "pwritev2": (328, 287), "sync": (162, 81), "fsync": (74, 82)}.items():
        NUMBERS[name] = numbers
        attempt(name, with_file, lambda fd: call(name, fd, 0, 4096, 4))
    for advice in (3, 9, 20, 21, 22, 23, 25):  # what brings pages in, moves or drops them
        attempt(f"madvise {advice}", advise, advice)
    attempt("a shared map", with_file, lambda fd: mmap.mmap(fd, 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ))

tries()

def peg_solve(board, stack):
    tries()
    tell()
    return 3
