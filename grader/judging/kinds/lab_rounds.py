"""Choose the operations on the lab's tables, and read the answers.

Every round fills one table. If `most`, its largest capacity, equals its first one, the table cannot grow. It
then gets as full as the round asks, and keys collide in chains and slots whatever the hash function is.
"""

import binascii
import random
import re
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from framework.cells49 import CELLS
from framework.lab_table import CLOSED, NONE, OPEN
from grader.judging.numbers_sent import Held
from grader.sandbox import answers
from grader.sandbox.answers import FrameError
from grader.sandbox.child.lab_questions import MOST_PLACES

KINDS = {"none": NONE, "open": OPEN, "closed": CLOSED}
HASHES = "hashes"
EVERYTHING = "everything"  # a little of every check, to have all functions compiled before they are timed
COMPILED = ("open-grows", "closed-grows")
CAPACITIES = (8, 64, 8192)
HASHED, DEBUG_HASHED = 5_000, 100  # keys
GROWN, DEBUG_GROWN = 100_000, 300  # keys in a table that grows
_SAID = re.compile(rf"[01]*|-?[0-9]{{1,{answers.MAX_DIGITS}}}")


class Step(NamedTuple):
    """Operations on a table: `insert` or `lookup` of each of `keys[first:end]`, or `size`."""

    what: str
    first: int = 0
    end: int = 0


@dataclass(frozen=True)
class Round:
    """One table and the operations on it."""

    kind: int  # OPEN or CLOSED
    # capacity, most: the arguments of its constructor
    capacity: int
    most: int
    keys: list[int]  # the keys that the steps use
    steps: list[Step]  # the operations in order

    @property
    def name(self) -> str:
        """The prefix in the names of the table's functions: `open` or `closed`."""
        return "open" if self.kind == OPEN else "closed"

    @property
    def made(self) -> str:
        """The call that made the table."""
        return f"{self.name}_new({self.capacity}, {self.most})"

    def order(self) -> dict[str, Any]:
        """Return the round as plain data, in the form that the child receives."""
        return {**vars(self)}


@dataclass(frozen=True)
class Kept:
    """What the arrays of a table hold: of each, the value at every place that does not hold 0."""

    keys: Mapping[int, int]
    heads: Mapping[int, int]
    nexts: Mapping[int, int]


@dataclass(frozen=True)
class Filled:
    """The answers of a table in a round, not yet verified."""

    said: list[str]  # for each step, a string of 0s and 1s, or the size
    capacities: list[int]  # the capacity at first and after each step, as the table reports it
    kept: Kept | None  # what its arrays hold in the end; None if that is too much


def parse_filled(loaded: object) -> Filled:
    """Return the answers of a table, or raise FrameError."""
    if not isinstance(loaded, dict):
        raise FrameError("a round that is not an object")
    said = answers.listed(loaded, "said")
    if any(type(each) is not str or _SAID.fullmatch(each) is None for each in said):
        raise FrameError("an answer of a table that is neither 0s and 1s nor a size")
    capacities = answers.integers(loaded, "capacities")
    if len(capacities) != len(said) + 1:
        raise FrameError(f"{len(capacities)} capacities")
    return Filled(said, capacities, parse_kept(loaded.get("kept")))


def parse_kept(loaded: object) -> Kept | None:
    """Return what the arrays of a table hold, None if that is too much, or raise FrameError."""
    if loaded is None:
        return None
    if not isinstance(loaded, dict):
        raise FrameError("arrays that are not an object")
    keys, heads, nexts = (loaded.get(name) for name in ("keys", "heads", "nexts"))
    return Kept(_parse_held(keys, "q"), _parse_held(heads, "i"), _parse_held(nexts, "i"))


