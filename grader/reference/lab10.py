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

# BEGIN SOLUTION


@compiled
def _mixed(key: int) -> int:
    """Return an integer, 0 or more, into which all bits of the key are mixed."""
    # The halves are multiplied separately, so that no step exceeds 63 bits.
    low = (key & 0xFFFFFFFF) * 0x5BD1E995
    high = (key >> 32 & 0x1FFFF) * 0x27D4EB2F
    mixed = (low ^ low >> 29) + (high ^ high >> 27)
    return (mixed ^ mixed >> 32) & 0x7FFFFFFFFFFFFFFF


# END SOLUTION


@ensures(lambda capacity, result: 0 <= result < capacity)
@compiled
def first_hash(key: int, capacity: int) -> int:
    """Return the chain of `key`, or the slot to try first: a number below `capacity` that looks random.

    `capacity` is a power of two.
    """
    # BEGIN SOLUTION mix all bits of the key, then cut it down to 0 ... capacity - 1
    return _mixed(key) & (capacity - 1)
    # END SOLUTION


@ensures(lambda result: result != 0)
@compiled
def second_hash(key: int, capacity: int) -> int:
    """Return how many slots to go forward whenever the slot tried for `key` is taken.

    It is never 0 and has no common factor with `capacity`, since otherwise some slots would never be tried.
    """
    # BEGIN SOLUTION use other bits of the key than first_hash does; which numbers have no common
    # factor with a power of two?
    return (_mixed(key) >> 24 & (capacity - 1)) | 1
    # END SOLUTION


# ---- open hashing: chains --------------------------------------------


@requires(lambda capacity, most: capacity <= most)
def open_new(capacity: int, most: int) -> Table:
    """Return an empty table of `capacity` chains that can grow to `most` keys in `most` chains."""
    # BEGIN SOLUTION how long must each array be? Entries are numbered from 1, since 0 means none
    return table_new(OPEN, capacity, heads=most, nexts=most + 1, keys=most + 1)
    # END SOLUTION


@compiled
def open_lookup(table: Table, key: int) -> bool:
    """Return whether `key` is in `table`."""
    # BEGIN SOLUTION follow the chain of first_hash from entry to entry, until the key or the end
    number = table.heads[first_hash(key, int(table.capacity[0]))]
    while number != 0:
        if key_at(table, number) == key:
            return True
        number = table.nexts[number]
    return False
    # END SOLUTION


@compiled
def open_insert(table: Table, key: int) -> bool:
    """Put `key` into `table`, and return whether it is there now: False when there is no room for it.

    Nothing changes if the key is already there. The number of chains doubles before there are more keys than
    chains, unless there is no room for more chains.
    """
    # BEGIN SOLUTION a new entry goes to the front of its chain; when the number of chains doubles, every
    # key gets another chain
    if open_lookup(table, key):
        return True
    number = table.size[0] + 1
    if number == len(table.keys):
        return False
    if number > table.capacity[0] and 2 * table.capacity[0] <= len(table.heads):
        _double_chains(table)
    table.keys[number] = key
    table.size[0] = number
    _link(table, number)
    return True
    # END SOLUTION


# BEGIN SOLUTION


@compiled
def _link(table: Table, number: int) -> None:
    """Put an entry at the front of its key's chain."""
    chain = first_hash(int(table.keys[number]), int(table.capacity[0]))
    table.nexts[number] = table.heads[chain]
    table.heads[chain] = number


@compiled
def _double_chains(table: Table) -> None:
    """Double the number of chains, and put every entry into its new chain."""
    table.capacity[0] = 2 * table.capacity[0]
    table.heads[: table.capacity[0]] = 0
    for number in range(1, table.size[0] + 1):
        _link(table, number)


# END SOLUTION


@compiled
def open_size(table: Table) -> int:
    """Return how many different keys `table` holds."""
    # BEGIN SOLUTION keep the number in table.size[0]
    return int(table.size[0])
    # END SOLUTION


# ---- closed hashing: one array of slots ------------------------------


@requires(lambda capacity, most: capacity <= most)
def closed_new(capacity: int, most: int) -> Table:
    """Return an empty table of `capacity` slots that can grow to `most` slots."""
    # BEGIN SOLUTION it needs no chains: which arrays stay empty?
    return table_new(CLOSED, capacity, keys=most)
    # END SOLUTION


# BEGIN SOLUTION


