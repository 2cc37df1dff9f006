"""Follows a table of boards: from the boards in it to those that a jump leads to and that are not in it."""

from collections.abc import Callable
from typing import Any


def follow_table(told: dict[str, Any], board: Any, is_recorded: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the "untried" pairs of positions, one in the table and one after a jump that is not there.

    With them, which of the positions that can win are in the table, as "winning".

    A position is a number; bit 8 * row + col is 1 if a peg is there.

    Args:
        told: "positions" to begin with, which are in no pair; those that can win; "jumps", each as the bits
            of its three cells and of its two pegs; how many positions are "looked_up", and how many pairs
            there are at "most".
        board: the board, for its holes.
        is_recorded: says whether a position, given as an array of cells, is in the table.
    """
    from framework.arrays import np

    holes = np.minimum(np.asarray(board), 0).astype(np.int8)

    def is_known(position: int) -> bool:
        bits = np.frombuffer(position.to_bytes(8, "little"), dtype=np.uint8)
        places = np.unpackbits(bits, bitorder="little").reshape(holes.shape)
        return is_recorded(holes + places.astype(np.int8))

    recorded: dict[int, bool] = {}
    todo, done = list(told["positions"]), set()
    solution = set(todo)
    pairs: list[list[int]] = []
    while todo and len(recorded) < told["looked_up"] and len(pairs) < told["most"]:
        position = todo.pop()
        if position in done:
            continue
        done.add(position)
        for cells, pegs in told["jumps"]:
            if position & cells != pegs:
                continue
            after = position ^ cells
            if after not in recorded:
                recorded[after] = is_known(after)
            if recorded[after]:
                todo.append(after)
            elif position not in solution:
                pairs.append([position, after])
    return {"untried": pairs[: told["most"]], "winning": [*filter(is_known, told["winning"])]}
