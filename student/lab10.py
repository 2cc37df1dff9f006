"""lab10: hashing. One search, and two hash tables that remember the boards it gave up on.

Open hashing keeps the keys with the same hash in a chain. Closed hashing keeps every key in a slot of one
array, and tries another slot when one is taken. A board is an integer with one bit per cell: bit c is 1 if
cell c has a peg. A move is three cells: from, over, to. The 76 moves are numbered; the cells of number
`move` are MOVES[move, 0], MOVES[move, 1] and MOVES[move, 2].
"""

from framework.cells49 import MOVES, Triple
from framework.contracts import compiled, ensures, requires
from framework.lab_table import CLOSED, NO_KEY, NONE, OPEN, Table, key_at, table_new
from framework.stack import Stack, pop, push, stack_empty, stack_new

# ---- two hash functions ----------------------------------------------


@ensures(lambda capacity, result: 0 <= result < capacity)
@compiled
def first_hash(key: int, capacity: int) -> int:
    """Return the chain of `key`, or the slot to try first: a number below `capacity` that looks random.

    `capacity` is a power of two.
    """
    # TODO(lab10): mix all bits of the key, then cut it down to 0 ... capacity -
    # 1
    raise NotImplementedError("lab10: first_hash is not written yet")


@ensures(lambda result: result != 0)
@compiled
def second_hash(key: int, capacity: int) -> int:
    """Return how many slots to go forward whenever the slot tried for `key` is taken.

    It is never 0 and has no common factor with `capacity`, since otherwise some slots would never be tried.
    """
    # TODO(lab10): use other bits of the key than first_hash does; which numbers
    # have no common factor with a power of two?
    raise NotImplementedError("lab10: second_hash is not written yet")


# ---- open hashing: chains --------------------------------------------


@requires(lambda capacity, most: capacity <= most)
def open_new(capacity: int, most: int) -> Table:
    """Return an empty table of `capacity` chains that can grow to `most` keys in `most` chains."""
    # TODO(lab10): how long must each array be? Entries are numbered from 1,
    # since 0 means none
    raise NotImplementedError("lab10: open_new is not written yet")


@compiled
def open_lookup(table: Table, key: int) -> bool:
    """Return whether `key` is in `table`."""
    # TODO(lab10): follow the chain of first_hash from entry to entry, until the
    # key or the end
    raise NotImplementedError("lab10: open_lookup is not written yet")


@compiled
def open_insert(table: Table, key: int) -> bool:
    """Put `key` into `table`, and return whether it is there now: False when there is no room for it.

    Nothing changes if the key is already there. The number of chains doubles before there are more keys than
    chains, unless there is no room for more chains.
    """
    # TODO(lab10): a new entry goes to the front of its chain; when the number
    # of chains doubles, every key gets another chain
    raise NotImplementedError("lab10: open_insert is not written yet")


@compiled
def open_size(table: Table) -> int:
    """Return how many different keys `table` holds."""
    # TODO(lab10): keep the number in table.size[0]
    raise NotImplementedError("lab10: open_size is not written yet")


# ---- closed hashing: one array of slots ------------------------------


@requires(lambda capacity, most: capacity <= most)
def closed_new(capacity: int, most: int) -> Table:
    """Return an empty table of `capacity` slots that can grow to `most` slots."""
    # TODO(lab10): it needs no chains: which arrays stay empty?
    raise NotImplementedError("lab10: closed_new is not written yet")


@compiled
def closed_lookup(table: Table, key: int) -> bool:
    """Return whether `key` is in `table`, which may be full."""
    # TODO(lab10): try the slot of first_hash, then go on by second_hash: until
    # the key, or a free slot, or as many slots as there are
    raise NotImplementedError("lab10: closed_lookup is not written yet")


@compiled
def closed_insert(table: Table, key: int) -> bool:
    """Put `key` into `table`, and return whether it is there now: False when there is no room for it.

    Nothing changes if the key is already there. The number of slots doubles before more than three quarters
    of them are taken. All slots may be filled only when there is no room for more of them.
    """
    # TODO(lab10): the key goes into the first free slot on its way; when the
    # number of slots doubles, every key takes another way
    raise NotImplementedError("lab10: closed_insert is not written yet")


@compiled
def closed_size(table: Table) -> int:
    """Return how many different keys `table` holds."""
    # TODO(lab10): keep the number in table.size[0]
    raise NotImplementedError("lab10: closed_size is not written yet")


# ---- for either kind of table, or none: leave these four functions as they are ----


def new(kind: int, capacity: int, most: int) -> Table:
    """Return an empty table of the given kind: NONE, OPEN or CLOSED."""
    if kind == OPEN:
        return open_new(capacity, most)
    if kind == CLOSED:
        return closed_new(capacity, most)
    return table_new(NONE, 1)


@compiled
def insert(table: Table, key: int) -> bool:
    """Put `key` into `table`, and return whether it is there now; kind NONE stores nothing."""
    if table.kind == OPEN:
        return open_insert(table, key)
    if table.kind == CLOSED:
        return closed_insert(table, key)
    return False


@compiled
def lookup(table: Table, key: int) -> bool:
    """Return whether `key` is in `table`; False for kind NONE."""
    if table.kind == OPEN:
        return open_lookup(table, key)
    if table.kind == CLOSED:
        return closed_lookup(table, key)
    return False


@compiled
def size(table: Table) -> int:
    """Return how many different keys `table` holds."""
    if table.kind == OPEN:
        return open_size(table)
    if table.kind == CLOSED:
        return closed_size(table)
    return 0


# ---- the search ------------------------------------------------------


@compiled
def can_move(board: int, move: int) -> bool:
    """Return whether a move, 0 to 75, is possible: its cells must be a peg, a peg and an empty hole."""
    # TODO(lab10): look at the bits of the three cells of the move
    raise NotImplementedError("lab10: can_move is not written yet")


@compiled
def after(board: int, move: int) -> int:
    """Return the board after a move, which must be possible."""
    # TODO(lab10): change the bits of the three cells of the move
    raise NotImplementedError("lab10: after is not written yet")


@compiled
def search(board: int, table: Table, moves: Stack) -> bool:
    """Return whether a single peg can be left; if so, the moves are on the stack, the first one on top.

    A board given up on is in `table`, and is not searched again.
    """
    # TODO(lab10): for every move that is possible: search the board after it;
    # look a board up before you search it, insert it when you give up on it
    raise NotImplementedError("lab10: search is not written yet")


@requires(lambda board: 0 < board < 2**49)
@requires(lambda table: size(table) == 0)
def solve(board: int, table: Table) -> list[Triple] | None:
    """Return the moves (from, over, to) that leave a single peg, in the order played; None if no moves do.

    Every board given up on is left in `table`; with a table of kind NONE nothing is remembered.
    """
    # TODO(lab10): search, then take the moves off the stack: for each its three
    # cells as plain integers
    raise NotImplementedError("lab10: solve is not written yet")