@compiled
def _slot_of(table: Table, key: int) -> int:
    """Return the slot of `key`, or the first free slot tried if it has none; -1 if there is no such slot."""
    capacity = int(table.capacity[0])
    slot = first_hash(key, capacity)
    step = second_hash(key, capacity)
    for _ in range(capacity):  # not forever: a full table has no free slot to stop at
        found = key_at(table, slot)
        if found in (key, NO_KEY):
            return slot
        slot = (slot + step) & (capacity - 1)
    return -1


# END SOLUTION


@compiled
def closed_lookup(table: Table, key: int) -> bool:
    """Return whether `key` is in `table`, which may be full."""
    # BEGIN SOLUTION try the slot of first_hash, then go on by second_hash: until the key, or a free slot,
    # or as many slots as there are
    slot = _slot_of(table, key)
    return bool(slot >= 0 and table.keys[slot] == key)
    # END SOLUTION


@compiled
def closed_insert(table: Table, key: int) -> bool:
    """Put `key` into `table`, and return whether it is there now: False when there is no room for it.

    Nothing changes if the key is already there. The number of slots doubles before more than three quarters
    of them are taken. All slots may be filled only when there is no room for more of them.
    """
    # BEGIN SOLUTION the key goes into the first free slot on its way; when the number of slots doubles,
    # every key takes another way
    slot = _slot_of(table, key)
    if slot >= 0 and table.keys[slot] == key:
        return True
    if 4 * (table.size[0] + 1) > 3 * table.capacity[0] and 2 * table.capacity[0] <= len(table.keys):
        _double_slots(table)
        slot = _slot_of(table, key)
    if slot < 0:
        return False
    table.keys[slot] = key
    table.size[0] += 1
    return True
    # END SOLUTION


# BEGIN SOLUTION


@compiled
def _double_slots(table: Table) -> None:
    """Double the number of slots, and put every key where it now belongs."""
    old = table.keys[: table.capacity[0]].copy()
    table.keys[: table.capacity[0]] = NO_KEY
    table.capacity[0] = 2 * table.capacity[0]
    for number in range(len(old)):
        key = int(old[number])
        if key != NO_KEY:
            table.keys[_slot_of(table, key)] = key


# END SOLUTION


@compiled
def closed_size(table: Table) -> int:
    """Return how many different keys `table` holds."""
    # BEGIN SOLUTION keep the number in table.size[0]
    return int(table.size[0])
    # END SOLUTION


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
    # BEGIN SOLUTION look at the bits of the three cells of the move
    start, over, end = MOVES[move, 0], MOVES[move, 1], MOVES[move, 2]
    return bool(board >> start & 1 == 1 and board >> over & 1 == 1 and board >> end & 1 == 0)
    # END SOLUTION


@compiled
def after(board: int, move: int) -> int:
    """Return the board after a move, which must be possible."""
    # BEGIN SOLUTION change the bits of the three cells of the move
    start, over, end = MOVES[move, 0], MOVES[move, 1], MOVES[move, 2]
    return int(board ^ 1 << start ^ 1 << over ^ 1 << end)
    # END SOLUTION


@compiled
def search(board: int, table: Table, moves: Stack) -> bool:
    """Return whether a single peg can be left; if so, the moves are on the stack, the first one on top.

    A board given up on is in `table`, and is not searched again.
    """
    # BEGIN SOLUTION for every move that is possible: search the board after it; look a board up before
    # you search it, insert it when you give up on it
    if board & (board - 1) == 0:
        return True
    if lookup(table, board):
        return False
    for move in range(len(MOVES)):
        if can_move(board, move) and search(after(board, move), table, moves):
            push(moves, move)
            return True
    insert(table, board)
    return False
    # END SOLUTION


@requires(lambda board: 0 < board < 2**49)
@requires(lambda table: size(table) == 0)
def solve(board: int, table: Table) -> list[Triple] | None:
    """Return the moves (from, over, to) that leave a single peg, in the order played; None if no moves do.

    Every board given up on is left in `table`; with a table of kind NONE nothing is remembered.
    """
    # BEGIN SOLUTION search, then take the moves off the stack: for each its three cells as plain integers
    moves = stack_new()
    if not search(board, table, moves):
        return None
    solution = []
    while not stack_empty(moves):
        start, over, end = MOVES[pop(moves)]
        solution.append((int(start), int(over), int(end)))
    return solution
    # END SOLUTION
