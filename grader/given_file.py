"""Read a file that the user named, whatever it turns out to be: a pipe, a device, gigabytes of zeros."""

import codecs
import os
import stat
from pathlib import Path

from grader import paths
from grader.errors import InputError

MAX_BYTES = 1 << 20  # far more than a board or a YAML file of a course needs

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # open a pipe, to refuse it, without waiting for a writer


def read(path: Path, help: str, most: int = MAX_BYTES) -> bytes:
    """Return the contents of a regular file of at most `most` bytes, without the mark of UTF-8 before a text.

    Raises:
        InputError: the file is not a regular one, is too large or cannot be read. `help` is the error's help.
    """
    place = paths.shown(path)
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                kind = "pipe" if stat.S_ISFIFO(status.st_mode) else "special file"
                raise InputError(f"{place}: expected a file, found a {kind}", help)
            raw = file.read(most + 1) if status.st_size <= most else b""
    except IsADirectoryError:
        raise InputError(f"{place}: expected a file, found a folder", help) from None
    except OSError as error:
        raise InputError(f"{place}: cannot be read: {error.strerror}", help) from None
    except ValueError:  # a zero byte in the path
        raise InputError(f"{place!r}: expected a file's name, found zero bytes in it", help) from None
    size = max(status.st_size, len(raw))
    if size > most:
        limit = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise InputError(f"{place}: expected at most {limit}, found {-(-size >> 10):,} KiB", help)
    return raw.removeprefix(codecs.BOM_UTF8)
