"""Read submissions from .zip and .tar files, without writing files or following links.

Submissions are not trusted, so nothing is ever extracted. Only files with the names of the tasks' files are
read, into memory, and only up to a fixed number of bytes, whatever their headers claim. No link is followed.
A member whose name is absolute, or has `..` or a drive letter in it, is ignored. Of two members with the
same name the last one counts, as it would after unpacking. An unreadable file is a fault of that submission
only.
"""

import contextlib
import io
import itertools
import re
import stat
import zipfile
import zlib
from abc import abstractmethod
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

from grader.safe_text import one_line
from grader.submissions import slips
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, not_a_file, too_large
from grader.submissions.tar_members import Member, members
from grader.submissions.trees import FILE, FOLDER, MAX_ENTRIES, NOTHING, Parts, Tree, kind_of

MAX_ARCHIVE = 256 << 20  # bytes of a student's archive; the project with its .venv has 150 MiB
MAX_MEMBERS = 50_000  # of a student's archive, listed in 0.5 s; a virtual environment has 10,000
MAX_LISTED = 4 << 20  # bytes of names, extra fields and comments in a .zip's list of members, read in 1 s
MAX_PARTS = 20  # of a path in an archive
MAX_NAME = 1_000  # characters of a path in an archive; most systems allow 255 for each part
# Bytes that a .tar.gz may unpack to, since it can only be read from its beginning; bytes of a .zip's files
# that are read, packed and unpacked. The files of an ordinary submission have less than 1 MiB.
MAX_UNPACKED = 32 << 20
PACKED = 1.1  # times its size, at most, is what a file takes that is packed: some programs add bytes
MAX_GZIP_MEMBERS = 1_000  # of a .tar.gz; most have one, but bgzip writes one for each 64 KiB
# The last four are listed only to be refused.
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".gz", ".7z", ".rar", ".tar.bz2", ".tar.xz")

_GZIP = b"\x1f\x8b"
_PIECE = 64 << 10  # bytes of a .gz that are unpacked at a time
_AGAIN = "hand in the files themselves, or pack them again as an ordinary .zip, without a password"
_CLASS_AGAIN = "download the submissions again, or pack them again as an ordinary .zip, without a password"


