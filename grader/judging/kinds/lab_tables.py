"""Judge the answers of the lab's tables: compare them with those of a Python set, and follow their arrays."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import gcd

from framework.lab_table import CLOSED, OPEN
from grader.catalog.tasks import Asked
from grader.judging.kinds.kind import chance, ruled
from grader.judging.kinds.lab_rounds import CAPACITIES, HASHES, Filled, Kept, Round, Step, hashes, rounds
from grader.judging.spread import by_chance, spread
from grader.messages.message import Message
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox import frame_parts
from grader.sandbox.child.lab_questions import MOST_KEPT

COMPARISONS = 3.0  # most per lookup; random hashes need 1.3
CROWDED = 2.0  # keys per chain; a table of chains with more has not grown
SPARSE = 16  # chains or slots per key; a table with more did not grow from where it began
ALIKE = 1 / 3  # of the keys may share a second hash; key >> 36 & (capacity - 1) | 1 is the same for a quarter
FOLLOWED = 1000  # keys of a table that are followed from their hashes
MOST_STEPS = 2048  # entries or slots that are looked at for a key: a chain that long is none
SHOWN = 6  # keys in a message


def judge(asked: Asked, filled: list[Filled], first: list[int], second: list[int], result: Result) -> Result:
    """Return the result of a check of the tables."""
    name, few = asked.check.board, asked.debug
    if name == HASHES:
        return _judge_hashes(asked, first, second, result)
    wanted = rounds(name, few)
    if [len(each.said) for each in filled] != [len(round.steps) for round in wanted]:
        told = Message(
            "lab-too-few-answers",
            "expected an answer to every question",
            "return from each function, and write nothing to the grader yourself",
        )
        return ruled(result, Verdict.BAD_RETURN, told)
    both = list(zip(wanted, filled, strict=True))
    for look_at in (fault, _growth_fault, _kept_fault):  # a wrong answer says more than an array
        found = next(filter(None, (look_at(round, each) for round, each in both)), None)
        if found is not None:
            return ruled(result, Verdict.WRONG_ANSWER, found)
    keys = sum(step.end - step.first for round in wanted for step in round.steps)
    return ruled(replace(result, answer=f"{keys:,} right", points=asked.check.points), Verdict.ACCEPTED)


@dataclass
class _Beside:
    """The set that the judge fills alongside a student's table, to know the right answers.

    Attributes:
        round: the round.
        number: the place of each key in the order of insertion, from 1.
    """

    round: Round
    number: dict[int, int]

    def insert(self, key: int) -> bool:
        """Put a key into the set if there is room; return whether it is in the set."""
        if key not in self.number and len(self.number) < self.round.most:
            self.number[key] = len(self.number) + 1
        return key in self.number

    def state(self, size: int) -> str:
        """Return how the table was made, and how many keys it holds."""
        round = self.round
        grows = f"grows up to {round.most:,}" if round.most > round.capacity else "cannot grow"
        load = f", load {size / round.capacity:.2f}" if round.most == round.capacity else ""
        made = f"{round.name}_new({round.capacity}, {round.most}), which {grows}"
        return f"the table: {made}; {count(size, 'different key')} inserted{load}"


def _questions(round: Round, filled: Filled) -> Iterator[tuple[Step, int, str]]:
    """Yield each step, its key (0 for the size) and the table's answer."""
    for step, said in zip(round.steps, filled.said, strict=True):
        if step.what == "size":
            yield step, 0, said[: frame_parts.MAX_DIGITS]
        else:
            keys = round.keys[step.first : step.end]
            for number, key in enumerate(keys):
                yield step, key, {"1": "True", "0": "False"}.get(said[number : number + 1], "nothing")


def fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's answers, or None when all are right."""
    beside = _Beside(round, {})
    for step, key, said in _questions(round, filled):
        before = len(beside.number)
        known = key in beside.number
        match step.what:
            case "size":
                wanted = str(len(beside.number))
            case "insert":
                wanted = str(beside.insert(key))
            case _:
                wanted = str(known)
        if said == wanted:
            continue
        call = f"{round.name}_{step.what}(table" + (f", {key})" if key else ")")
        lines = [f"expected {wanted} from {call}, found {said}", beside.state(before)]
        if step.what == "size":
            lines.append(_some_keys(beside))
            id, help = _size_help(int(wanted), said)
            return Message(id, "\n".join(lines), help)
        if known:
            lines.append(f"{key} was inserted as key number {beside.number[key]:,}")
            capacity = f"the table had {round.capacity} {_PLACES[round.kind]} to begin with"
            lines += [capacity] if round.most > round.capacity else []
        elif step.what == "lookup":
            lines.append(f"{key} was never inserted")
        id, help = _help(round, step, known, before)
        return Message(id, "\n".join(lines), help)
    return None


def _growth_fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's capacities: it begins with the one given, and grows from there."""
    began, *capacities = filled.capacities
    places = _PLACES[round.kind]
    if began != round.capacity:
        return Message(
            "lab-capacity",
            f"expected {round.capacity} {places} in {round.name}_new({round.capacity}, {round.most}), "
            f"found {began:,}",
            "begin with `capacity`, and grow from there: only the arrays have room for `most` at once",
        )
    beside = _Beside(round, {})
    for step, capacity in zip(round.steps, capacities, strict=True):
        for key in round.keys[step.first : step.end] if step.what == "insert" else ():
            beside.insert(key)
        keys = len(beside.number)
        if not may_have(capacity, round.capacity, round.most, keys):
            return grown_apart(round.kind, capacity, keys)
    if keys > CROWDED * capacity:
        return Message(
            "lab-does-not-grow",
            f"expected a table that grows, found {keys:,} keys in {capacity:,} chains",
            "double the number of chains when there are more keys than chains, and move every key to its "
            "new chain",
        )
    return None


def may_have(capacity: int, began: int, most: int, keys: int) -> bool:
    """Return whether a table with so many keys may have grown to a capacity."""
    return capacity & (capacity - 1) == 0 and began <= capacity <= max(began, min(most, SPARSE * keys))


def grown_apart(kind: int, capacity: int, keys: int) -> Message:
    """Return the message for a capacity that does not go with the number of keys."""
    places = _PLACES[kind]
    return Message(
        "lab-grown-apart",
        f"expected a table that grows with its keys, found {capacity:,} {places} for {count(keys, 'key')}",
        f"double the number of {places} only when there are too few for the keys, and never set it otherwise",
    )


def _kept_fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's arrays, or None when they hold what was inserted."""
    beside = _Beside(round, {})
    for step in round.steps:
        for key in round.keys[step.first : step.end] if step.what == "insert" else ():
            beside.insert(key)
    told = kept_as_many(filled.kept, len(beside.number))
    if told is None and filled.kept and sorted(filled.kept.keys.values()) != sorted(beside.number):
        told = Message(
            "lab-other-keys", "the keys in the arrays are not the keys that were inserted", IN_THE_ARRAYS
        )
    return told and Message(told.id, f"{told.message}\n{beside.state(len(beside.number))}", told.help)


IN_THE_ARRAYS = (
    "store every key in the arrays of the table, and answer from them: no set or list beside them counts"
)


def kept_as_many(kept: Kept | None, size: int) -> Message | None:
    """Return the message for arrays that do not hold as many keys as were inserted."""
    if kept is not None and len(kept.keys) == size:
        return None
    found = f"more than {MOST_KEPT:,}" if kept is None else f"{len(kept.keys):,}"
    return Message(
        "lab-keys-not-kept",
        f"expected {count(size, 'key')} in the arrays of the table, found {found}",
        IN_THE_ARRAYS,
    )


# ---- arrays that are followed --------------------------------------------------------------------

Led = tuple[int, int, Kept]  # the kind of a table, its capacity, and what its arrays hold


