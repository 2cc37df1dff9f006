"""Arrays for the hashing lab's two kinds of table, and the one function that reads a key.

A key is a board as a number, from 1 to 2^49 - 1. So 0 stands for no key, and the arrays of a new table are
all 0. The arrays are allocated once, at the largest size allowed, since memory that is never touched costs
nothing. A table grows by using more of its arrays. Both kinds of table are a tuple of arrays, so that the
same functions run as plain Python and compiled.
"""

from typing import Any, NamedTuple

from framework.arrays import np
from framework.contracts import compiled, requires

NONE, OPEN, CLOSED = 0, 1, 2  # kinds of table: none at all, open hashing, closed hashing
NO_KEY = 0

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Table(NamedTuple):
    """A hash table; the functions of the lab decide which arrays to use and what they contain."""

    kind: int  # NONE, OPEN or CLOSED
    heads: Integers  # int64 array, for open hashing: the first entry of each chain, 0 for none
    nexts: Integers  # int64 array, for open hashing: the next entry in each entry's chain, 0 for none
    keys: Integers  # int64 array; the key of each entry, or of each slot. Read it with `key_at`.
    size: Integers  # int64 array of length 1: how many different keys the table holds
    capacity: Integers  # int64 array of length 1: how many chains or slots are in use, always a power of two
    probes: Integers  # int64 array of length 1: how many keys were read, counted by `key_at`

    def __repr__(self) -> str:
        """Return the size and the capacity, for print, the debugger and contract messages."""
        kind = ("no table", "a table with chains", "a table of slots")[self.kind]
        return f"{kind}, {int(self.size[0])} keys, capacity {int(self.capacity[0])}"


@requires(lambda capacity: capacity >= 1 and capacity & (capacity - 1) == 0)
def table_new(kind: int, capacity: int, heads: int = 0, nexts: int = 0, keys: int = 0) -> Table:
    """Return an empty table with `capacity` chains or slots in use, and zeroed arrays of the given lengths.

    Call it from plain Python, not from a @compiled function.
    """
    arrays = [np.zeros(length, dtype=np.int64) for length in (heads, nexts, keys, 1, 1, 1)]
    table = Table(kind, *arrays)
    table.capacity[0] = capacity
    return table


@compiled
def key_at(table: Table, place: int) -> int:
    """Return the key of an entry or slot, NO_KEY if there is none, and count one probe."""
    table.probes[0] += 1
    return int(table.keys[place])
