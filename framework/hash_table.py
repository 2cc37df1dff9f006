"""A hash table with separate chaining: a set of 64-bit integers.

The client supplies the hash function, `key_hash` in client.py. A poor hash function makes the
table slow, but never wrong. The table grows in place. Its arrays are allocated once at the largest size
allowed, since pages that are never touched take no memory. When there are more keys than chains, the
number of chains doubles and each chain is split in two. (Measured on french2: 44 s, against 69 s with
arrays that are replaced when they grow.)
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from framework.arrays import np
from framework.contracts import compiled, requires

MAX_KEYS = (1 << 26) - 1  # 67 million keys: 1 GiB of address space

Int32s = np.ndarray[Any, np.dtype[np.int32]]
Int64s = np.ndarray[Any, np.dtype[np.int64]]


class HashTable(NamedTuple):
    """A hash table. Use the functions of this module, not the fields.

    Entries are numbered from 1 in the order of insertion; 0 means none.
    """

    # int32 array; the first entry of each chain. Only the first `state[1] + 1` chains are in use.
    heads: Int32s
    nexts: Int32s  # int32 array; the next entry in each entry's chain
    keys: Int64s  # int64 array; the key of each entry
    # int64 array of length 2: the number of keys, and the number of chains minus one. The number of chains is
    # a power of two, so `hash & state[1]` is a chain.
    state: Int64s

    def __repr__(self) -> str:
        """Return the size, for print, the debugger and contract messages."""
        size = int(self.state[0])
        return f"a hash table of {size} key{'s' * (size != 1)}"


def _hash_of_nobody(key: int) -> int:
    raise LookupError("the hash table has no hash function: link_key_hash was not called")


key_hash: Callable[[int], int] = _hash_of_nobody


def link_key_hash(function: Callable[[int], int]) -> None:
    """Make `function` the hash function of every table, as C0 links the client's `hash`.

    It becomes a global of this module before the functions here are compiled: numba can cache compiled
    code that calls a global function, but not code that takes the function as an argument.
    """
    global key_hash
    key_hash = function


def ht_new(capacity: int) -> HashTable:
    """Return a new empty table with at least `capacity` (1 to MAX_KEYS + 1) chains.

    Call it from plain Python, not from a @compiled function.

    Raises:
        ValueError: the capacity is out of that range.
    """
    if not 1 <= capacity <= MAX_KEYS + 1:
        raise ValueError(f"ht_new: the capacity must be from 1 to {MAX_KEYS + 1:,}, not {capacity}")
    chains = 1 << (int(capacity) - 1).bit_length()
    return HashTable(
        np.zeros(MAX_KEYS + 1, dtype=np.int32),
        np.zeros(MAX_KEYS + 1, dtype=np.int32),
        np.zeros(MAX_KEYS + 1, dtype=np.int64),
        np.array([0, chains - 1], dtype=np.int64),
    )


@compiled
def ht_size(table: HashTable) -> int:
    """Return how many keys `table` holds."""
    return int(table.state[0])


@requires(lambda key: -(2**63) <= key < 2**63)
@compiled
def ht_lookup(table: HashTable, key: int) -> bool:
    """Return whether `key` is in `table`."""
    entry = table.heads[key_hash(key) & int(table.state[1])]
    while entry != 0:
        if table.keys[entry] == key:
            return True
        entry = table.nexts[entry]
    return False


@requires(lambda key: -(2**63) <= key < 2**63)
@compiled
def ht_insert(table: HashTable, key: int) -> None:
    """Put `key` into `table`; nothing changes if it is already there.

    Raises:
        MemoryError: the table is full (MAX_KEYS keys).
    """
    if ht_lookup(table, key):
        return
    entry = table.state[0] + 1
    if entry == len(table.keys):
        raise MemoryError("ht_insert: the hash table is full")
    chain = key_hash(key) & int(table.state[1])
    table.keys[entry] = key
    table.nexts[entry] = table.heads[chain]
    table.heads[chain] = entry
    table.state[0] = entry
    chains = table.state[1] + 1
    if entry > chains and 2 * chains <= len(table.heads):
        _double_chains(table)


@compiled
def _double_chains(table: HashTable) -> None:
    """Split every chain in two, by the next bit of the keys' hashes."""
    chains = table.state[1] + 1
    table.state[1] = 2 * chains - 1
    for chain in range(chains):
        entry = table.heads[chain]
        table.heads[chain] = 0
        while entry != 0:
            following = table.nexts[entry]
            half = key_hash(int(table.keys[entry])) & int(table.state[1])
            table.nexts[entry] = table.heads[half]
            table.heads[half] = entry
            entry = following


@compiled
def ht_chain_lengths(table: HashTable, most_chains: int) -> Int64s:
    """Count the first `most_chains` chains by length.

    Returns:
        int64 array of length 12: how many chains have 0, 1, ..., 9, and 10 or more keys; then the length of
            the longest chain.
    """
    counts = np.zeros(12, dtype=np.int64)
    for chain in range(min(most_chains, table.state[1] + 1)):
        length = 0
        entry = table.heads[chain]
        while entry != 0:
            length += 1
            entry = table.nexts[entry]
        counts[min(length, 10)] += 1
        counts[11] = max(counts[11], length)
    return counts


def ht_stats(table: HashTable) -> None:
    """Print how many chains have 0, 1, ..., 9, and 10 or more keys, and the longest length, as C0 does."""
    counts = ht_chain_lengths(table, MAX_KEYS + 1)
    print(f"hash table stats: {ht_size(table)} keys in {int(table.state[1]) + 1} chains")
    for length in range(11):
        print(f"  chains of size {length if length < 10 else '10+'}: {counts[length]}")
    print(f"  longest chain: {counts[11]}")
