"""Make text from a student's program safe to show on a terminal, in a log or in a file."""

import re
import unicodedata
from collections.abc import Collection

# GitHub executes a log line that begins with `::`, and a line may be wrapped before any word. `##[...]` is
# executed anywhere in a line, as are `##vso[...]` and `##teamcity[...]` on other platforms.
_COMMAND = re.compile(r"(?<!\S)::|##(?=\w*\[)")
_PERHAPS_ODD = re.compile(r"[^\n -~]")
_COLOR = re.compile(r"(\x1b\[(?:0|3[1-7])m)")  # as click.style writes it


def safe(text: str) -> str:
    """Return `text` with everything but printable characters and line breaks written as an escape.

    The first character of anything that a CI workflow would take for a command is also written as an escape.
    """
    if text.isascii() and text.isprintable() and "::" not in text and "##" not in text:
        return text  # nearly every text, and this is told much faster than it is replaced
    shown = printable(text.replace("\t", "    "))
    return _COMMAND.sub(lambda found: f"\\x{ord(found[0][0]):02x}{found[0][1:]}", shown)


def printable(text: str) -> str:
    """Return `text` with everything but printable characters and line breaks written as an escape.

    Lone surrogates are not printable, nor are marks that change how their neighbours are shown (such as right
    to left).
    """
    return _PERHAPS_ODD.sub(
        lambda found: found[0] if found[0].isprintable() else found[0].encode("unicode_escape").decode(), text
    )


def safe_but_for_colors(text: str) -> str:
    """Return `text` made safe, except that its colours are kept."""
    return "".join(part if _COLOR.fullmatch(part) else safe(part) for part in _COLOR.split(text))


def one_line(text: str, most: int = 200) -> str:
    """Return `text` safe, on one line, and no longer than `most` characters."""
    begin = text[: 4 * most]  # to make a long text safe takes long
    return cut(" ".join(safe(begin).split()) + "..." * (len(begin) < len(text)), most)


def few_lines(text: str, most: int, longest: int) -> str:
    """Return `text` safe, cut to `most` lines of at most `longest` characters."""
    lines = [cut(line, longest) for line in safe(text).split("\n")]
    return "\n".join([*lines[:most], "..."] if len(lines) > most else lines)


def few_bytes(text: str, most: int) -> str:
    """Return a safe `text` cut to `most` bytes of UTF-8; its last line then says so."""
    raw, end = text.encode(), "\n..."
    return text if len(raw) <= most else raw[: most - len(end)].decode(errors="ignore") + end


def cut(line: str, most: int) -> str:
    """Return a line cut to `most` characters."""
    return line if len(line) <= most else line[: most - 3] + "..."


def shown_output(head: bytes, tail: bytes) -> str:
    """Return the beginning and the end of a program's output, safe to show."""
    text = safe(head.decode("utf-8", "replace"))
    if tail:
        text += "\n... (cut) ...\n" + safe(tail.decode("utf-8", "replace"))
    return text.strip("\n")


def listed(names: Collection[str], most: int = 5) -> str:
    """Return names as one text: at most `most` of them, then how many more there are."""
    first = ", ".join(one_line(shown_text(name), 60) for name in list(names)[:most])
    return first if len(names) <= most else f"{first} and {len(names) - most:,} more"


_WITHIN_WORDS = str.maketrans("\xa0", " ", "\xad\u200c\u200d")  # of names: blanks, soft hyphens, joiners


def shown_name(name: str) -> str:
    """Return a person's name as `shown_text` does, with plain blanks and without joiners."""
    return shown_text(name.translate(_WITHIN_WORDS))


def shown_text(name: str) -> str:
    """Return a name in Unicode's composed form, as one line of text that is safe to write anywhere."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    text = unicodedata.normalize("NFC", text)
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text.strip() or text)
