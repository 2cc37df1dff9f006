"""Messages about the table of unsolvable boards: which board should not be in it, and which is missing."""

from collections.abc import Sequence

from framework.board import Board
from framework.jumps import Jump, format_jump
from grader.catalog.tasks import Task, has_earlier_search
from grader.messages.illegal_jumps import jump_cell, marked
from grader.messages.message import Message
from grader.messages.phrases import count, drawn

FOR_THE_TABLE = "this board's points require a table that holds the positions you searched"
FOR_TRUE_TABLE = "this board's points require a table in which no board can win"
NO_TABLE_HOLDS = (
    "right, but the points need a memory, and no table that was looked into holds what your program searched"
)
SHARED_KEY = "board_key gives another board the same key: fix that first; to test your keys: grade client"
MANY = 6  # cells: if there are more, the others are only counted


def can_still_win(
    board: Board, made: int, jump: Jump | None, endings: Sequence[tuple[int, int]], task: Task, exact: bool
) -> Message:
    """Return the message for a table that holds a board that can be solved.

    Args:
        board: that board.
        made: how many jumps were made before it.
        jump: a jump that wins; None if the board is solved already.
        endings: the cells on which its last peg can end.
        task: the task.
        exact: whether the answer must be exactly the fewest pegs, so that no search may stop early.
    """
    if jump is None:
        return Message(
            "solved-in-table",
            "\n".join([f"{_which(made)} is solved, but it is in your table:", *drawn(board)]),
            "a board of one peg is solved, so it must never be inserted",
        )
    lines = [
        f"{_which(made)} can still win, but it is in your table:",
        *drawn(board, *marked(jump)),
        f"{format_jump(jump)} wins",
    ]
    if has_earlier_search(task):
        cells = ", ".join(jump_cell(cell) for cell in endings[:MANY])
        more = f" and {len(endings) - MANY} more" if len(endings) > MANY else ""
        lines[-1] += f"; the last peg ends on {cells}{more}"
    return Message("winning-in-table", "\n".join(lines), _why_recorded(task, exact))


def _why_recorded(task: Task, exact: bool) -> str:
    """Return why a board that can be solved may be in the table, and what to do."""
    if has_earlier_search(task):
        return (
            "was that jump tried? if so, a board after it is missing from your table of boards that can win: "
            "start that table from the boards with a single peg, one for each hole of the board's class, and "
            "take back every possible jump from there; if that jump was not tried, this board must not be "
            "inserted"
        )
    if exact:
        return (
            "was that jump tried? insert a board only after trying all of its jumps, under the key it "
            "had before them; boards may share a key only if turning or mirroring the one, holes and all, "
            "gives the other"
        )
    return (
        "was that jump tried? if the search stops before it, the board must not be inserted; boards may "
        "share a key only if turning or mirroring the one, holes and all, gives the other"
    )


def all_true(keys: int) -> Message:
    """Return the message for a table that is right, so that the search must have ended too soon."""
    return Message(
        "table-all-true",
        f"your table is not to blame: none of its {count(keys, 'board')} can win",
        "the search ends too soon: it must go on until the board is solved or is itself in the table",
    )


def not_tried(board: Board, made: int, jump: Jump) -> Message:
    """Return the message for a board that was recorded before all of its jumps were tried."""
    return Message(
        "recorded-too-early",
        "\n".join(
            [
                f"{_which(made)} is in your table, but the board after {format_jump(jump)} is not:",
                *drawn(board, *marked(jump)),
            ]
        ),
        "was that jump tried? insert a board only after trying all of its jumps, under the key it had "
        "before them",
    )


def missing(
    recorded: int, positions: int, board: Board, made: int, only_stuck: bool, shifted: bool
) -> Message:
    """Return the message for a table that lacks a board, so that the board is searched again and again.

    Args:
        recorded: how many positions are in the table.
        positions: how many positions there are.
        board: the first that should be in the table and is not.
        made: how many jumps were made before it.
        only_stuck: whether the table holds only positions without a jump.
        shifted: whether all positions without a jump are in the table, but the starting board is not.
    """
    head = f"{recorded:,} of {positions:,} positions are in your table"
    if only_stuck:
        head += ", all of them without a jump"
        id, help = (
            "table-lacks-boards-with-jumps",
            "a board that has jumps must be inserted too, once all of them have failed",
        )
    elif recorded > 0.9 * positions:  # a wrong key would lose more
        head = f"{positions - recorded:,} of {positions:,} positions are missing from your table, as if a "
        head += "loop ended early"
        id = "table-lacks-few"
        help = (
            "does every way out of your search insert the board first, and is every jump tried before it? a "
            "break or a return inside a loop ends the loop early"
        )
    else:
        if shifted:
            head += ", as if the board after a jump was inserted in place of the board before it"
        id = "table-lacks"
        help = (
            "after the last jump of a board is taken back, insert this board, under the key that it had "
            "before its first jump"
        )
    lines = [
        f"{head}; this board, reached after {count(made, 'jump')}, is missing:",
        *drawn(board),
        "several lines of play lead to it, so it is searched more than once",
    ]
    return Message(id, "\n".join(lines), help)


