"""List the members of a .tar in memory, in a time that depends only on its length.

Python's tarfile trusts the headers: it skips block by block to the end of a member of 2^50 bytes, goes
backwards for a negative size, and copies a header about all members for each of them. Here a size beyond the
end of the file is a fault, and a header applies to the next member only.
"""

import re
import stat
from collections.abc import Iterator
from typing import NamedTuple

BLOCK = 512
MAX_ABOUT = 4 << 20  # bytes of headers about members, read in 1 s; those for 10,000 files are below 1 MiB
HEADER = 32  # bytes for which one counts that is empty
_FILE, _HARD_LINK, _PAX, _SPARSE = (b"0", b"\0"), b"1", (b"x", b"X"), b"S"
_LONG = {b"L": b"path", b"K": b"linkpath"}  # a name, and a link's target, as extended headers call them
_ABOUT_THE_NEXT = (*_LONG, *_PAX, b"g")  # `g` is about all members
_MODES = {_HARD_LINK: stat.S_IFLNK, b"2": stat.S_IFLNK, b"5": stat.S_IFDIR}
_WITHOUT_CONTENT = b"123456"  # whatever size the headers of these kinds give
_OCTAL = re.compile(rb"[0-7]*")
_RECORD = re.compile(rb"(\d{1,9}) ([^=\n]+)=")


class Member(NamedTuple):
    """A member: its name, its file type as in `stat`, its size, and the position of its content."""

    name: str
    mode: int
    size: int
    start: int


def members(raw: bytes | bytearray) -> Iterator[Member]:
    """Yield the members of a .tar; a hard link to an earlier file, perhaps itself, is that file again.

    Raises:
        ValueError: it is broken.
    """
    at = about = 0
    noted: dict[bytes, bytes] = {}  # fields for the next member, from the headers before it
    files: dict[bytes, tuple[int, int]] = {}  # where the content of each lies
    while any(header := bytes(raw[at : at + BLOCK])):
        if at == 0 and header[257:262] != b"ustar" and not _OCTAL.fullmatch(header[148:154]):
            raise ValueError("no .tar is in it")
        if len(header) < BLOCK or _number(header[148:156]) != sum(header) - sum(header[148:156]) + 8 * 32:
            raise ValueError(f"no header at byte {at}")
        kind, size, start = header[156:157], _number(header[124:136]), at + BLOCK
        further = kind == _SPARSE and header[482]
        while further:  # the map of a sparse file goes on in further blocks
            further = raw[start + 504] if start + BLOCK <= len(raw) else 0
            start += BLOCK
        if kind not in _ABOUT_THE_NEXT and b"size" in noted:
            size = int(noted[b"size"][:20] or b"0")
        if kind in _WITHOUT_CONTENT:
            size = 0
        if not 0 <= size <= len(raw) - start:
            raise ValueError(f"a member of {size} bytes, where {max(len(raw) - start, 0)} are left")
        at = start + -(-size // BLOCK) * BLOCK
        about += HEADER + size if kind in _ABOUT_THE_NEXT else 0
        if about > MAX_ABOUT:
            raise ValueError(f"more than {MAX_ABOUT >> 20} MiB of headers about other members")
        if kind in _LONG:
            noted[_LONG[kind]] = bytes(raw[start : start + size])
        elif kind in _PAX:
            noted |= _records(bytes(raw[start : start + size]))
        elif kind not in _ABOUT_THE_NEXT:
            name = (noted.get(b"GNU.sparse.name") or noted.get(b"path") or _name(header)).split(b"\0")[0]
            mode = _MODES.get(kind, stat.S_IFREG if kind in _FILE else stat.S_IFCHR)
            if any(key.startswith(b"GNU.sparse.") for key in noted):
                mode = stat.S_IFCHR
            elif kind == b"\0" and name.endswith(b"/"):  # written before there was a type for folders
                mode = stat.S_IFDIR
            elif kind == _HARD_LINK:
                target = (noted.get(b"linkpath") or header[157:257]).split(b"\0")[0]
                if target in files:
                    mode, (size, start) = stat.S_IFREG, files[target]
            if mode == stat.S_IFREG:
                files[name] = size, start
            yield Member(name.decode("utf-8", "surrogateescape"), mode, size, start)
            noted = {}


def _name(header: bytes) -> bytes:
    """Return a member's name, joined from two fields if the header has both."""
    name, prefix = (field.split(b"\0")[0] for field in (header[:100], header[345:500]))
    return prefix + b"/" + name if prefix and header[257:263] == b"ustar\0" else name


def _number(field: bytes) -> int:
    """Return the number in a field: octal digits or, if the first bit is set, the bytes themselves."""
    if field[0] & 0x80:
        return int.from_bytes(field[1:]) if field[0] == 0x80 else -1
    digits = field.split(b"\0")[0].strip()
    if not _OCTAL.fullmatch(digits):
        raise ValueError("a malformed number in a header")
    return int(digits or b"0", 8)


def _records(raw: bytes) -> dict[bytes, bytes]:
    """Return the records of an extended header, each written as `LENGTH KEY=VALUE` with a line break."""
    found, at = {}, 0
    while at < len(raw) and raw[at]:
        record = _RECORD.match(raw, at)
        end = at + int(record[1]) if record else at
        if record is None or not record.end() < end <= len(raw):
            raise ValueError("a broken extended header")
        found[record[2]] = raw[record.end() : end - 1]
        at = end
    return found
