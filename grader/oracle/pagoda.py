"""Pagoda functions: weights of the holes, such that no jump can raise the sum of the pegs' weights.

Once a position's sum is below that of every goal, no goal can be reached any more (Conway; see Beasley, The
Ins and Outs of Peg Solitaire, chapter 5). Here each function is the product of a sequence of weights for the
rows and one for the columns, so that a few thousand candidates cover the well-known functions. Only those are
used that should exclude the most positions.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from grader.oracle.shape import Shape, byte_sums

WEIGHTS = (-1, 0, 1)
LANES = 8  # functions that are tested at once, a byte each
MIDDLE = 128  # the byte of a sum that is just large enough


@lru_cache(maxsize=16)
def candidates(shape: Shape) -> np.ndarray:
    """Return the pagoda functions of a shape from which to choose: shape (functions, holes), int64."""
    rows = np.array([row for row, _ in shape.holes])
    cols = np.array([col for _, col in shape.holes])
    rows, cols = rows - rows.min(), cols - cols.min()
    down, across = _sequences(int(rows.max()) + 1), _sequences(int(cols.max()) + 1)
    weights = (down[:, None, rows] * across[None, :, cols]).reshape(-1, len(shape.holes))
    weights = weights[(weights > 0).any(axis=1)]
    threes = np.array([three[:3] for three in shape.threes], dtype=np.int64).reshape(-1, 3)
    first, middle, last = (weights[:, holes] for holes in threes.T)
    kept = weights[(abs(first - last) <= middle).all(axis=1)]
    return np.unique(kept, axis=0).astype(np.int64)


def _sequences(length: int) -> np.ndarray:
    """Return the sequences of weights along a line such that no jump raises the sum of the pegs' weights.

    They are the rows of an int8 array.
    """
    found = [
        each
        for each in product(WEIGHTS, repeat=length)
        if all(a + b >= c and c + b >= a for a, b, c in zip(each, each[1:], each[2:], strict=False))
    ]
    return np.array(found, dtype=np.int8).reshape(len(found), length)


@lru_cache(maxsize=64)
def best_functions(shape: Shape, goals: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the pagoda functions that should prune most on the way to any of `goals`, at most LANES.

    A position is pruned if its sum is below the least sum of any goal. So the best functions are those for
    which the fewest random positions reach that sum. In a random position each hole is filled with
    probability 1/2; its sum is taken as normally distributed.

    Returns:
        The weights, shape (functions, holes), and the least sum of any goal under each function, shape
        (functions,); int64.
    """
    weights = candidates(shape)
    pegs = np.array([[goal >> hole & 1 for hole in range(len(shape.holes))] for goal in goals])
    needed = (weights @ pegs.T).min(axis=1)
    mean = weights.sum(axis=1) / 2
    deviation = np.sqrt((weights**2).sum(axis=1)) / 2
    best = np.argsort(-(needed - mean) / deviation, kind="stable")[:LANES]
    return weights[best], needed[best]


def lane_sums(weights: np.ndarray) -> np.ndarray:
    """Return tables for summing up the weights of several functions at once, each in an 8-bit lane of a word.

    Args:
        weights: shape (functions, holes), int64.

    Returns:
        The sum of the weights for each value of each byte of a position: shape (bytes, 256), uint64. To get
        the sum of a position, add up the words of its bytes; a lane may borrow from the next one until the
        total is complete.
    """
    packed = (weights << 8 * np.arange(len(weights))[:, None]).sum(axis=0)
    return byte_sums(packed.tolist())


def margins(needed: np.ndarray) -> np.uint64:
    """Return a word to add to a position's sum; then each lane that was below `needed` lacks its top bit."""
    lanes = np.full(LANES, MIDDLE)
    lanes[: len(needed)] -= needed
    return np.uint64(int((lanes << 8 * np.arange(LANES)).sum()) % (1 << 64))
