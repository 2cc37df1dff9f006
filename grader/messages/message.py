"""What a message to a student is: its identity, facts, words, place in the code, and pictures of boards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from framework.board import Board, format_board
from framework.jumps import Jump, cell_between
from grader.result import Picture, Result

Fact = int | float | str | bool | None | Sequence["Fact"]
Cell = tuple[int, int]

# What a cell is marked for.
FROM, OVER, TO, NO_PEG = "from", "over", "to", "no-peg"


def picture(board: Board, marks: Mapping[Cell, str] | None = None, caption: str = "") -> Picture:
    """Return the picture of a board, (8, 8) int8; if the caption is empty, `catalogue.say` has the words."""
    cells = "".join(format_board(board).split())
    return Picture(cells, tuple((mark, *cell) for cell, mark in (marks or {}).items()), caption)


def with_jump(board: Board, jump: Jump, caption: str = "") -> Picture:
    """Return the picture of a board with a jump that can be made."""
    marks = {(jump[0], jump[1]): FROM, cell_between(jump): OVER, (jump[2], jump[3]): TO}
    return picture(board, marks, caption)


@dataclass(frozen=True)
class Message:
    """A message to a student: hints, statistics and tests go by its identity and facts, never by its words.

    Attributes:
        id: what it says, in kebab-case; it stays when the words get better. Empty if there is nothing to say.
        place: `file:line` of the student's code.
        facts: the numbers, names, cells (row, col) and jumps (four numbers) in its words.
        command: what to type next; empty if there is nothing to type.
        values: names in the student's code with their values, as text.
    """

    id: str = ""
    message: str = ""
    help: str = ""
    place: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    command: str = ""
    source: str = ""
    values: tuple[tuple[str, str], ...] = ()
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
