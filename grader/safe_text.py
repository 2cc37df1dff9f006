"""Text that came from a student's program, made safe to show on a terminal."""

import re
import unicodedata

# GitHub carries out a line that begins so, wherever it stands in a log, and lines are wrapped between words.
_COMMAND = re.compile(r"(?<!\S)(::|##\[)")


def safe(text: str) -> str:
    """Return `text` with everything but printable characters and line breaks written as an escape.

    So is the first character of what a workflow would take for a command.
    """
    shown = "".join(
        character
        if character in "\n " or (character.isprintable() and not _steers(character))
        else character.encode("unicode_escape").decode()
        for character in text.replace("\t", "    ")
    )
    return _COMMAND.sub(lambda found: f"\\x{ord(found[0][0]):02x}{found[0][1:]}", shown)


def _steers(character: str) -> bool:
    """Return whether a character changes how its neighbours are shown (right-to-left marks and such)."""
    return unicodedata.category(character) in ("Cf", "Co", "Cn", "Cs")


def one_line(text: str, most: int = 200) -> str:
    """Return `text` safe, on one line, and no longer than `most` characters."""
    line = " ".join(safe(text).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def shown_output(head: bytes, tail: bytes) -> str:
    """Return both ends of what a program printed, safe to show."""
    text = safe(head.decode("utf-8", "replace"))
    if tail:
        text += "\n... (cut) ...\n" + safe(tail.decode("utf-8", "replace"))
    return text.strip("\n")
