"""The boards that a search came to."""

from dataclasses import dataclass, field
from enum import IntEnum

from grader.sandbox.child import film_notes as child

NOWHERE = -1


class Kind(IntEnum):
    """What became of a board that a search came to."""

    NEW = 0  # searched for the first time
    AGAIN = 1  # searched, though it was searched before
    FOUND = 2  # known, and not searched
    SOLUTION = 3  # on the way to the solution


class Told(IntEnum):
    """When a board was put into the table."""

    NEVER = 0
    BEFORE = 1  # before its first jump was searched
    AFTER = 2


@dataclass(slots=True)
class Node:
    """A board that a search came to.

    Attributes:
        parent: the index of the node from which the search came, or NOWHERE.
        children: the indices of the nodes to which its jumps led, in order of time.
        is_call: whether the search was called for it; otherwise the table knew it right after the jump.
        on_board: whether it was searched on the board itself, not on a copy.
        value: what was returned, a number of pegs or one of the child's constants; None if nothing was.
        asked: whether the table was asked for it before any of its jumps was searched.
        found: whether the table then had it.
        on_stack: how many moves were on the stack when the search came to it.
        stack_leads_here: whether these are the jumps that led to it.
        left_as: the position on the board when the search went back from here; None if it did not.
    """

    position: int
    parent: int
    kind: Kind = Kind.NEW
    children: list[int] = field(default_factory=list)
    is_call: bool = True
    on_board: bool = True
    value: int | None = None
    asked: bool = False
    found: bool = False
    told: Told = Told.NEVER
    on_stack: int = 0
    stack_leads_here: bool = False
    left_as: int | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the search returned that this board is solved."""
        return self.value in (1, child.TRUE)

    @property
    def is_given_up(self) -> bool:
        """Whether the board was searched to no avail; known once it is known what became of it."""
        return self.left_as is not None and not self.is_solved and self.kind != Kind.FOUND