class ArchiveTree(Tree):
    """The members of an archive, listed when it is opened."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._modes: dict[Parts, int] = {}  # of all but folders, as `stat` has them
        self._sizes: dict[Parts, int] = {}
        self._folders: dict[Parts, dict[str, str]] = {(): {}}
        self.nowhere: list[str] = []

    @abstractmethod
    def _content(self, at: Parts, place: str, most: int) -> bytes:
        """Return the content of a file; according to its header, it has at most `most` bytes."""

    @property
    def members(self) -> int:
        """How many members it has, with the folders around them."""
        return len(self._modes) + len(self._folders)

    def _list(self, parts: Parts, mode: int, size: int) -> None:
        """Add a member and the folders around it, since an archive need not list folders."""
        kind = kind_of(mode)
        if kind == FOLDER:
            self._folders.setdefault(parts, {})
        else:
            self._modes[parts], self._sizes[parts] = mode, size
        while parts:
            parent = parts[:-1]
            known = parent in self._folders
            self._folders.setdefault(parent, {})[parts[-1]] = kind
            if known:
                break
            parts, kind = parent, FOLDER

    def kind(self, at: Parts) -> str:
        if at in self._modes:
            return kind_of(self._modes[at])
        return FOLDER if at in self._folders else NOTHING

    def entries(self, at: Parts, most: int | None = MAX_ENTRIES) -> dict[str, str]:
        return dict(itertools.islice(sorted(self._folders.get(at, {}).items()), most))

    def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
        kind = self.kind(at)
        if kind == NOTHING:
            return None
        if kind != FILE:
            raise not_a_file(place, self._modes.get(at, stat.S_IFDIR))
        if self._sizes[at] > most:
            raise too_large(place, self._sizes[at], most)
        return self._content(at, place, most)

    def shown(self, at: Parts) -> str:
        return one_line("/".join((self._place, *at)))


class ZipTree(ArchiveTree):
    """The members of a .zip file.

    Args:
        most: how many folders it may have; None for the class's own, of which nothing is limited.

    Raises:
        SubmissionFault: it is broken, has too many folders, or is the class's and packed in a way not read.
    """

    def __init__(self, file: Path | IO[bytes], place: str, most: int | None = None) -> None:
        super().__init__(place)
        self._files: dict[Parts, zipfile.ZipInfo] = {}
        self._is_limited = most is not None
        self._unread = MAX_UNPACKED
        with _broken_as_fault(place):
            self._zip = zipfile.ZipFile(file)
            if sum(info.compress_size for info in self._zip.infolist()) > self._zip.start_dir:
                # They unpack the same bytes, each again: a small file that takes minutes to read.
                raise zipfile.BadZipFile("its files lie over each other")
            for info in self._zip.infolist():
                name = _member_name(info)
                parts = _parts(name)
                if len(name) > MAX_NAME and most is not None:
                    raise _too_long(place, name)
                if not parts:
                    self.nowhere += [name] * bool(name.strip("./"))
                    continue
                mode = info.external_attr >> 16
                if name.endswith(("/", "\\")):
                    mode = stat.S_IFDIR
                elif not stat.S_IFMT(mode):
                    mode = stat.S_IFREG
                self._list(parts, mode, info.file_size)
                if not stat.S_ISDIR(mode):
                    self._files[parts] = info
                if most is not None and len(self._folders) > most:
                    raise too_many(place)
        unread = [why for why in map(_why_unread, self._files.values()) if why]
        if most is None and 2 * len(unread) > len(self._files):
            raise SubmissionFault(f"{place}: {unread[0]}", _CLASS_AGAIN)

    def _content(self, at: Parts, place: str, most: int) -> bytes:
        info = self._files[at]
        ours = not self._is_limited
        if why := _why_unread(info):
            raise SubmissionFault(f"{place}: {why}", _CLASS_AGAIN if ours else _AGAIN, ours=ours)
        if info.compress_size > PACKED * most:
            raise too_large(place, info.compress_size, most)
        if most == MAX_BYTES:  # else it is an archive, of which a submission may have so much: see Allowance
            self._unread -= info.compress_size + info.file_size
        if self._is_limited and self._unread < 0:
            raise too_many(self._place)
        with _broken_as_fault(place, ours), self._zip.open(info) as member:
            return member.read(most)  # the size is from the header; a larger file is broken


def _why_unread(info: zipfile.ZipInfo) -> str:
    """Return why a member of a .zip is not read; empty if it is."""
    if info.flag_bits & 1:
        return "the archive is encrypted"
    # other methods cannot limit how much they unpack at a time
    is_read = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return "" if is_read else "packed in a way that is not read"


class TarTree(ArchiveTree):
    """The members of a .tar or .tar.gz, of which the files with wanted names, and archives, can be read.

    Such a file can only be read from its beginning, so all of it is unpacked, once, and kept in memory: a
    copy of each file would be more, since a hard link is a file again.

    Args:
        wanted: the names of the files that may be read later, or that may be meant by others.
        most: how many members it may have, and how many folders.

    Raises:
        SubmissionFault: it is broken, or too large.
    """

    def __init__(self, raw: bytes, place: str, wanted: Collection[str], most: int) -> None:
        super().__init__(place)
        self._most = most
        self._readable: dict[Parts, Member] = {}
        self._raw = _gunzipped(raw, place) if raw.startswith(_GZIP) else raw
        with _broken_as_fault(place):
            for count, member in enumerate(members(self._raw)):
                if count == most:
                    raise too_many(place)
                self._take(member, wanted)

    def _take(self, member: Member, wanted: Collection[str]) -> None:
        parts = _parts(member.name)
        if len(member.name) > MAX_NAME:
            raise _too_long(self._place, member.name)
        if not parts:
            self.nowhere += [member.name] * bool(member.name.strip("./"))
            return
        self._list(parts, member.mode, member.size)
        if len(self._folders) > self._most:  # including folders without a member of their own
            raise too_many(self._place)
        if stat.S_ISDIR(member.mode):
            return
        self._readable.pop(parts, None)
        most = MAX_BYTES if slips.meant(parts[-1], wanted) else MAX_ARCHIVE if is_archive(parts[-1]) else -1
        if stat.S_ISREG(member.mode) and member.size <= most:
            if len(self._readable) == _MAX_READABLE:
                raise too_many(self._place)
            self._readable[parts] = member

    def _content(self, at: Parts, place: str, most: int) -> bytes:
        member = self._readable[at]
        return bytes(self._raw[member.start : member.start + member.size])


_MAX_READABLE = 100  # files with a wanted name, or archives, in one .tar


def archive_tree(raw: bytes, place: str, wanted: Collection[str], most: int = MAX_MEMBERS) -> ArchiveTree:
    """Return the tree of a student's archive, whose kind is recognized by its first bytes, not its name.

    Args:
        raw: the content of the file, at most MAX_ARCHIVE bytes.
        most: how many members it may have.

    Raises:
        SubmissionFault: it cannot be read, or is of another kind.
    """
    if raw.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        _check_list(raw, place, most)
        return ZipTree(io.BytesIO(raw), place, most)
    if raw.startswith(_GZIP) or raw[257:262] == b"ustar":
        return TarTree(raw, place, wanted, most)
    raise SubmissionFault(f"{place}: expected a .zip, .tar or .tar.gz, found something else", _AGAIN)


def _check_list(raw: bytes, place: str, most: int) -> None:
    """Raise SubmissionFault if a .zip's list of members is too long; opening a .zip reads all of it."""
    listed = 0
    for count, entry in enumerate(re.finditer(b"PK\x01\x02", raw), 1):
        lengths = raw[entry.start() + 28 : entry.start() + 34]  # of its name, extra fields and comment
        listed += sum(int.from_bytes(lengths[at : at + 2], "little") for at in (0, 2, 4))
        if count > most or listed > MAX_LISTED:
            raise too_many(place)


