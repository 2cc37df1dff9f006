"""Note what a search does, as it runs as plain Python: its calls, its board, its tables and its stack.

What happens is noted in order of time, one event after another. An event is a byte, see the constants below,
and what belongs to it. A position is 8 bytes, bit 8 * row + col for each peg; a key is its number in order of
appearance, 3 bytes; a table is a byte, 0 for the one that peg_solve was given; a move is its number in order
of appearance, a byte. A byte of CELL or more says that a cell of the board was set: CELL + cell for empty,
CELL + 64 + cell for a peg.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from grader.sandbox.child.plain_run import ELSEWHERE, GIVEN, PEG, Enough, PlainRun, is_board, pegs_of

CALL_NOW, CALL, RETURN, UNWIND, ASKED, FOUND, TOLD, KNOWN, KEY_NOW, KEY, RESET, PUSHED, POPPED = range(13)
CELL = 128
FALSE, TRUE, NONE, OTHER = 251, 252, 253, 254  # returned values; smaller ones are numbers of pegs
MOST_CALLS = 200_000
MOST_BYTES = 6 << 20  # of events
MOST_KEYS = 1 << 24
MOST_MOVES = 255  # different ones; a board has fewer jumps. Further ones are noted with this number


def _nothing() -> None:
    """Stand for a function whose calls are not noted."""


class Notes:
    """The events of one run."""

    def __init__(self) -> None:
        self.events = bytearray()  # the events
        self.now = 0  # the position of the board that peg_solve was given, as far as it was seen
        self.calls = 0  # of the search, that were noted
        self.others = 0  # that were not, since they began at boards far from the start
        self.moves: dict[int, int] = {}  # the different ones that were pushed, in order, with their numbers
        self.ended = ""  # why recording ended early: "full" or "time"; empty if it did not
        self._keys: dict[int, int] = {}  # the number of each key
        self._boards: dict[int, int] = {}  # the position of which each key was computed last
        self._tables: dict[int, tuple[int, Any]] = {}  # with the table, so that its id stays its own
        self._inside: Any = None  # the search, while it runs

    def begin(self, run: PlainRun) -> None:
        """Take the arguments of the run to come."""
        self._board, self._items = run.board, run.moves.items
        self.now = pegs_of(run.board)
        self._fewest_at_first = self.now.bit_count() - 1
        for table in run.tables:
            self._table(table)

    def add(self, *codes: int) -> None:
        """Note an event; end the program once the film is full."""
        self.events += bytes(codes)
        if len(self.events) > MOST_BYTES:
            self.end("full")

    def end(self, why: str) -> None:
        """End the program."""
        self.ended = self.ended or why
        raise Enough

    def see_board(self) -> None:
        """Note how the board is now if that is not known yet."""
        position = pegs_of(self._board)
        if position != self.now:
            self.now = position
            self.add(RESET, *_position_bytes(position))

    def cell_set(self, what: int, place: int, old: int, new: int, array: Any) -> None:
        """Note what was set, see `noting_board`."""
        if what == ELSEWHERE:
            return
        if what != GIVEN or place < 0:
            self.see_board()
            return
        bit = 1 << place
        self.now = self.now | bit if new == PEG else self.now & ~bit
        self.add(CELL + 64 * (new == PEG) + place)

    # ---- what the student's functions do ---------------------------------------------------------

    def search(self, function: Any) -> Any:
        """Return a recursive function that notes its calls with a board.

        If several functions call one another, only the calls of the first one are noted.
        """

        @functools.wraps(function)
        def noted(*args: Any, **named: Any) -> Any:
            outside = self._inside
            if outside is not None and outside is not function:
                return function(*args, **named)
            board = next((each for each in (*args, *named.values()) if is_board(each)), None)
            if board is None:
                board = _board_around(function)
            if board is None:
                return function(*args, **named)
            # A search begins at the board or after its first jump; others fill a table from the ends, say.
            notes = outside is not None or pegs_of(board).bit_count() >= self._fewest_at_first
            self._inside = function if notes else _nothing
            try:
                if notes:
                    self._call(board)
                else:
                    self.others += 1
                value = function(*args, **named)
                if notes:
                    self.add(RETURN, _value_byte(value))
                return value
            except BaseException:
                if notes and not self.ended:
                    self.add(UNWIND)
                raise
            finally:
                self._inside = outside

        return noted

    def _call(self, board: Any) -> None:
        if self.calls == MOST_CALLS:
            self.end("full")
        self.calls += 1
        if board is self._board:
            self.see_board()
            self.add(CALL_NOW)
        else:
            self.add(CALL, *_position_bytes(pegs_of(board)))

    def after(self, function: Any, note: Callable[..., None]) -> Any:
        """Return a function that notes its calls: `note` is given what was returned, and the arguments."""

        @functools.wraps(function)
        def noted(*args: Any, **named: Any) -> Any:
            value = function(*args, **named)
            note(value, *args, **named)
            return value

        return noted

    def key_made(self, key: Any, board: Any) -> None:
        """Note of which board a key is."""
        if type(key) is not int or not is_board(board):
            return
        position = pegs_of(board)
        if self._boards.get(key) != position:
            self._boards[key] = position
            number = self._number_of(key)
            if board is self._board and position == self.now:
                self.add(KEY_NOW, *number)
            else:
                self.add(KEY, *number, *_position_bytes(position))

    def looked_up(self, found: bool, table: Any, key: int) -> None:
        """Note that the table was asked for a key."""
        self.add(FOUND if found else ASKED, self._table(table), *self._number_of(key))

    def inserting(self, function: Any) -> Any:
        """Return the table's function that notes what is inserted, and whether it was there already."""

        @functools.wraps(function)
        def noted(table: Any, key: int) -> None:
            size = int(table.state[0])
            function(table, key)
            self.add(TOLD if table.state[0] > size else KNOWN, self._table(table), *self._number_of(key))

        return noted

    def pushed(self, _: None, stack: Any, item: int) -> None:
        """Note what was pushed."""
        if stack.items is self._items:
            number = self.moves.get(item, MOST_MOVES)
            if number == MOST_MOVES and len(self.moves) < MOST_MOVES:
                number = self.moves[item] = len(self.moves)
            self.add(PUSHED, number)

    def popped(self, _: Any, stack: Any) -> None:
        """Note that something was popped."""
        if stack.items is self._items:
            self.add(POPPED)

    def _table(self, table: Any) -> int:
        number, _ = self._tables.setdefault(id(table.state), (len(self._tables), table))
        return min(number, 255)

    def _number_of(self, key: int) -> bytes:
        number = self._keys.setdefault(int(key), len(self._keys))
        if number >= MOST_KEYS:
            self.end("full")
        return number.to_bytes(3, "little")


def _board_around(function: Any) -> Any:
    """Return the board that a function inside another one takes from there; None if it takes none."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # nothing is in it yet
            if is_board(cell.cell_contents):
                return cell.cell_contents
    return None


def _position_bytes(position: int) -> bytes:
    return position.to_bytes(8, "little")


def _value_byte(value: Any) -> int:
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return TRUE if value else FALSE
    if value is None:
        return NONE
    try:
        return int(value) if 0 <= int(value) < FALSE else OTHER
    except Exception:
        return OTHER
