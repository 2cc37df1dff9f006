"""Read one of a student's files: its bytes within limits, and its text in any usual encoding."""

import codecs
import errno
import os
import re
import stat
from functools import lru_cache
from pathlib import Path
from typing import Self

from grader import folders

MAX_BYTES = 256 * 1024  # a student's file has a few KiB; a much larger one is a mistake or an attack
# Why something cannot be read because of what was handed in, such as a link on the way to it.
_BY_HAND_IN = (errno.ELOOP, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENXIO)
# A comment of the first or the second line that declares an encoding, as in PEP 263.
_COMMENT = rb"[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)"
_CODING = (re.compile(_COMMENT), re.compile(rb"[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n)" + _COMMENT))
# Those in which editors save text. Other codecs of Python's are no text, or take long to read.
_ENCODING = re.compile(
    r"ascii|iso8859-\d+|cp(125\d|437|850|852|866|874|932|949|950)|koi8-[ru]|mac-roman|gb(2312|k|18030)|big5|"
    "shift_jis|euc_(jp|kr)"
)


class SubmissionFault(Exception):
    """The student's own file cannot be used; this costs points, but the command was used correctly."""

    def __init__(self, message: str, help: str, missing: bool = False, ours: bool = False) -> None:
        self.message = message  # the place first, then what is wrong
        self.help = help
        self.missing = missing  # whether nothing was handed in, rather than something that cannot be used
        # whether this machine could not read it for whoever grades; then it costs no points
        self.ours = ours
        super().__init__(message)

    def alone(self) -> Self:
        """Return the fault without its traceback and its context, which hold what was read."""
        return type(self)(self.message, self.help, self.missing, self.ours)


class TooLarge(SubmissionFault):
    """A file with more bytes than allowed."""


def read_raw(path: Path, place: str, most: int = MAX_BYTES, root: Path | None = None) -> bytes | None:
    """Return the content of a student's file, or None if there is none; messages call it `place`.

    No link is followed below the folder `root`, by default the one with the file.

    Raises:
        SubmissionFault: it is no regular file, has more than `most` bytes, or cannot be read.
    """
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise not_a_file(place, status.st_mode)
        if status.st_size > most:
            raise too_large(place, status.st_size, most)
        with open(folders.opened(path, root or path.parent), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # by now
                raise not_a_file(place, os.fstat(file.fileno()).st_mode)
            return file.read(status.st_size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(place, "file", error) from None


def unreadable(place: str, kind: str, error: OSError) -> SubmissionFault:
    """Return the fault for a file or folder of this machine, as `kind` says, that cannot be read."""
    return SubmissionFault(
        f"{place}: cannot be read: {error.strerror}",
        f"check the {kind}'s permissions",
        ours=error.errno not in _BY_HAND_IN,
    )


def not_a_file(place: str, mode: int) -> SubmissionFault:
    """Return the fault for something that is not a regular file; `mode` is its mode, as from `stat`."""
    kind = "folder" if stat.S_ISDIR(mode) else "link" if stat.S_ISLNK(mode) else "special file"
    return SubmissionFault(f"{place}: expected a file, found a {kind}", "put your solution there")


def too_large(place: str, size: int, most: int = MAX_BYTES) -> TooLarge:
    """Return the fault for a file of `size` bytes if only `most` are allowed."""
    return TooLarge(
        f"{place}: expected at most {most // 1024} KiB, found {-(-size // 1024)} KiB",
        "a solution is a few KiB; keep data out of the file",
    )


# What is handed in for a program by mistake, and what to do; each pattern looks at the beginnings of lines.
_NO_PROGRAM = (
    (re.compile(r"\A\s*\{\\rtf"), "RTF", "save the file as plain text"),
    (re.compile(r"\A\s*<(!doctype|html)", re.I), "a page in HTML", "download the file itself"),
    (re.compile(r"\Aversion https://git-lfs"), "a pointer of Git LFS", "hand in the file that it stands for"),
    (re.compile(r"\A\s*```"), "Markdown", "take out the lines with ```"),
    (re.compile(r"^<{7} ", re.M), "markers of a merge", "choose one of both versions"),
)


@lru_cache(16)  # one submission's files belong to several tasks
def decode_source(place: str, raw: bytes) -> str:
    """Return the text of a student's file, with Python's line ends.

    As for Python, a comment in the first two lines of a program may name another encoding; it then says UTF-8
    in the text.

    Raises:
        SubmissionFault: it is not UTF-8 or what it says, or has zero bytes.
    """
    if not place.endswith(".py"):
        return _decoded(place, raw, "utf-8-sig")
    encoding, raw = _declared(place, raw)
    text = _decoded(place, raw, encoding)
    _declared(place, text.encode("utf-8", "replace"), decoded=True)  # or Python would read another text
    if not text.strip():
        raise SubmissionFault(
            f"{place}: the file is empty", "write your solution there, and save it", missing=True
        )
    for pattern, found, help in _NO_PROGRAM:
        if pattern.search(text):
            raise SubmissionFault(f"{place}: expected a Python program, found {found}", help)
    return text


def _decoded(place: str, raw: bytes, encoding: str) -> str:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        _refuse_utf_16(place, raw)
        shown = "UTF-8" if encoding == "utf-8-sig" else encoding
        raise SubmissionFault(
            f"{place}: expected {shown} text, found the byte 0x{error.object[error.start]:02x}",
            "save the file as UTF-8",
        ) from None
    if "\0" in text:
        _refuse_utf_16(place, raw)
        raise SubmissionFault(f"{place}: expected text, found zero bytes", "save the file again")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_utf_16(place: str, raw: bytes) -> None:
    """Raise SubmissionFault if a text is UTF-16, with its mark or with a zero byte beside most letters."""
    zeros = max(raw[::2].count(0), raw[1::2].count(0))
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 4 * zeros > len(raw):
        raise SubmissionFault(f"{place}: expected UTF-8 text, found UTF-16", "save the file as UTF-8")


def _declared(place: str, raw: bytes, decoded: bool = False) -> tuple[str, bytes]:
    """Return the encoding that a file declares, and its content with UTF-8 declared instead.

    In what was decoded already, only UTF-8 is allowed.
    """
    said = next(filter(None, (each.match(raw) for each in _CODING)), None)  # none if it has a byte order mark
    if said is None:
        return "utf-8-sig", raw
    name = said[1].decode()
    try:
        encoding = codecs.lookup(re.sub("-(unix|dos|mac)$", "", name)).name  # Emacs adds how lines end
    except LookupError:
        encoding = ""
    encoding = encoding.removesuffix("-sig")
    if encoding != "utf-8" and (decoded or not _ENCODING.fullmatch(encoding)):
        raise SubmissionFault(
            f"{place}: expected UTF-8 text, found coding: {name[:40]}",
            "save the file as UTF-8, and take that comment out",
        )
    said_utf_8 = raw[: said.start(1)] + b"utf-8" + raw[said.end(1) :]
    return ("utf-8-sig" if encoding == "utf-8" else encoding), said_utf_8