def to_hash(tables: list[Led]) -> dict[str, list[int]]:
    """Return the keys and the capacities to hash for in another process, to follow these tables."""
    keys = dict.fromkeys(key for _, _, kept in tables for _, key in _drawn(kept))
    capacities = {capacity for _, capacity, _ in tables if 0 < capacity < 1 << 63}
    return {"keys": list(keys), "capacities": sorted(capacities)}


def astray(tables: list[Led], first: list[int], second: list[int]) -> Message | None:
    """Return the message for a key that is not where its hashes lead; None if none is found.

    Args:
        tables: the tables.
        first, second: both hashes of what `to_hash` returns for these tables.
    """
    asked = to_hash(tables)
    pairs = [(key, capacity) for capacity in asked["capacities"] for key in asked["keys"]]
    if not len(pairs) == len(first) == len(second):
        return Message("lab-too-few-answers", "expected an answer to every question")
    hashed = dict(zip(pairs, zip(first, second, strict=True), strict=True))
    for kind, capacity, kept in tables:
        for place, key in _drawn(kept):
            if not _is_led_to(place, kind, capacity, kept, *hashed[key, capacity]):
                return _led_elsewhere(kind, key)
    return None


def _drawn(kept: Kept) -> list[tuple[int, int]]:
    """Return the places of some keys with the keys, drawn by chance; the same ones in one process."""
    places = list(kept.keys.items())
    return sorted(chance("followed").sample(places, min(FOLLOWED, len(places))))


def _is_led_to(place: int, kind: int, capacity: int, kept: Kept, first: int, second: int) -> bool:
    """Return whether the arrays lead from the hashes of a key to its place, with no free slot before it."""
    at = kept.heads.get(first, 0) if kind == OPEN else first % capacity
    for _ in range(MOST_STEPS):
        if at == place or at not in kept.keys:
            break
        at = kept.nexts.get(at, 0) if kind == OPEN else (at + second) % capacity
    return at == place


def _led_elsewhere(kind: int, key: int) -> Message:
    if kind == OPEN:
        return Message(
            "lab-not-in-chain",
            f"expected {key} in the chain of its first_hash, found it in the array keys alone",
            "link each entry into the chain of its key: heads has the first entry, nexts the one after it",
        )
    return Message(
        "lab-not-in-slot",
        f"expected {key} in a slot that first_hash and second_hash lead to, found it elsewhere",
        "put each key into the first free slot on its way: from first_hash on, in steps of second_hash",
    )


_PLACES = {OPEN: "chains", CLOSED: "slots"}


def _some_keys(beside: _Beside) -> str:
    keys = [str(key) for key in list(beside.number)[:SHOWN]]
    return "inserted: " + (", ".join(keys) or "nothing") + (", ..." if len(beside.number) > SHOWN else "")


def _size_help(wanted: int, said: str) -> tuple[str, str]:
    """Return the message's identity and the hint for a wrong size."""
    if int(said or 0) > wanted:
        return (
            "lab-inserted-twice",
            "inserting must change nothing if the key is already there or there is no room: look first",
        )
    return "lab-size", "count every key that is new, even when the table grows"


def _help(round: Round, step: Step, known: bool, size: int) -> tuple[str, str]:
    """Return the message's identity and the hint for a wrong True or False of `insert` or `lookup`."""
    if step.what == "insert" and not known and size >= round.most:
        return "lab-no-room", "there is no room for one more key: change nothing and return False"
    if step.what == "insert":
        if round.kind == CLOSED and not known:
            return "lab-free-slot", (
                "there is a free slot: does second_hash lead to every slot, and does the table double in "
                "time? see the check hashes"
            )
        return (
            "lab-insert-false",
            "return True when the key is in the table afterwards, even if it was there before",
        )
    if not known:
        return "lab-found-other-key", "compare the key itself: two keys may have the same hash" + (
            "; a free slot is not the key either" if round.kind == CLOSED else ""
        )
    if round.most > round.capacity:
        return "lab-lost-in-growing", (
            f"when the number of {_PLACES[round.kind]} doubles, every key may belong elsewhere: is each key "
            "moved to its new place, and removed from the old one?"
        )
    if round.kind == OPEN:
        return "lab-lost-in-chain", (
            "another key is not the end of a chain: go on to the next entry; and does a new entry keep the "
            "others?"
        )
    return (
        "lab-lost-in-slots",
        "a slot with another key is not the end: go on in steps of second_hash until a free slot",
    )


