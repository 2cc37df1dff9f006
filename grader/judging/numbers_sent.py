"""Numbers that a program sent: finding one takes no long time, whichever they are; how hashes spread.

Of a dict or a set, a program could choose numbers each of which walks along all the others: hours.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass


class KeySet:
    """Keys of a table."""

    def __init__(self, keys: Iterable[int]) -> None:
        self._keys = sorted(keys)

    def number(self, key: int) -> int:
        """Return a number that stands for a key, 0 if it is not among these."""
        place = bisect_left(self._keys, key)
        return place + 1 if self._keys[place : place + 1] == [key] else 0

    def __contains__(self, key: int) -> bool:
        return self.number(key) > 0


class Held(Mapping[int, int]):
    """What an array holds, by place."""

    def __init__(self, places: Sequence[int], values: Sequence[int]) -> None:
        """Prepare it; the places are in ascending order, and there is a value for each."""
        self._places, self._values = places, values

    def __getitem__(self, place: int) -> int:
        at = bisect_left(self._places, place)
        if at == len(self._places) or self._places[at] != place:
            raise KeyError(place)
        return self._values[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True)
class Spread:
    """How keys spread over the chains of a table."""

    chains: int  # the number of chains, a power of two and at least the number of keys
    lengths: Counter[int]  # for each length, how many chains have it
    longest: int  # the longest chain's length
    comparisons: float  # keys compared per successful lookup, on average


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
