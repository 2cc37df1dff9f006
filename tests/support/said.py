"""What students read of each message, stored once: tests/expected/messages.txt has the texts and their witnesses.

The witness of a message is the row of the zoo, and its board, by which it is shown.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from string import Formatter

from grader.messages.catalogue import Entry, entries, fill
from grader.result import Result

TEXTS = Path(__file__).resolve().parents[1] / "expected" / "messages.txt"
DRAWN = re.compile(r"^ +0 1 2 3 4 5 6 7\n((?: +\d(?: \S){8}.*(?:\n|\Z)){8})", re.MULTILINE)
HEAD = re.compile(r"^=== (\S+) +(\S+ \S+)\n", re.MULTILINE)

Witness = str  # the row and the board


def alone(result: Result) -> Result:
    """Return a result with its own message's words only: those above and below have their own stored texts."""
    entry = entries()[result.code]
    own, captions = (
        [words for each in templates if (words := fill(each, result.facts))]
        for templates in (entry.lines, entry.captions)
    )
    lines = result.message.splitlines()
    # A result has long facts shortened, so that no line may be the message's own.
    lines = [line for line in lines if line in own] or (lines if own else [])
    pictures = [
        each._replace(caption=each.caption if each.caption in captions else "") for each in result.pictures
    ]
    help = result.help if entry.help else ""
    return replace(result, message="\n".join(lines), help=help, pictures=tuple(pictures))


def in_short(text: str) -> str:
    """Return a text with each drawn board in two lines: its rows, and the legend beside it."""

    def rows(drawn: re.Match[str]) -> str:
        lines = [line.split(maxsplit=9) for line in drawn[1].splitlines()]
        legend = [line[9] for line in lines if line[9:]]
        return "".join(f"    {each}\n" for each in (" ".join("".join(line[1:9]) for line in lines), *legend))

    return DRAWN.sub(rows, text).rstrip("\n")


def read_texts() -> dict[str, tuple[Witness, str]]:
    """Return the witness and the text of each message, by its identity."""
    _, *parts = HEAD.split(TEXTS.read_text("utf-8"))
    return {
        id: (witness, text.rstrip("\n"))
        for id, witness, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }


def update_texts(said: Mapping[Witness, tuple[str, str]]) -> None:
    """Write the file anew.

    Args:
        said: the identity and the text of what was said, by the rows and boards that were run. A witness stays
            as long as it is one; a message that none of these rows shows any more is left out.
    """
    rows = {witness.split()[0] for witness in said}
    kept = {
        id: (witness, said.get(witness, (id, text))[1])
        for id, (witness, text) in read_texts().items()
        if said.get(witness, ("", ""))[0] == id or witness.split()[0] not in rows
    }
    for witness, (id, text) in sorted(said.items()):
        kept.setdefault(id, (witness, text))
    parts = [f"=== {id}  {witness}\n{text}\n" for id, (witness, text) in sorted(kept.items())]
    TEXTS.write_text("".join(parts), "utf-8")


def facts_in(entry: Entry) -> set[str]:
    """Return the names of the facts that the words of an entry of the catalogue take."""

    def names(words: str) -> Iterator[str]:
        for _, name, spec, _ in Formatter().parse(words):
            yield from [name] if name else []
            yield from names(spec or "")

    all_words = (*entry.lines, entry.help, entry.command, *entry.captions)
    return {name for words in all_words for name in names(words)}
