"""Parse what a child says a search did, see child/trace.py."""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from framework.board import SIZE, Board
from grader.sandbox import answers, frame_parts
from grader.sandbox.answers import Failure, Noted
from grader.sandbox.child.trace import CALLED, FIELDS, LEFT, MOST_EVENTS, SET
from grader.sandbox.frame_parts import FrameError

MOST_FUNCTIONS = 100
MAX_NAME = 100
ODD = re.compile(r"[^\w. <>/]")  # what neither a file's nor a function's name has


class Event(NamedTuple):
    """Something that a search did, see child/trace.py for the kinds and what belongs to them."""

    kind: int
    first: int
    second: int
    line: int


@dataclass(frozen=True)
class Trace:
    """What a search did, run as plain Python."""

    number: int | None  # what it returned; None if that was no number, or if it did not end
    functions: list[str]  # the student's functions that were called, by number: each as file and name
    calls: list[int]  # how many times each was called
    events: list[Event]  # what it did, in order
    board: Board  # the board after it
    error: Failure | None  # how it failed, if it did

    @property
    def noted(self) -> Noted:
        """The cells that were set on the given board."""
        set_there = [event.second for event in self.events if event.kind == SET and event.first == 0]
        cells = [answers.cell_set(max(0, what)) for what in set_there]
        return Noted(self.number, cells, self.board, self.error)

    @property
    def is_whole(self) -> bool:
        """Whether all that the search did is in `events`."""
        return len(self.events) < MOST_EVENTS and self.error is None


def parse_trace(loaded: dict[str, Any]) -> Trace:
    """Return what a search did; raise FrameError if the frame is malformed."""
    functions = frame_parts.listed(loaded, "functions")
    if len(functions) > MOST_FUNCTIONS or not all(type(name) is str for name in functions):
        raise FrameError("functions that have no names, or too many")
    calls = frame_parts.integers(loaded, "calls")
    if len(calls) != len(functions):
        raise FrameError("calls of other functions")
    numbers = frame_parts.integers(loaded, "events")
    if len(numbers) % FIELDS or len(numbers) > FIELDS * MOST_EVENTS:
        raise FrameError("events that are incomplete, or too many")
    events = [Event(*numbers[at : at + FIELDS]) for at in range(0, len(numbers), FIELDS)]
    for event in events:
        if not SET <= event.kind <= LEFT:
            raise FrameError("an event of no known kind")
        if event.kind == SET and not -1 <= event.second < 9 * SIZE * SIZE:
            raise FrameError("a cell that is not on the board")
        if event.kind in (CALLED, LEFT) and not 0 <= event.first < len(functions):
            raise FrameError("a call of no known function")
    number = loaded.get("number")
    return Trace(
        None if number is None else frame_parts.integer(number),
        [ODD.sub("?", name)[:MAX_NAME] for name in functions],
        calls,
        events,
        frame_parts.a_board(frame_parts.text(loaded, "board")),
        answers.failure_in(loaded, "error"),
    )
