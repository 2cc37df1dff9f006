"""Note what a search does, as it runs as plain Python: its calls, its board and its tables.

What happens is noted in order of time, one event after another. An event is a byte, see the constants below,
and what belongs to it. A position is 8 bytes, bit 8 * row + col for each peg; a key is its number in order of
appearance, 3 bytes; a table is a byte, 0 for the one that peg_solve was given. A byte of CELL or more says
that a cell of the board was set: CELL + cell for empty, CELL + 64 + cell for a peg.
"""

import functools
from typing import Any

CALL_NOW, CALL, RETURN, UNWIND, ASKED, FOUND, TOLD, KNOWN, KEY_NOW, KEY, RESET = range(11)
CELL = 128
FALSE, TRUE, NONE, OTHER = 251, 252, 253, 254  # returned values; smaller ones are numbers of pegs
MOST_CALLS = 200_000
MOST_BYTES = 6 << 20  # of events
MOST_KEYS = 1 << 24


def _nothing() -> None:
    """Stand for a function whose calls are not noted."""


class Enough(BaseException):
    """Ends a program of which enough is recorded."""


class Notes:
    """The events of one run.

    Attributes:
        board: the board that peg_solve was given; what is written to it is noted.
        now: its position, as far as it was seen.
        calls: how many calls of the search were noted.
        others: how many calls were not, since they began at boards far from the start.
        ended: why recording ended early: "full" or "time"; empty if it did not.
    """

    def __init__(self, text: str) -> None:
        from framework import board

        self.events = bytearray()
        self._positions: dict[bytes, int] = {}
        self.board = _board_type(self)(board.parse_board(text))
        self.now = self.position(self.board)
        self._fewest_at_first = self.now.bit_count() - 1
        self.calls = self.others = 0
        self.ended = ""
        self._keys: dict[int, int] = {}  # the number of each key
        self._boards: dict[int, int] = {}  # the position of which each key was computed last
        self._tables: dict[int, tuple[int, Any]] = {}  # with the table, so that its id stays its own
        self._inside: Any = None  # the search, while it runs

    def add(self, *codes: int) -> None:
        """Note an event; end the program once the film is full."""
        self.events += bytes(codes)
        if len(self.events) > MOST_BYTES:
            self.end("full")

    def end(self, why: str) -> None:
        """End the program."""
        self.ended = self.ended or why
        raise Enough

    def position(self, board: Any) -> int:
        """Return the position on a board, or on a copy that the program made."""
        cells = (board == 1).tobytes() if board.dtype.itemsize > 1 else board.tobytes()
        found = self._positions.get(cells)
        if found is None:
            found = sum(1 << cell for cell, value in enumerate(cells) if value == 1)
            self._positions[cells] = found
        return found

    def see_board(self) -> None:
        """Note how the board is now if that is not known yet."""
        position = self.position(self.board)
        if position != self.now:
            self.now = position
            self.add(RESET, *_position_bytes(position))

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
            board = next((each for each in (*args, *named.values()) if _is_board(each)), None)
            if board is None:
                return function(*args, **named)
            # A search begins at the board or after its first jump; others fill a table from the ends, say.
            notes = outside is not None or self.position(board).bit_count() >= self._fewest_at_first
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
        if board is self.board:
            self.see_board()
            self.add(CALL_NOW)
        else:
            position = self.position(board)
            self.add(CALL, *_position_bytes(position))

    def board_key(self, function: Any) -> Any:
        """Return the client's function that notes of which board each key is."""

        @functools.wraps(function)
        def noted(board: Any) -> Any:
            key = function(board)
            if type(key) is int and _is_board(board):
                position = self.position(board)
                if self._boards.get(key) != position:
                    self._boards[key] = position
                    number = self._number_of(key)
                    if board is self.board and position == self.now:
                        self.add(KEY_NOW, *number)
                    else:
                        self.add(KEY, *number, *_position_bytes(position))
            return key

        return noted

    def ht_lookup(self, function: Any) -> Any:
        """Return the table's function that notes what is looked up."""

        @functools.wraps(function)
        def noted(table: Any, key: int) -> bool:
            found: bool = function(table, key)
            self.add(FOUND if found else ASKED, self._table(table), *self._number_of(key))
            return found

        return noted

    def ht_insert(self, function: Any) -> Any:
        """Return a version of the table's insert function that records what is inserted."""

        @functools.wraps(function)
        def noted(table: Any, key: int) -> None:
            size = int(table.state[0])
            function(table, key)
            self.add(TOLD if table.state[0] > size else KNOWN, self._table(table), *self._number_of(key))

        return noted

    def take(self, table: Any) -> None:
        """Make `table` the one with number 0."""
        self._table(table)

    def _table(self, table: Any) -> int:
        number, _ = self._tables.setdefault(id(table.state), (len(self._tables), table))
        return min(number, 255)

    def _number_of(self, key: int) -> bytes:
        number = self._keys.setdefault(int(key), len(self._keys))
        if number >= MOST_KEYS:
            self.end("full")
        return number.to_bytes(3, "little")


# ---- the board ---------------------------------------------------------------------------------


def _is_board(value: Any) -> bool:
    return getattr(value, "shape", None) == (8, 8) and hasattr(value, "dtype")


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


def _board_type(noted: Notes) -> Any:
    """Return the type of a board that notes what is set, and reads its cells fast."""
    from framework import board
    from framework.arrays import np

    places = {(row, col): board.SIZE * row + col for row in range(board.SIZE) for col in range(board.SIZE)}
    set_cell = np.ndarray.__setitem__

    class CheckedBoard(board.CheckedBoard):  # under its usual name, for messages
        is_whole = False

        def __new__(cls, made_of: Any) -> Any:
            made = np.ndarray.__new__(cls, (board.SIZE, board.SIZE), np.int8)
            set_cell(made, slice(None), made_of)
            made.is_whole = True
            return made

        def __array_finalize__(self, made_of: Any) -> None:
            self.is_whole = (
                self.base is None and self.shape == (board.SIZE, board.SIZE) and self.itemsize == 1
            )

        def __getitem__(self, index: Any) -> Any:
            if self.is_whole:
                try:
                    return self.item(places[index])
                except (KeyError, TypeError):
                    pass  # off the board, or not one cell
            return super().__getitem__(index)

        def __setitem__(self, index: Any, value: Any) -> None:
            if self.is_whole and type(value) is int and 0 <= value <= 1:
                try:
                    place = places[index]
                except (KeyError, TypeError):
                    place = None
                if place is not None and self.item(place) >= 0:
                    set_cell(self, index, value)
                    if self is noted.board:
                        bit = 1 << place
                        noted.now = noted.now | bit if value else noted.now & ~bit
                        noted.add(CELL + 64 * value + place)
                    return
            super().__setitem__(index, value)
            if self is noted.board or self.base is noted.board:
                noted.see_board()

    return CheckedBoard
