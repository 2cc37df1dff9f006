"""What a message to a student is; read those of `words/*.md`, where their words and hints stand, and say one.

A page is Markdown. An entry begins with the identities that share it, and may have these:

    ## never-tried
    Your search never tries {jump!j}.          what happened: a line, or one for each paragraph
    > look from every peg                      what to do
    $ grade {task} -d                          what to type then
    ![the board after {made:jump}]             what the picture shows, in a line for each
    1. Which of the boards ... ?               three hints: a question, where to look, what to change
    2. Look at ...
    3. Keep ...

Hints are for all entries above them up to the last hints. `## verdict timeout` has the hints for messages
without any, `## bugs-missed 3` those for a message with 3 among its `kinds`, and `## not-written in peg3`
those of one task. Words take facts in braces:

    {name}          a number with commas, or a text        {jump!j} {cells!c}   jumps, or cells
    {pegs:peg}      3 pegs                                 {pegs:is|are}        by number
    {name:?yes|no}  by truth; `yes` and `no` may have braces
A line or a command whose facts leave it empty is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from framework.board import Board, format_board
from framework.jumps import Jump, cell_between, format_jump
from grader.errors import InputError
from grader.result import Picture, Result, Verdict

PAGES = Path(__file__).parent / "words"
LEVELS = 3  # of hints
MOST_SHOWN = 6  # cells or jumps of a list
_TOPIC = re.compile(r"[a-z][a-z0-9-]*( (?!in )[a-z0-9-]+)?( in [a-z0-9]+)?")
_MARK = r"(?:> |\$ |!\[|\d\. )"  # of a part of an entry; what has none is a line of the message

Fact = int | float | str | bool | None | Sequence["Fact"]
Cell = tuple[int, int]

# What a cell is marked for.
FROM, OVER, TO, NO_PEG = "from", "over", "to", "no-peg"


def picture(board: Board, marks: Mapping[Cell, str] | None = None, caption: str = "") -> Picture:
    """Return the picture of a board, (8, 8) int8; if the caption is empty, `say` has the words."""
    cells = "".join(format_board(board).split())
    return Picture(cells, tuple((mark, *cell) for cell, mark in (marks or {}).items()), caption)


def with_jump(board: Board, jump: Jump) -> Picture:
    """Return the picture of a board with a jump that can be made."""
    marks = {(jump[0], jump[1]): FROM, cell_between(jump): OVER, (jump[2], jump[3]): TO}
    return picture(board, marks)


@dataclass(frozen=True)
class Message:
    """A message to a student; hints, statistics and tests go by its identity and facts, never by words."""

    # what it says, in kebab-case; it stays when the words get better. Empty if there is nothing to say.
    id: str = ""
    message: str = ""
    help: str = ""
    place: str = ""  # `file:line` of the student's code
    # the numbers, names, cells (row, col) and jumps (four numbers) in its words
    facts: Mapping[str, Fact] = field(default_factory=dict)
    command: str = ""  # what to type next; empty if there is nothing to type
    source: str = ""
    values: tuple[tuple[str, str], ...] = ()  # names in the student's code with their values, as text
    pictures: tuple[Picture, ...] = ()

    @classmethod
    def of(cls, result: Result) -> "Message":
        """Return what a result says."""
        return cls(result.code, **{each.name: getattr(result, each.name) for each in fields(cls)[1:]})

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a `Result` that say this."""
        names = [each.name for each in fields(self) if each.name != "id"]
        return {"code": self.id, **{name: getattr(self, name) for name in names}}

    @property
    def first(self) -> str:
        """What happened in a line; empty if there is nothing to say."""
        return self.message.partition("\n")[0]

    def under(self, head: "Message") -> "Message":
        """Return this message below the lines of another; what is missing here is taken from there."""
        at = self if self.place else head
        return replace(
            self,
            id=self.id or head.id,
            message="\n".join(filter(None, [head.message, self.message])),
            help=self.help or head.help,
            command=self.command if self.help else head.command,
            facts={**head.facts, **self.facts},
            place=at.place,
            source=at.source,
            values=self.values or head.values,
            pictures=self.pictures or head.pictures,
        )


# ---- the catalogue -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """What stands on a page under one heading: templates, and perhaps hints."""

    topics: Sequence[str]
    place: str
    lines: Sequence[str] = ()
    help: str = ""
    command: str = ""
    captions: Sequence[str] = ()
    hints: Sequence[str] = ()


def say(
    id: str,
    /,
    *pictures: Picture,
    place: str = "",
    source: str = "",
    values: tuple[tuple[str, str], ...] = (),
    **facts: Fact,
) -> Message:
    """Return a message of the catalogue.

    Args:
        facts: what its words mention; jumps as four numbers, cells as two.
    """
    entry = entries()[id]
    captions = chain((fill(each, facts) for each in entry.captions), repeat(""))
    shown = tuple(
        each._replace(caption=each.caption or caption)
        for each, caption in zip(pictures, captions, strict=False)
    )
    lines = [line for each in entry.lines if (line := fill(each, facts))]
    help, command = fill(entry.help, facts), fill(entry.command, facts)
    return Message(id, "\n".join(lines), help, place, facts, command, source, values, shown)


