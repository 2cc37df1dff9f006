"""Numbers that a program sent, kept so that finding one takes no long time, whichever they are.

Of a dict or a set, a program could choose numbers each of which walks along all the others: hours.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence


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
