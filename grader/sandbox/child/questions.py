"""Answers the judge's questions: runs the student's functions and returns plain data.

    {"kind": "solve", "board", "table", "arguments"}   peg_solve on a board, with a table or none, and these
                                                       integers after the other arguments
    -> {"answer", "jumps", "states", "longest_chain", "board"}
    {"kind": "client", "made", "moves", "boards", "hash"}      the functions of client.py: moves to make, as
                                                       numbers of rows and columns, and to take apart
    -> {"made", "moves", "keys", "hashes"}
    {"kind": "lab10", ...}                             see lab_questions.py
    {"kind": "several", "questions"}                   one after the other; returns the last answer

The judge trusts nothing that is sent from here: it checks every answer.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.lab_questions import ask_lab

CELLS = bytes.maketrans(b".o*", b"\xff\x00\x01")
MAX_JUMPS = 64  # a board of 64 cells has fewer
SAMPLED_CHAINS = 500
MOVE_PARTS = ("row_start", "col_start", "row_end", "col_end")
HASH_BITS = (1 << 32) - 1  # more than any table has chains; in plain Python a hash has no bound


# ---- requests ------------------------------------------------------------------------------------


def check_int(value: object, what: str) -> int:
    """Return `value` if it is a Python int, and nothing else that looks like one."""
    if type(value) is not int:
        raise describe.BadReturn(f"{what} returned {describe.shown(value, 200)}")
    if not -(2**63) <= value < 2**63 and what != "key_hash":
        raise describe.BadReturn(
            f"{what} returned a number of {value.bit_length()} bits; an int64 has 63 and its sign"
        )
    return value


def guarded(position: Any) -> tuple[Any, Any]:
    """Return a copy of the board in the middle of cells that look empty, and these cells.

    Compiled code does not check bounds. Past the board's end it always finds the same empty cells: so the
    verdict is the same everywhere, and a jump off the board is reported as one.
    """
    import numpy

    cells = position.size
    memory = numpy.zeros(3 * cells, dtype=position.dtype)
    board = memory[cells : 2 * cells].reshape(position.shape).view(type(position))
    board[:] = position
    return board, (memory[:cells], memory[2 * cells :])


def read_cells(text: str) -> Any:
    """Return the board that the judge wrote, like `parse_board`, but in a tenth of the time.

    In plain Python there are few boards, and `parse_board` checks them.
    """
    import numpy

    from framework import board

    if __debug__:
        return board.parse_board(text)
    cells = bytearray(text.encode().translate(CELLS, b" \n"))
    return numpy.frombuffer(cells, dtype=numpy.int8).reshape(board.SIZE, board.SIZE)


def plain(function: Any) -> Any:
    """Return the Python function behind a compiled one; a few calls are not worth compiling for."""
    return getattr(function, "py_func", function)


def taken_apart(move: int, client: ModuleType) -> list[int]:
    """Return the four numbers of a move, by the client's functions, always in plain Python."""
    return [check_int(plain(getattr(client, part))(move), part) for part in MOVE_PARTS]


def solve(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run `peg_solve` on one board."""
    from framework import board, hash_table, stack

    if request["table"] and not hasattr(client, "key_hash"):
        raise AttributeError("client.py defines no key_hash, which the hash table needs")
    position, outside = guarded(board.parse_board(request["board"]))
    cells = position.view()  # stays 8 x 8 whatever shape the student's code gives the board
    moves = stack.stack_new()
    table = hash_table.ht_new(1) if request["table"] else None
    arguments = [position, moves, *([] if table is None else [table]), *request["arguments"]]
    answer = check_int(module.peg_solve(*arguments), "peg_solve")
    if any(part.any() for part in outside):
        raise IndexError("the program writes to cells outside of the board")
    jumps: list[list[int]] = []
    while not plain(stack.stack_empty)(moves) and len(jumps) < MAX_JUMPS:
        jumps.append(taken_apart(plain(stack.pop)(moves), client))
    frame: dict[str, Any] = {"answer": answer, "jumps": jumps, "states": None, "longest_chain": None}
    if table is not None:
        frame["states"] = plain(hash_table.ht_size)(table)
        frame["longest_chain"] = int(plain(hash_table.ht_chain_lengths)(table, SAMPLED_CHAINS)[11])
    frame["board"] = board.format_board(cells)
    return frame


def run_client(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run the client's functions on the judge's moves and boards."""
    made = [check_int(client.move_new(*numbers), "move_new") for numbers in request["made"]]
    moves = [taken_apart(move, client) for move in request["moves"]]
    keys, hashes = [], []
    for text in request["boards"]:
        key = check_int(client.board_key(read_cells(text)), "board_key")
        keys.append(key)
        if request["hash"]:
            hashes.append(check_int(client.key_hash(key), "key_hash") & HASH_BITS)
    return {"made": made, "moves": moves, "keys": keys, "hashes": hashes}


def ask(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return the answer to a question.

    Args:
        request: the question.
        module: the task's own module.
        client: the client's.
    """
    if request["kind"] == "several":
        return [ask(each, module, client) for each in request["questions"]][-1]
    return _KINDS[request["kind"]](request, module, client)


_KINDS: dict[str, Callable[[dict[str, Any], ModuleType, Any], dict[str, Any]]] = {
    "solve": solve,
    "client": run_client,
    "lab10": ask_lab,
}