def too_many(place: str) -> SubmissionFault:
    """Return the fault for an archive with too many files."""
    return SubmissionFault(
        f"{place}: expected a few files, found too many to look through",
        "hand in the tasks' files only, without data or a virtual environment",
    )


def _too_long(place: str, name: str) -> SubmissionFault:
    return SubmissionFault(
        f"{place}: expected names of at most {MAX_NAME:,} characters, found one of {len(name):,}", _AGAIN
    )


def _gunzipped(raw: bytes, place: str) -> bytearray:
    """Return the unpacked content of a .gz; bytes after its last member are ignored, as by gzip."""
    if raw.count(_GZIP + b"\x08") > MAX_GZIP_MEMBERS:
        raise SubmissionFault(f"{place}: packed in too many pieces", _AGAIN)
    unpacked, at = bytearray(), 0
    with _broken_as_fault(place):
        while raw.startswith(_GZIP, at):
            member = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # this also reads the header, in C
            while not member.eof:
                piece = raw[at : at + _PIECE]
                if not piece:
                    raise EOFError("it ends too early")
                unpacked += member.decompress(piece, MAX_UNPACKED + 1 - len(unpacked))
                at += len(piece) - len(member.unconsumed_tail) - len(member.unused_data)
                if len(unpacked) > MAX_UNPACKED:
                    raise SubmissionFault(f"{place}: unpacks to more than {MAX_UNPACKED >> 20} MiB", _AGAIN)
    return unpacked


@contextlib.contextmanager
def _broken_as_fault(place: str, ours: bool = False) -> Iterator[None]:
    """Turn any error that a library raises on a malformed archive into a fault."""
    try:
        yield
    except SubmissionFault:
        raise
    except Exception as error:  # zlib.error, struct.error, RecursionError, ... no list of them is complete
        why = one_line(str(error) or type(error).__name__)
        help = _CLASS_AGAIN if ours else _AGAIN
        raise SubmissionFault(f"{place}: the archive is broken: {why}", help, ours=ours) from None


def _parts(name: str) -> Parts:
    """Return the parts of a member's name; empty if it leads out of the archive, or is too deep or long."""
    if len(name) > MAX_NAME:
        return ()
    name = name.replace("\\", "/")  # as some Windows programs write them
    parts = tuple(part for part in name.split("/", MAX_PARTS) if part not in ("", "."))
    leads_out = name.startswith("/") or ".." in parts or re.match("[A-Za-z]:", "".join(parts[:1]))
    return () if leads_out or "/" in "".join(parts) else parts


def _member_name(info: zipfile.ZipInfo) -> str:
    """Return the name of a .zip's member; some programs write UTF-8 without marking it."""
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            return info.filename.encode("cp437").decode("utf-8")
    return info.filename


def is_archive(name: str) -> bool:
    """Return whether a file's name is that of an archive."""
    return name.lower().endswith(ARCHIVES)


def place_of(name: str) -> tuple[bool, str, int]:
    """Return a key for names: archives last, and of copies such as `hw (2).zip` the last one first."""
    copy = _COPY.search(name)
    return is_archive(name), _COPY.sub("", name), -int(copy[1]) if copy else 0


_COPY = re.compile(r" ?\((\d{1,3})\)(?=(\.tar)?\.[^.]+$)")