class _Words(Formatter):
    """Puts facts into words; see above."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion is None:
            return value
        many = [value] if value and not isinstance(value[0], Sequence) else value or []
        return [format_jump(each) if conversion == "j" else f"{each[0]}:{each[1]}" for each in many]

    def format_field(self, value: Any, spec: str) -> str:
        if spec.startswith("?"):
            yes, _, no = spec[1:].partition("|")
            return yes if value else no
        if isinstance(value, list):
            most = int(spec or MOST_SHOWN)
            return ", ".join(value[:most]) + (f" and {len(value) - most} more" if len(value) > most else "")
        one, by_number, many = spec.partition("|")
        if by_number:
            return one if value == 1 else many
        shown = f"{value:,}" if isinstance(value, int) else str(value).replace("|", _BAR)
        return f"{shown} {spec}{'' if value == 1 else 's'}" if spec else shown


_WORDS = _Words()
_BAR = "\0"  # stands for a bar in a fact, which is none of a template's


def fill(words: str, facts: Mapping[str, Fact]) -> str:
    """Return a template with its facts."""
    return _WORDS.vformat(words, (), facts).replace(_BAR, "|") if "{" in words else words


class Hints(NamedTuple):
    """The three hints for a topic: a question, where to look, and what to change."""

    topic: str
    levels: Sequence[str]


def hints_for(result: Result) -> list[Hints]:
    """Return the hints that fit, the best first; those for the verdict alone if it is hidden or none fits."""
    special = [f"{result.code} {kind}" for kind in result.facts.get("kinds", ())]
    topics = [*special, result.code, result.facts.get("family", "")]
    return (
        _hints([] if result.hidden else topics, result) or _hints([f"verdict {result.verdict}"], result)[:1]
    )


def _hints(topics: Sequence[str], result: Result) -> list[Hints]:
    """Return the hints of these topics; those of the result's task come before those of any."""
    both = [name for topic in topics for name in (f"{topic} in {result.task}", topic)]
    those = [(name, entries()[name].hints) for name in both if name in entries()]
    return [Hints(name.partition(" in ")[0], hints) for name, hints in those if hints]


@cache
def entries() -> Mapping[str, Entry]:
    """Return all entries by topic.

    Raises:
        InputError: a page is not in the form, or a topic stands twice, or a verdict has no hints.
    """
    found: dict[str, Entry] = {}
    for page in sorted(PAGES.glob("*.md")):
        for entry in read_page(page.read_text("utf-8"), page.name):
            for topic in entry.topics:
                if topic in found:
                    raise _fault(entry.place, f"{topic} once", f"it in {found[topic].place}, too")
                found[topic] = entry
    for verdict in Verdict:
        if f"verdict {verdict}" not in found:
            raise _fault("words", f"hints for ## verdict {verdict}", "none")
    return found


def read_page(text: str, page: str) -> list[Entry]:
    """Return the entries of a page.

    Raises:
        InputError: it is not in the form.
    """
    found: list[Entry] = []
    heads = [*re.finditer(r"^## (.*)\n", text, re.MULTILINE)]
    waiting = 0  # the first entry without hints
    for number, head in enumerate(heads):
        place = f"{page}:{text.count(chr(10), 0, head.start()) + 1}"
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        topics = head[1].split(", ")
        if not all(map(_TOPIC.fullmatch, topics)):
            raise _fault(place, "## and identities such as never-tried", head[1])
        section = re.split(r"^# ", text[head.end() : end], maxsplit=1, flags=re.MULTILINE)[0]
        found.append(_entry(topics, section, place))
        if found[-1].hints:
            shared = found[-1].hints
            found[waiting:] = [replace(each, hints=shared) for each in found[waiting:]]
            waiting = len(found)
    return found


def _entry(topics: Sequence[str], text: str, place: str) -> Entry:
    pieces = re.split(rf"\n(?=\n|{_MARK})", text)
    parts = [" ".join(piece.split()) for piece in pieces if piece.strip()]

    def those(sign: str) -> list[str]:
        return [part.removeprefix(sign) for part in parts if part.startswith(sign)]

    commands, captions = those("$ "), [words.removesuffix("]") for words in those("![")]
    hints = [words for number in range(1, LEVELS + 1) for words in those(f"{number}. ")]
    if len(commands) > 1:
        raise _fault(place, "one line with $ ", commands)
    if len(hints) != sum(bool(re.match(r"\d\. ", part)) for part in parts) or len(hints) not in (0, LEVELS):
        raise _fault(place, f"hints 1 to {LEVELS}", hints)
    if hints and not hints[0].endswith("?"):
        raise _fault(place, "a question as hint 1", hints[0])
    lines = [part for part in parts if not re.match(_MARK, part)]
    return Entry(topics, place, lines, " ".join(those("> ")), "".join(commands), captions, hints)


def _fault(place: str, expected: str, found: object) -> InputError:
    return InputError(
        f"{place}: expected {expected}, found {found}",
        "grader/messages/catalogue.py says how a page is written",
    )
