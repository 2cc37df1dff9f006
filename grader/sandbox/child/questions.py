"""Answers the judge's questions: runs the student's functions and returns plain data.

    {"kind": "solve", "board", "table", "arguments"}
    -> {"answer", "jumps", "states", "longest_chain", "board"}
        Run peg_solve on a board, with or without a table. The integers in `arguments` are passed last. The
        boards in "recorded", if any, are in the table at the start.
    {"kind": "kept", ...}
    -> {"kept"}
        Run peg_solve, then return the last keys in its table, in 64 bits each, in base64.
    {"kind": "recorded", "boards", ...}
    -> {"made", "moves", "keys", "hashes"}
        Run peg_solve on boards without a jump; `keys` has the one key that its table then holds, for each.
    {"kind": "growth", ...}
    -> the answer to "solve", with {"step", "pegs", "chains"}
        Run peg_solve, then return how its table grew; see growth.py.
    {"kind": "winning", "board", "jumps"}
    -> {"size", "table"}
        Run fill_winning on a board, and return the keys in its table.
    {"kind": "meet", "board", "winning", "pegs"}
    -> {"met", "jumps", "board"}
        Run meet on a board and a table of the boards `winning`; `met` is 1 or 0.
    {"kind": "ends", "boards"}
    -> {"ends"}
        Return, for each board, on which of its holes can_end_at allows a single peg: 8 * row + col of each.
    {"kind": "rules", "module", "test", "play", "take_back", "by_step", "alone", "boards"}
    -> {"steps", "allowed", "played"}
        Ask functions of peg1.py, by name, which jumps they allow on each board; play some of these, then take
        them back. If `by_step`, they take a step, not a direction; if `alone`, jumps may start anywhere.
    {"kind": "walk", "board", "table", "arguments"}
    -> {"number", "noted", "board", "error"}
        Return what peg_solve writes to the board; see plain_run.py.
    {"kind": "trace", "module", "board", ...}
    -> {"number", "functions", "calls", "events", "board", "error"}
        Return all that peg_solve does; see trace.py.
    {"kind": "film", ..., "film_s"}
    -> {"number", "error", "calls", "others", "film", "ended", "jumps", "pushed"}
        Return all that peg_solve does on boards of any size, packed; see film.py.
    {"kind": "client", "made", "moves", "boards", "hash"}
    -> {"made", "moves", "keys", "hashes"}
        Run the functions of client.py. `made` has the moves to make, each as the numbers of its rows and
        columns; `moves` has the moves to take apart.
    {"kind": "lab10", ...}
        See lab_questions.py.
    {"kind": "several", "questions"}
        Ask all questions, one after the other. The answer is the first error, or else the last answer.

The judge does not trust these answers: it checks each of them.
"""

import binascii
import contextlib
import inspect
import sys
from array import array
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.film import film
from grader.sandbox.child.growth import growth
from grader.sandbox.child.lab_questions import ask_lab
from grader.sandbox.child.plain_run import walk
from grader.sandbox.child.trace import trace

CELLS = bytes.maketrans(b".o*", b"\xff\x00\x01")
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
MAX_JUMPS = 64  # a board of 64 cells has fewer
MAX_KEYS = 150_000  # keys of one table in an answer
MOST_KEPT = 300_000  # keys of a search's table in an answer; 3.2 MB in base64
SAMPLED_CHAINS = 500
MOVE_PARTS = ("row_start", "col_start", "row_end", "col_end")
Tell = Callable[[dict[str, Any]], object]
HASH_BITS = (1 << 32) - 1  # more than any table has chains; in plain Python a hash has no bound


# ---- requests ------------------------------------------------------------------------------------


def check_int(value: object, what: str) -> int:
    """Return `value` if its type is exactly int, not a subclass or a numpy integer; else raise BadReturn."""
    if type(value) is not int:
        raise describe.BadReturn(f"{what} returned {describe.shown(value, 200)}")
    if not -(2**63) <= value < 2**63 and what != "key_hash":
        raise describe.BadReturn(
            f"{what} returned a number of {value.bit_length()} bits; an int64 has 63 bits and a sign"
        )
    return value


