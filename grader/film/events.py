"""Parse what a child recorded of a search, see sandbox/child/film_notes.py; nothing is believed unchecked."""

import base64
import binascii
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from framework.jumps import Jump
from grader.sandbox import answers
from grader.sandbox.answers import Failure, FrameError
from grader.sandbox.child import film_notes as child

POSITION_BYTES, KEY_BYTES = 8, 3
_MORE = {  # how many bytes belong to an event
    child.CALL_NOW: 0,
    child.CALL: POSITION_BYTES,
    child.RETURN: 1,
    child.UNWIND: 0,
    child.ASKED: 1 + KEY_BYTES,
    child.FOUND: 1 + KEY_BYTES,
    child.TOLD: 1 + KEY_BYTES,
    child.KNOWN: 1 + KEY_BYTES,
    child.KEY_NOW: KEY_BYTES,
    child.KEY: KEY_BYTES + POSITION_BYTES,
    child.RESET: POSITION_BYTES,
    child.PUSHED: 1,
    child.POPPED: 0,
}


class Event(NamedTuple):
    """An event."""

    code: int  # what happened: a constant of the child's, such as CALL, or CELL for a cell that was set
    position: int  # the position of a call or a key; otherwise that of the board, as it is now
    number: int = 0  # the number of a key or a move, or the value returned
    table: int = 0  # the number of a table, 0 for the one that peg_solve was given


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a program."""

    events: bytes  # the events, in order of time, see `read`
    calls: int
    others: int  # how many calls were left out, since they began at boards far from the start
    number: int | None
    jumps: list[Jump]  # the jumps on its stack, the first one first
    pushed: list[Jump]  # the different jumps that were pushed; an event has the number of one
    ended: str  # why recording ended early: "full" or "time"; empty if it did not
    error: Failure | None


def parse_recorded(loaded: dict[str, Any]) -> Recorded:
    """Return what was recorded; raise FrameError if it is malformed."""
    packed, number = loaded.get("film"), loaded.get("number")
    ended = answers.text(loaded, "ended")
    if not isinstance(packed, str) or ended not in ("", "full", "time"):
        raise FrameError("a film that is none")
    return Recorded(
        _unpacked(packed),
        answers.integer(loaded.get("calls")),
        answers.integer(loaded.get("others")),
        None if number is None else answers.integer(number),
        [jump for jump in answers.jumps(loaded) if answers.is_on_board(jump)],
        answers.jumps(loaded, "pushed", child.MOST_MOVES),
        ended,
        answers.failure_in(loaded, "error"),
    )


def _unpacked(packed: str) -> bytes:
    most = child.MOST_BYTES + 64
    try:
        raw = zlib.decompressobj()
        events = raw.decompress(base64.b64decode(packed, validate=True), most)
    except (binascii.Error, zlib.error, ValueError):
        raise FrameError("a film that cannot be unpacked") from None
    if not raw.eof or len(events) == most:
        raise FrameError("a film that is too long")
    return events


def read(events: bytes, start: int, with_cells: bool) -> Iterator[Event]:
    """Yield the events, those of cells that were set only `with_cells`.

    Raises:
        FrameError: they are malformed.
    """
    now, place, end = start, 0, len(events)
    while place < end:
        code = events[place]
        place += 1
        if code >= child.CELL:
            bit = 1 << (code & 63)
            now = now | bit if code & 64 else now & ~bit
            if with_cells:
                yield Event(child.CELL, now)
            continue
        more = _MORE.get(code)
        if more is None or place + more > end:
            raise FrameError("an event that is none")
        match code:
            case child.CALL:
                yield Event(code, _whole(events, place, POSITION_BYTES))
            case child.RETURN | child.PUSHED:
                yield Event(code, now, events[place])
            case child.KEY_NOW:
                yield Event(child.KEY, now, _whole(events, place, KEY_BYTES))
            case child.KEY:
                position = _whole(events, place + KEY_BYTES, POSITION_BYTES)
                yield Event(code, position, _whole(events, place, KEY_BYTES))
            case child.RESET:
                now = _whole(events, place, POSITION_BYTES)
                yield Event(code, now)
            case child.ASKED | child.FOUND | child.TOLD | child.KNOWN:
                yield Event(code, now, _whole(events, place + 1, KEY_BYTES), events[place])
            case _:
                yield Event(code, now)
        place += more


def _whole(events: bytes, place: int, size: int) -> int:
    return int.from_bytes(events[place : place + size], "little")
