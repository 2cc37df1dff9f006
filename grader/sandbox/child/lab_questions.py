"""Answers the judge's questions about lab10.py: searches boards, fills tables, hashes keys.

{"kind": "lab10", "searches", "rounds", "hashes"}
    searches   boards to search, as numbers, each with the kind of table: [[board, kind], ...]
    rounds     tables to fill: [{"kind", "capacity", "most", "keys", "steps"}, ...], where a step is
               ["insert" or "lookup", first, end] for each of keys[first:end], or ["size", 0, 0]
    hashes     {"keys", "capacities"}: both hashes of each key for each capacity
-> {"searches": [{"moves", "size", "capacity", "probes", "asked", "kept"}, ...],
    "rounds": [{"said", "capacities", "kept"}, ...],
    "first": [...], "second": [...]}
    moves      triples of cells, or null for an unsolvable board
    probes     how many keys were compared when `asked` keys of the table were looked up once each
    said       for each step the answers as a string of 0 and 1, or the size
    capacities the table's capacity when it is new, and after each step
    kept       what the table's arrays `keys`, `heads` and `nexts` hold: of each the places that are not 0, in
               32 bits each, then their values, of a key in 64 bits, in base64; null if there are too many
"""

import binascii
from array import array
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.sandbox.child.describe import BadReturn, shown

if TYPE_CHECKING:  # importing it takes a second (numba), and the process must first be bound to its judge
    from framework.lab_table import Table

CAPACITY = 16  # of a search's table, which grows
MOST = 1 << 24
SAMPLE = 1000  # keys that are looked up after a search
MOST_KEPT = 150_000  # keys in an answer; a search that gives up on lab-25 has 149,376
KEPT_BYTES = 20 * MOST_KEPT  # a key, its place, and the pointer to it with a place; 4 MB in base64
MOST_PLACES = 1 << 21  # of an array that are looked at
POINTER = (1 << 31) - 1  # the largest place of an entry
MOST_MOVES = 64


def ask_lab(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Run the functions of lab10.py."""
    hashes = request["hashes"]
    pairs = [(key, capacity) for capacity in hashes["capacities"] for key in hashes["keys"]]
    return {
        "searches": [_search(module, board, kind) for board, kind in request["searches"]],
        "rounds": [_fill(module, order) for order in request["rounds"]],
        "first": [_integer(module.first_hash(*pair), "first_hash") for pair in pairs],
        "second": [_integer(module.second_hash(*pair), "second_hash") for pair in pairs],
    }


def _search(module: ModuleType, board: int, kind: int) -> dict[str, Any]:
    """Run `solve` with a table of the given kind, then look up keys that are in the table."""
    from framework.lab_table import NONE

    table = _table(module, kind, CAPACITY, MOST)
    moves = _moves(module.solve(board, table))
    probes, asked = 0, 0
    if kind != NONE:
        keys = table.keys[: int(table.capacity[0]) + 1]
        sample = [int(key) for key in keys[keys != 0][:SAMPLE]]
        before = int(table.probes[0])
        for key in sample:
            module.lookup(table, key)
        probes, asked = int(table.probes[0]) - before, len(sample)
    size = 0 if kind == NONE else _integer(module.size(table), "size")
    return {
        "moves": moves,
        "size": size,
        "capacity": int(table.capacity[0]),
        "probes": probes,
        "asked": asked,
        "kept": _kept(table, size),
    }


def _fill(module: ModuleType, order: dict[str, Any]) -> dict[str, Any]:
    """Fill one table step by step."""
    from framework.lab_table import OPEN

    name = "open" if order["kind"] == OPEN else "closed"
    table = _table(module, order["kind"], order["capacity"], order["most"])
    said, capacities = [], [int(table.capacity[0])]
    for step, first, end in order["steps"]:
        what = f"{name}_{step}"
        function: Callable[..., object] = getattr(module, what)
        if step == "size":
            said.append(str(_integer(function(table), what)))
        else:
            said.append("".join(_bit(function(table, key), what) for key in order["keys"][first:end]))
        capacities.append(int(table.capacity[0]))
    size = _integer(getattr(module, f"{name}_size")(table), f"{name}_size")
    return {"said": said, "capacities": capacities, "kept": _kept(table, size)}


def _kept(table: "Table", size: int) -> dict[str, Any] | None:
    """Return what the arrays of a table hold, whatever its functions say; see `kept` at the top."""
    from framework.lab_table import OPEN

    capacity, entries = int(table.capacity[0]), size + 1
    arrays = {
        "keys": _held(table.keys, entries if table.kind == OPEN else capacity, "q"),
        "heads": _held(table.heads, capacity),
        "nexts": _held(table.nexts, entries),
    }
    if sum(map(len, arrays.values())) > KEPT_BYTES:
        return None
    return {name: binascii.b2a_base64(held).decode() for name, held in arrays.items()}


def _held(values: Any, used: int, code: str = "i") -> bytes:
    """Return the places of an array that do not hold 0, of those in use, then what they hold."""
    in_use = values[: min(max(0, used), MOST_PLACES)].tolist()
    places = [place for place, value in enumerate(in_use) if value]
    those = array(code, [in_use[place] if code == "q" else in_use[place] & POINTER for place in places])
    return array("i", places).tobytes() + those.tobytes()


def _table(module: ModuleType, kind: int, capacity: int, most: int) -> "Table":
    from framework.lab_table import Table

    made: object = module.new(kind, capacity, most)
    if not isinstance(made, Table) or made.kind != kind:
        what = ("new", "open_new", "closed_new")[kind]
        raise BadReturn(f"{what} returned {made!r:.80} of type {type(made).__name__}; expected a table")
    return made


def _integer(value: object, what: str) -> int:
    """Return a whole number of any integer type as a Python int."""
    from framework.arrays import np

    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise BadReturn(f"{what} returned {shown(value)}; expected an int")
    if not -(2**63) <= int(value) < 2**63:
        raise BadReturn(f"{what} returned a number of {int(value).bit_length()} bits; expected 63 at most")
    return int(value)


def _bit(value: object, what: str) -> str:
    """Return 1 for True and 0 for False."""
    from framework.arrays import np

    if not isinstance(value, (bool, np.bool_)):
        raise BadReturn(f"{what} returned {shown(value)}; expected True or False")
    return "1" if value else "0"


def _moves(solution: object) -> list[list[int]] | None:
    """Return a solution as lists of three numbers, None for an unsolvable board."""
    if solution is None:
        return None
    if not isinstance(solution, list) or len(solution) > MOST_MOVES:
        raise BadReturn(f"solve returned {shown(solution)}; expected a list of moves, or None")
    for move in solution:
        if not isinstance(move, (tuple, list)) or [type(cell) for cell in move] != [int] * 3:
            raise BadReturn(f"solve returned the move {shown(move)}; expected each move as three ints")
    return [list(move) for move in solution]