def too_many(states: int, positions: int) -> str:
    """Return a line on keys that no position has; empty if there may be none."""
    if states <= positions:
        return ""
    return f"\nyour table holds {states:,} keys, but only {positions:,} different positions can be reached"


def drawn_missing(states: int, positions: int) -> Message:
    """Return the message for a table that lacks positions that every search of the board must record.

    It names none of them, since other ones are drawn each time.

    Args:
        states: the table's size, as the program reports it.
        positions: how many positions can be reached.
    """
    return Message(
        "drawn-missing",
        "right, but positions that your search must have met, drawn by chance, are missing from your table"
        + too_many(states, positions),
        "after the last jump of a board is taken back, insert this board, under the key that it had before "
        "its first jump; no other key belongs in the table",
    )


def strange_found() -> Message:
    """Return the message for a table in which boards are found that no search of this board meets."""
    return Message(
        "strange-in-table",
        "right, but boards that cannot be reached, drawn by chance, are found in your table",
        "insert only boards that your search gives up, and leave the table's functions as they are; to test "
        "whether different boards get different keys: grade client",
    )


TABLE_USE = "look each board up before you search it, and insert it when all its jumps have failed"


def none_recorded(name: str) -> Message:
    """Return the message for a search that leaves its table empty."""
    return Message(
        "none-recorded",
        f"your search records no board: its table stays empty on the unsolvable board {name}",
        TABLE_USE,
    )


def under_other_keys(name: str, keys: int, hashed: bool) -> Message:
    """Return the message for a table in which no board can be found by its key.

    Args:
        name: the board that was searched.
        keys: how many keys the table holds.
        hashed: whether each is the `key_hash` of a board's key.
    """
    if hashed:
        return Message(
            "hashes-in-table",
            f"on the board {name} your table holds the key_hash of each board in place of its board_key, so "
            "no board is found again",
            "insert board_key(board) itself: the table calls key_hash to choose a chain",
        )
    return Message(
        "other-keys-in-table",
        f"on the board {name} your table holds {count(keys, 'key')}, but none of them is the board_key of a "
        "board that can be reached",
        "insert a board under the same key that you look it up by: board_key(board)",
    )


def never_looked_up(name: str) -> Message:
    """Return the message for a search that records boards and searches them again all the same."""
    return Message(
        "never-looked-up",
        f"your search does not stop at boards that are in its table: when the table already holds every "
        f"position of {name}, it still searches them",
        TABLE_USE,
    )


def wrong_way_round(name: str) -> Message:
    """Return the message for a search that gives up the boards that are not in its table."""
    return Message(
        "gives-up-unknown",
        f"your search gives up boards that are not in the table, instead of those that are: it solves {name} "
        "only if all positions are in the table from the start",
        "give up a board only when ht_lookup finds it",
    )


def counts_as_solved(name: str) -> Message:
    """Return the message for a search that answers 1 for a board in its table."""
    return Message(
        "counts-as-solved",
        "your search answers 1 (solved) for a board that is in the table: it does so for "
        f"{name} if all positions are in the table from the start",
        "return the number of pegs, not 1, for a board that ht_lookup finds",
    )


def _which(made: int) -> str:
    """Return the words that refer to the drawn board: `after jump N this board`, or `this board itself`."""
    return f"after jump {made} this board" if made else "this board itself"


def left_out(name: str) -> Message:
    """Return the message for a solved board whose table has boards with jumps left out, as on `name`."""
    return Message(
        "jumps-left-out",
        "solved, but your table holds boards of which some jumps were left out: "
        f"on {name} such a board can win",
        "to try the best jumps first is an order; to try only the best is none: search all jumps of a board "
        "before you insert it",
    )


def set_back(size: int, keys: int) -> Message:
    """Return the message for a table that holds more boards than its size says."""
    return Message(
        "size-set-back",
        f"your table holds at least {count(keys, 'board')}, while its size says {size:,}",
        "leave the size to ht_insert: no other function may change it",
    )