def guarded(position: Any) -> tuple[Any, Any]:
    """Return a copy of the board that lies in memory between cells that look empty, and these cells.

    Compiled code does not check bounds. Past the board's end it always finds the same empty cells, so the
    verdict is the same everywhere, and a jump off the board is reported as such.
    """
    from framework.arrays import np

    cells = position.size
    memory = np.zeros(3 * cells, dtype=position.dtype)
    board = memory[cells : 2 * cells].reshape(position.shape).view(type(position))
    board[:] = position
    return board, (memory[:cells], memory[2 * cells :])


def read_cells(texts: list[str]) -> Iterator[Any]:
    """Yield the boards that the judge wrote, like `parse_board`, but in a tenth of the time.

    Plain Python gets only few boards; there `parse_board` reads them, with all its checks.
    """
    from framework import board
    from framework.arrays import np

    for text in texts:
        if __debug__:
            yield board.parse_board(text)
        else:
            cells = bytearray(text.encode().translate(CELLS, b" \n"))
            yield np.frombuffer(cells, dtype=np.int8).reshape(board.SIZE, board.SIZE)


def plain(function: Any) -> Any:
    """Return the Python function behind a compiled one; a few calls are not worth compiling for."""
    return getattr(function, "py_func", function)


def taken_apart(move: int, client: ModuleType) -> list[int]:
    """Return the four numbers of a move, which the client's functions compute, always as plain Python."""
    return [check_int(plain(getattr(client, part))(move), part) for part in MOVE_PARTS]


def meaning(move: int, client: ModuleType) -> list[int]:
    """Return the four numbers of a move on the stack, as the course says, or else as the client says."""
    from framework.rules import MOVE_BASE, MOVE_ORDER

    if not MOVE_ORDER:
        return taken_apart(move, client)
    digits = {}
    for part in MOVE_ORDER[:0:-1]:
        move, digits[part] = divmod(move, MOVE_BASE)
    digits[MOVE_ORDER[0]] = move
    return [int(digits[part]) for part in MOVE_PARTS]


