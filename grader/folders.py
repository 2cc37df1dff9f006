"""Read, replace and remove files and folders, whatever a user, student code or a killed grader left there."""

import codecs
import contextlib
import os
import platform
import shutil
import stat
import tempfile
import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path

from grader import paths
from grader.errors import InputError

LEAST_FILES = 1000
ROOM = 4 << 20  # bytes that the compiled code of a submission may need
MAX_BYTES = 1 << 20  # far more than a board or a YAML file of a course needs
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # open a pipe, to refuse it, without waiting for a writer
# To open a file for reading: follow no link, wait for no pipe, change no line end.
AS_IT_IS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
A_FOLDER = AS_IT_IS | getattr(os, "O_DIRECTORY", 0)


def opened(path: Path, root: Path, flags: int = AS_IT_IS) -> int:
    """Return a descriptor of a file or folder in the folder `root`, to read it.

    No link is followed below that folder.

    Whoever owns a folder on the way could at any moment put a link to another one in its place, so each is
    opened in the one before. Where a system cannot do that, only the last part is known to be no link.

    Raises:
        OSError: it cannot be opened, or a folder on the way is none.
    """
    if os.open not in os.supports_dir_fd:
        return os.open(path, flags)
    found = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    parts = path.relative_to(root).parts
    for number, part in enumerate(parts, 1):
        holder = found
        try:
            found = os.open(part, flags if number == len(parts) else A_FOLDER, dir_fd=holder)
        finally:
            os.close(holder)
    return found


def left_behind(parent: Path, name: str) -> Iterator[Path]:
    """Yield the folders `NAME-PID-SPACE-...` that killed graders left behind: those whose process is dead.

    If another process has that PID by now, the folder stays until that process has ended.
    """
    for folder in parent.glob(f"{name}-*-{process_space()}-*"):
        pid = folder.name.removeprefix(f"{name}-").partition("-")[0]
        if pid.isdecimal() and pid.isascii() and not _is_there(int(pid)):
            yield folder


def process_space() -> str:
    """Return a name for where a PID means one process: several containers or machines may share a folder."""
    space = platform.node()
    with contextlib.suppress(OSError):
        space += f" {os.stat('/proc/self/ns/pid').st_ino}"
    return f"{zlib.crc32(space.encode()):08x}"


def _is_there(pid: int) -> bool:
    if os.name != "posix":
        import psutil  # only now, since there is hardly ever such a folder

        return psutil.pid_exists(pid)
    try:
        os.kill(pid, 0)  # /proc may hide a judge that hides its memory
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def make_open(folder: Path) -> None:
    """Make a folder that a child can enter which has a user id of its own, whatever the umask is.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o055 != 0o055:
        folder.chmod(0o755)


def make_cache() -> str:
    """Make the cache folder, and have numba use it; return why it cannot be used, empty if it can.

    Compiled code in it is run, so nobody else may write there, or put another folder in its place.
    """
    os.environ.pop("NUMBA_CACHE_DIR", None)  # others may write there
    try:
        root = paths.cache_root()
    except RuntimeError:  # a user whom the system does not know, as in some containers
        return "the cache folder cannot be made: there is no home folder"
    if not paths.is_text(root):
        return f"{paths.shown(root)}: numba needs a path in UTF-8"
    if why := paths.others_may_write(root):
        return why
    try:
        make_closed(root)
        make_closed(root / "numba")
        tempfile.TemporaryFile(dir=root).close()
        disk = shutil.disk_usage(root)
        if disk.total and disk.free < ROOM:  # some network disks say nothing
            return f"{root}: the disk is full"
    except OSError as error:
        return f"{root}: cannot be written: {error.strerror}"
    os.environ["NUMBA_CACHE_DIR"] = str(root / "numba")
    return ""


def make_closed(folder: Path) -> None:
    """Make a folder in which no other user of the machine can list what is kept, or read it without its name.

    A folder that is missing above it is made so, too.

    Raises:
        OSError: it cannot be made.
    """
    mode = 0o700 if getattr(os, "geteuid", lambda: 0)() else 0o711  # a child of root has a user id of its own
    if not folder.parent.exists():
        make_closed(folder.parent)
    folder.mkdir(mode, exist_ok=True)
    if folder.stat().st_mode & 0o077 & ~mode:
        folder.chmod(mode)


def replace_file(file: Path, data: bytes, drafts: Path, mode: int = 0o644) -> None:
    """Replace a file, which others may be reading, by one with this mode; `drafts` is on its disk.

    Raises:
        OSError: it cannot be written whole; then it stays as it was.
    """
    descriptor, draft = tempfile.mkstemp(dir=drafts, prefix=f".{file.name}.")
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            # By its number, if the system can: whoever owns the folder may put a link there. Windows cannot.
            os.chmod(descriptor if os.chmod in os.supports_fd else draft, mode)
        os.replace(draft, file)
    except BaseException:
        os.unlink(draft)
        raise


def write_whole(file: Path, text: str) -> None:
    """Write `text` to `file` so that anyone who reads the file sees all of `text` or the former contents.

    A new file can be read by whom the umask lets, and a former one by whom it could be read before. A pipe,
    /dev/null and the like, or a file in a read-only folder, is written in place.

    Raises:
        OSError: the file cannot be written.
    """
    target = file.resolve()  # replace the target of a link, not the link
    if file.exists() and (not file.is_file() or not os.access(target.parent, os.W_OK)):
        file.write_text(text, "utf-8")
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    os.umask(umask := os.umask(0o077))  # there is no other way to ask
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~umask
    replace_file(target, text.encode(), target.parent, mode)


def no_space(folder: Path, least: int) -> str:
    """Return that a folder's disk has fewer than `least` bytes left, or hardly a file; empty if not."""
    with contextlib.suppress(OSError):
        free = shutil.disk_usage(folder).free
        if free < least:
            return f"no space left in {folder}: only {free >> 20} MiB"
        files = os.statvfs(folder) if hasattr(os, "statvfs") else None
        if files and files.f_files and files.f_favail < LEAST_FILES:  # some file systems do not count
            return f"no space left in {folder}: only {files.f_favail} files"
    return ""


def remove(folder: Path) -> None:
    """Remove a folder and its contents, as far as possible; links are removed, not followed, `folder` too.

    Each folder inside is moved up before it is read. So thousands of nested folders need neither recursion
    nor paths that are too long for the system.
    """
    if folder.is_symlink():
        folder.unlink(missing_ok=True)
        return
    waiting = [folder]
    call, moved = f"{folder.name}-{uuid.uuid4().hex}", 0  # another grader may remove the same folder
    while waiting:
        inside = waiting.pop()
        with contextlib.suppress(OSError):
            inside.chmod(stat.S_IRWXU)
        with contextlib.suppress(OSError), os.scandir(inside) as entries:
            for entry in list(entries):
                with contextlib.suppress(OSError):
                    if not entry.is_dir(follow_symlinks=False):
                        os.unlink(entry.path)
                        continue
                    os.chmod(entry.path, stat.S_IRWXU)  # or it cannot be moved
                    moved += 1
                    up = folder.parent / f"{call}-{moved}"
                    os.rename(entry.path, up)
                    waiting.append(up)
        with contextlib.suppress(OSError):
            inside.rmdir()


def read_file(path: Path, help: str, most: int = MAX_BYTES) -> bytes:
    """Return the contents of a file that the user named, without the mark of UTF-8 before a text.

    It may be a pipe, a device or gigabytes of zeros; only a regular file of at most `most` bytes is read.

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
