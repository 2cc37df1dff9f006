"""Compute how hashes spread over the chains of a table."""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """How keys spread over the chains of a table.

    Attributes:
        chains: the number of chains, a power of two and at least the number of keys.
        lengths: for each length, how many chains have it.
        longest: the longest chain's length.
        comparisons: keys compared per successful lookup, on average.
    """

    chains: int
    lengths: Counter[int]
    longest: int
    comparisons: float


def spread(hashes: list[int]) -> Spread:
    """Return how the framework's hash table would spread these hashes."""
    chains = 1 << max(0, len(hashes) - 1).bit_length()
    sizes = Counter(value & (chains - 1) for value in hashes)
    lengths = Counter(sizes.values())
    lengths[0] = chains - len(sizes)
    comparisons = sum(size * (size + 1) // 2 for size in sizes.values()) / max(1, len(hashes))
    return Spread(chains, lengths, max(sizes.values(), default=0), comparisons)


def by_chance(keys: int, chains: int) -> float:
    """Return how many keys a successful lookup compares on average with random hashes (Knuth, TAOCP 6.4)."""
    return 1 + (keys - 1) / (2 * chains)