def solve(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run `peg_solve` on one board."""
    return _solve(request, module, client)[0]


def kept(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run `peg_solve` on one board, and return what its table holds; the judge names no other board here."""
    _, table = _solve(request, module, client)
    size = int(table.state[0])
    first = max(1, size + 1 - MOST_KEPT)  # the last keys are those beside a solution
    keys = array("q", table.keys[first : first + MOST_KEPT].tolist())
    while len(keys) > size and keys[-1] == 0:  # whatever size the program has set
        keys.pop()
    return {"kept": binascii.b2a_base64(keys.tobytes(), newline=False).decode()}


def recorded(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run `peg_solve` on boards without a jump, and return the key under which it records each."""
    keys = []
    for text in request["boards"]:
        _, table = _solve({**request, "board": text}, module, client)
        [key] = table.keys[1 : int(table.state[0]) + 1].tolist()
        keys.append(key)
    return {"made": [], "moves": [], "keys": keys, "hashes": []}


def solve_and_grow(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run `peg_solve` on one board, and return how its table grew, too."""
    answer, table = _solve(request, module, client)
    return {**answer, **growth(table, request["board"], client)}


def _solve(request: dict[str, Any], module: ModuleType, client: Any) -> tuple[dict[str, Any], Any]:
    """Return the answer of `peg_solve` on one board, and its table."""
    from framework import board, hash_table, stack

    if request["table"] and not hasattr(client, "key_hash"):
        raise AttributeError("client.py defines no key_hash, which the hash table needs")
    position, outside = guarded(board.parse_board(request["board"]))
    cells = position.view()  # stays 8 x 8 whatever shape the student's code gives the board
    moves = stack.stack_new()
    table = hash_table.ht_new(1) if request["table"] else None
    for recorded in read_cells(request.get("recorded", [])):
        plain(hash_table.ht_insert)(table, check_int(client.board_key(recorded), "board_key"))
    arguments = [position, moves, *([] if table is None else [table]), *request["arguments"]]
    answer = check_int(module.peg_solve(*arguments), "peg_solve")
    stay_inside(outside)
    jumps = popped(moves, client)
    frame: dict[str, Any] = {"answer": answer, "jumps": jumps, "states": None, "longest_chain": None}
    if table is not None:
        frame["states"] = plain(hash_table.ht_size)(table)
        frame["longest_chain"] = int(plain(hash_table.ht_chain_lengths)(table, SAMPLED_CHAINS)[11])
    frame["board"] = board.format_board(cells)
    return frame, table


def popped(moves: Any, client: ModuleType) -> list[list[int]]:
    """Return the jumps on a stack, the top one first, but no more than a board allows."""
    from framework import stack

    jumps: list[list[int]] = []
    while not plain(stack.stack_empty)(moves) and len(jumps) < MAX_JUMPS:
        jumps.append(meaning(plain(stack.pop)(moves), client))
    return jumps


def function(module: ModuleType, name: str) -> Any:
    """Return a function of a task's module."""
    if not hasattr(module, name):
        raise NotImplementedError(f"{module.__name__}: {name} is not written yet")
    return getattr(module, name)


def check_bool(value: object, what: str) -> bool:
    """Return `value` if it is a truth value, or the number 0 or 1; else raise BadReturn."""
    if type(value).__name__ not in ("bool", "bool_", "int") or value not in (0, 1):
        raise describe.BadReturn(f"{what} returned {describe.shown(value, 200)}; expected True or False")
    return bool(value)


def stay_inside(outside: tuple[Any, Any]) -> None:
    """Raise IndexError if a program wrote beside the board; see `guarded`."""
    if any(part.any() for part in outside):
        raise IndexError("the program writes to cells outside of the board")


def fill_winning(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Have the student's `fill_winning` fill a table; return its size and at most MAX_KEYS of its keys."""
    from framework import board, hash_table

    position, outside = guarded(board.parse_board(request["board"]))
    table = hash_table.ht_new(1)
    function(module, "fill_winning")(position, table, request["jumps"])
    stay_inside(outside)
    size = plain(hash_table.ht_size)(table)
    return {"size": size, "table": table.keys[1 : min(size, MAX_KEYS) + 1].tolist()}


def meet(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Have the student's `meet` search for the boards in a table that the judge has filled."""
    from framework import board, hash_table, stack

    position, outside = guarded(board.parse_board(request["board"]))
    cells = position.view()
    moves, winning, unsolvable = stack.stack_new(), hash_table.ht_new(1), hash_table.ht_new(1)
    for each in read_cells(request["winning"]):
        plain(hash_table.ht_insert)(winning, check_int(client.board_key(each), "board_key"))
    met = function(module, "meet")(position, moves, winning, request["pegs"], unsolvable)
    stay_inside(outside)
    met = check_bool(met, "meet")
    states = plain(hash_table.ht_size)(unsolvable)
    return {
        "met": int(met),
        "states": states,
        "jumps": popped(moves, client),
        "board": board.format_board(cells),
    }


def ends(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Ask the student's `can_end_at` about each hole of some boards."""
    can_end_at = function(module, "can_end_at")
    found, changed = [], 0
    for position in read_cells(request["boards"]):
        before, allowed = position.tolist(), []
        for row, col in ((row, col) for row, cells in enumerate(before) for col in range(len(cells))):
            if before[row][col] != -1:
                given = position.copy()
                if check_bool(can_end_at(given, row, col), "can_end_at"):
                    allowed.append(len(before) * row + col)
                changed |= given.tolist() != before
        found.append(allowed)
    return {"ends": found, "changed": int(changed)}


def rules(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Ask the functions of peg1 which jumps they allow; play the first in each direction, and take it back.

    With `-d` the contracts are off here, because some of these calls pass arguments that violate them.
    """
    from framework import board

    peg1 = sys.modules.get(request["module"], module)
    functions = [getattr(peg1, request[name]) for name in ("test", "play", "take_back")]
    functions = [*map(inspect.unwrap, functions)] if __debug__ else functions
    can_jump, play, take_back = map(_with_step, functions) if request["by_step"] else functions
    steps = _steps(None if request["by_step"] else peg1, can_jump)
    allowed: list[list[Any]] = []
    played: list[list[Any]] = []
    for number, text in enumerate(request["boards"]):
        start = board.parse_board(text)
        cells = [(row, col) for row in range(board.SIZE) for col in range(board.SIZE)]
        pegs = cells if request["alone"] else [cell for cell in cells if start[cell] == 1]
        allowed.append([])
        for direction, (row_step, col_step) in enumerate(steps):
            with_jump = [peg for peg in pegs if _allows(can_jump, guarded(start)[0], *peg, direction)]
            allowed[-1] += [[row, col, row + 2 * row_step, col + 2 * col_step] for row, col in with_jump]
            for row, col in with_jump[:1]:
                position, _ = guarded(start)
                with contextlib.suppress(IndexError, ValueError):  # as plain Python checks what is set
                    play(position, row, col, direction)
                    after = board.format_board(position)
                    take_back(position, row, col, direction)
                    jump = row, col, row + 2 * row_step, col + 2 * col_step
                    played.append([number, jump, after, board.format_board(position)])
    return {"steps": steps, "allowed": allowed, "played": played}


def _with_step(function: Any) -> Any:
    """Return a function of a direction's number for one of a direction's step."""
    return lambda board, row, col, direction: function(board, row, col, *STEPS[direction])


def _steps(peg1: ModuleType | None, can_jump: Any) -> list[tuple[int, int]]:
    """Return the step of each direction: as peg1 names them, or as `can_jump` allows a jump on its own."""
    if peg1 and hasattr(peg1, "ROW_STEP") and hasattr(peg1, "COL_STEP"):
        return list(zip(peg1.ROW_STEP, peg1.COL_STEP, strict=True))[: getattr(peg1, "DIRECTIONS", 4)]
    from framework import board

    left = [*STEPS]
    found: dict[int, tuple[int, int]] = {}
    for direction in range(len(left)):
        for step in left:
            lines = [["."] * 8 for _ in range(8)]
            for far, cell in enumerate("**o"):
                lines[3 + far * step[0]][3 + far * step[1]] = cell
            position, _ = guarded(board.parse_board("\n".join(map(" ".join, lines))))
            if _allows(can_jump, position, 3, 3, direction):
                found[direction] = step
                left.remove(step)
                break
    if len(left) == 1:  # the only direction in which it allows none
        found[next(each for each in range(4) if each not in found)] = left.pop()
    return [found[direction] for direction in range(4)]


def _allows(can_jump: Any, position: Any, row: int, col: int, direction: int) -> bool:
    """Return whether `can_jump` allows a jump; False if plain Python stops it from reading off the board."""
    try:
        return bool(can_jump(position, row, col, direction))
    except IndexError:
        return False


def run_client(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run the client's functions on the judge's moves and boards."""
    made = [check_int(client.move_new(*numbers), "move_new") for numbers in request["made"]]
    moves = [taken_apart(move, client) for move in request["moves"]]
    keys, hashes = [], []
    for position in read_cells(request["boards"]):
        key = check_int(client.board_key(position), "board_key")
        keys.append(key)
        if request["hash"]:
            hashes.append(check_int(client.key_hash(key), "key_hash") & HASH_BITS)
    return {"made": made, "moves": moves, "keys": keys, "hashes": hashes}


def ask(request: dict[str, Any], module: ModuleType, client: Any, tell: Tell) -> dict[str, Any]:
    """Return the answer to a question.

    Args:
        request: the question.
        module: the task's own module.
        client: the client's module, or None.
        tell: sends an answer at once, for a program that may go on when it is ended.
    """
    if request["kind"] == "several":
        return ask_all(request["questions"], module, client, tell)
    if request["kind"] == "film":
        return film(request, module, client, tell, meaning)
    return _KINDS[request["kind"]](request, module, client)


def ask_all(requests: list[dict[str, Any]], module: ModuleType, client: Any, tell: Tell) -> dict[str, Any]:
    """Ask every question, even if an earlier one fails; return the last answer, or raise the first error."""
    answer: dict[str, Any] = {}
    error: Exception | None = None
    for request in requests:
        try:
            answer = ask(request, module, client, tell)
        except Exception as found:
            error = error or found
    if error is not None:
        raise error
    return answer


_KINDS: dict[str, Callable[[dict[str, Any], ModuleType, Any], dict[str, Any]]] = {
    "solve": solve,
    "kept": kept,
    "recorded": recorded,
    "growth": solve_and_grow,
    "winning": fill_winning,
    "meet": meet,
    "ends": ends,
    "rules": rules,
    "walk": walk,
    "trace": trace,
    "client": run_client,
    "lab10": ask_lab,
}
