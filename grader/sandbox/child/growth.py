"""Say how a table grew in a compiled run, from its keys alone, which are in the order of their insertion.

So the run itself is like any other, and not slower. What takes long is bounded: see the constants.
"""

from collections.abc import Callable
from typing import Any

MOST_SAMPLED = 20_000  # keys whose pegs are found: of more keys every second one, every third one, and so on
MOST_HASHED = 1_000_000  # keys whose chains are found: the first ones
POINTS = 60  # sizes at which the chains are measured
BITS = 1 << 64
HASH_BITS = (1 << 32) - 1  # more than any table has chains


def growth(table: Any, text: str, client: Any) -> dict[str, Any]:
    """Return how the table grew that a program was given with a board.

    Returns:
        `step`: every how many keys one was taken; `pegs`: the pegs of the boards of these keys, in order, 0
        if not known; `chains`: for some sizes the number of keys, of chains, and the longest one.
    """
    from framework import hash_table

    keys = table.keys[1 : int(table.state[0]) + 1]
    step = max(1, -(-len(keys) // MOST_SAMPLED))
    return {
        "step": step,
        "pegs": pegs_of_keys(keys[::step].tolist(), text, client.board_key),
        "chains": _chains(keys[:MOST_HASHED].tolist(), hash_table.key_hash, len(table.heads)),
    }


def pegs_of_keys(keys: list[int], text: str, board_key: Callable[[Any], int]) -> list[int]:
    """Return how many pegs the boards of some keys have, 0 if that cannot be known.

    Most keys are sums of a number for each peg, each larger than all smaller ones together, such as bits.
    Then a key can be taken apart. It was done rightly if `board_key` returns it for the board found.
    """
    from framework import board as boards

    start = boards.parse_board(text)
    cells = start.reshape(-1)  # the same cells in a row
    cells[cells == boards.PEG] = boards.EMPTY
    empty, no_peg = cells.copy(), int(board_key(start))
    weights: dict[int, int] = {}
    for cell in range(len(cells)):
        if empty[cell] == boards.EMPTY:
            cells[cell] = boards.PEG
            weights[cell] = (int(board_key(start)) - no_peg) % BITS
            cells[cell] = boards.EMPTY
    falling = sorted(((weight, cell) for cell, weight in weights.items()), reverse=True)
    smaller = 0
    for weight, _ in reversed(falling):
        if weight <= smaller:
            return [0] * len(keys)
        smaller += weight

    def pegs(key: int) -> int:
        left = (key - no_peg) % BITS
        with_peg = []
        for weight, cell in falling:
            if weight <= left:
                left -= weight
                with_peg.append(cell)
        cells[:] = empty
        cells[with_peg] = boards.PEG
        return len(with_peg) if int(board_key(start)) == key else 0

    return [pegs(key) for key in keys]


def _chains(keys: list[int], key_hash: Callable[[int], int], most_chains: int) -> list[list[int]]:
    """Return the number of keys, of chains, and the longest chain, at some sizes of the table."""
    from framework.arrays import np

    hashes = np.array([int(key_hash(key)) & HASH_BITS for key in keys], dtype=np.int64)
    sizes = sorted({-(-len(keys) * part // POINTS) for part in range(1, POINTS + 1)}) if keys else []
    found = []
    for size in sizes:
        chains = min(most_chains, 1 << (size - 1).bit_length())  # they are doubled when there are more keys
        found.append([size, chains, int(np.bincount(hashes[:size] & (chains - 1)).max())])
    return found
