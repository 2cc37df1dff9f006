"""Random choices that are the same in all versions of Python: a seed gives the same boards everywhere.

After seeding with version 2, Python promises only for `random()` that it returns the same numbers in every
later version. So all choices here are made from the numbers of `random()`.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Chance:
    """A random source that gives the same values in every version of Python."""

    def __init__(self, seed: str) -> None:
        self._source = random.Random()
        self._source.seed(seed, version=2)

    def share(self) -> float:
        """Return a random number from 0 to 1, excluding 1."""
        return self._source.random()

    def below(self, most: int) -> int:
        """Return a random whole number from 0 to `most`, excluding `most`."""
        return int(self._source.random() * most)

    def one_of(self, items: Sequence[Item]) -> Item:
        """Return one of `items` at random."""
        return items[self.below(len(items))]

    def some_of(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return `count` of `items` at random, each at most once."""
        left = list(items)
        for place in range(count):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:count]