def slow(name: str) -> Message:
    """Return the hint for a check of the tables that runs out of time."""
    id, help = "loop-slow", "does every loop end? a chain that leads back to itself has no end"
    if name == "closed-full":
        id = "lab-full-table-slow"
        help = "a full table has no free slot to stop at: stop after trying as many slots as it has"
    elif name.startswith("closed"):
        id = "lab-slots-slow"
        help = "does second_hash lead from every slot to all others? 0 leads nowhere; see the check hashes"
    elif name.endswith("grows"):
        id, help = (
            "lab-growing-slow",
            "does the number of chains double when there are more keys than chains?",
        )
    return Message(id, "", help)


# ---- hashes --------------------------------------------------------------------------------------


def _judge_hashes(asked: Asked, first: list[int], second: list[int], result: Result) -> Result:
    """Check the ranges of both hash functions, and how the first one spreads."""
    keys = hashes(asked.debug)["keys"]
    pairs = [(key, capacity) for capacity in CAPACITIES for key in keys]
    if len(first) != len(pairs) or len(second) != len(pairs):
        return ruled(
            result, Verdict.BAD_RETURN, Message("lab-too-few-answers", "expected an answer to every question")
        )
    for (key, capacity), slot, step in zip(pairs, first, second, strict=True):
        if not 0 <= slot < capacity:
            told = Message(
                "lab-hash-range",
                f"expected first_hash({key}, {capacity}) from 0 to {capacity - 1}, found {slot}",
                "cut it down: & (capacity - 1) keeps the low bits, and is never negative",
            )
            return ruled(result, Verdict.WRONG_ANSWER, told)
        shared = gcd(step, capacity)
        if shared > 1:
            return ruled(result, Verdict.WRONG_ANSWER, _poor_step(key, capacity, step, shared))
    ((step, times),) = Counter(second[-len(keys) :]).most_common(1)
    if times > ALIKE * len(keys):
        told = Message(
            "lab-step-alike",
            f"second_hash(key, {CAPACITIES[-1]}) is {step} for {times:,} of {count(len(keys), 'board')}",
            "keys that begin at the same slot should go different ways: mix the key's bits for the step, too",
        )
        return ruled(result, Verdict.WRONG_ANSWER, told)
    found = spread(first[-len(keys) :])
    result = replace(result, answer=f"{found.comparisons:.1f} a lookup")
    if found.comparisons <= COMPARISONS:
        return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED)
    chance = by_chance(len(keys), found.chains)
    told = Message(
        "lab-hash-spreads-badly",
        f"a lookup among {count(len(keys), 'board')} compares {found.comparisons:,.1f} keys where random "
        f"hashes would need {chance:.1f}; the longest chain has {found.longest:,}",
        "mix all 49 bits of the key into the low ones; see handouts/performance-debugging.md",
    )
    return ruled(result, Verdict.WRONG_ANSWER, told)


def _poor_step(key: int, capacity: int, step: int, shared: int) -> Message:
    """Return the message for a second hash that does not lead to every slot."""
    reached = f"only {count(capacity // shared, 'slot')} of {capacity}"
    if step % capacity == 0:
        reached = "the same slot every time"
    return Message(
        "lab-step-shares-factor",
        f"second_hash({key}, {capacity}) is {step}, which shares the factor {shared} with {capacity}\n"
        f"with a step of {step}, a search visits {reached}",
        "the capacity is a power of two: which numbers share no factor with it?",
    )