def _parse_held(loaded: object, code: str) -> Held:
    if not isinstance(loaded, str):
        raise FrameError("an array that is not a text")
    try:
        held = binascii.a2b_base64(loaded)
        end = 4 * (len(held) // (4 + array(code).itemsize))
        places, values = array("i", held[:end]).tolist(), array(code, held[end:]).tolist()
    except ValueError:
        raise FrameError("an array that is not places and values in base64") from None
    if any(before >= place for before, place in pairwise([-1, *places, MOST_PLACES])):
        raise FrameError("places of an array that are not in order")
    return Held(places, values)


def rounds(name: str, few: bool) -> list[Round]:
    """Return the rounds of a check, or of EVERYTHING; `few` in plain Python, which is slow."""
    asked = COMPILED if name == EVERYTHING else [name] if name in _CHECKS else []
    return [round for check in asked for round in _CHECKS[check](few)]


def hashes(few: bool) -> dict[str, list[int]]:
    """Return the keys to hash, and the capacities to hash them for."""
    return {"keys": _positions(DEBUG_HASHED if few else HASHED), "capacities": list(CAPACITIES)}


@cache
def _positions(number: int) -> list[int]:
    """Return `number` different boards, always the same, from random play that starts with 20 to 32 pegs."""
    from framework.cells49 import HOLES, MOVES

    rng = random.Random("positions")
    masks = [(1 << int(a) | 1 << int(b), 1 << int(a) | 1 << int(b) | 1 << int(c)) for a, b, c in MOVES]
    found: dict[int, None] = {}
    while len(found) < number:
        board = sum(1 << cell for cell in rng.sample(HOLES, rng.randint(20, 32)))
        while board:
            found[board] = None
            changed = [all_three for taken, all_three in masks if board & all_three == taken]
            board = board ^ rng.choice(changed) if changed else 0
    return list(found)[:number]


def _keys(seed: str, number: int) -> list[int]:
    """Return `number` different keys of 49 bits, always the same ones for one seed."""
    chance = random.Random(seed)
    keys: dict[int, None] = {}
    while len(keys) < number:  # not by `sample`: where sizes have 32 bits it cannot choose among so many
        keys[chance.randrange(1, 1 << CELLS)] = None
    return list(keys)


def _filled_up(kind: int, capacity: int, keys: list[int], share: float) -> Round:
    """Return a round that fills a share of a table that cannot grow, and looks up twice as many keys."""
    end = int(share * capacity)
    steps = [
        Step("size"),
        Step("lookup", 0, end),
        Step("insert", 0, end),
        Step("lookup", 0, 2 * end),
        Step("size"),
    ]
    steps += [Step("insert", 0, end), Step("size")]  # once more: nothing changes
    if end == capacity:
        steps += [Step("insert", end, end + 3), Step("lookup", 0, 2 * end), Step("size")]  # no room
    return Round(kind, capacity, capacity, keys, steps)


def _tables(kind: int, shares: Iterable[float], few: bool) -> list[Round]:
    """Return rounds with several sorts of keys: random, of one or two set bits, and with equal low bits."""
    one_or_two_bits = sorted({1 << low | 1 << high for high in range(CELLS) for low in range(high + 1)})
    random.Random("bits").shuffle(one_or_two_bits)
    alike = [number << 20 for number in range(1, 513)]
    pairs = [(2, _keys(f"pair {number}", 4)) for number in range(12)]  # some collide in their first slot
    sorts = [(8, _keys("eight", 16)), (64, one_or_two_bits), (256, alike), *pairs]
    if not few:
        sorts.append((1024, _keys("thousand", 2048)))
    return [_filled_up(kind, capacity, keys, share) for share in shares for capacity, keys in sorts]


def _growing(kind: int, few: bool) -> list[Round]:
    """Return a round with a table that grows from a capacity of 16, and lookups at every stage."""
    keys = _keys("growing", 2 * (DEBUG_GROWN if few else GROWN))
    most, half = 1 << (len(keys) // 2).bit_length(), len(keys) // 2
    steps, first = [], 0
    for end in [number for number in (12, 13, 16, 17, 33, 150, 1000) if number < half] + [half]:
        steps += [Step("insert", first, end), Step("lookup", 0, min(2 * end, len(keys))), Step("size")]
        first = end
    steps += [Step("insert", 0, min(half, 1000)), Step("size")]
    return [Round(kind, 16, most, keys, steps)]


_CHECKS = {
    "open-table": lambda few: _tables(OPEN, (0.9, 1.0), few),
    "open-grows": lambda few: _growing(OPEN, few),
    "closed-table": lambda few: _tables(CLOSED, (0.9,), few),
    "closed-full": lambda few: _tables(CLOSED, (1.0,), few),
    "closed-grows": lambda few: _growing(CLOSED, few),
}
