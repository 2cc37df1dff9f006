"""Judge the answers of the lab's tables: compare them with those of a Python set, and follow their arrays."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import gcd

from framework.lab_table import CLOSED, OPEN
from grader.catalog.tasks import Asked
from grader.judging.kinds.kind import accepted, chance, ruled
from grader.judging.kinds.lab_rounds import CAPACITIES, HASHES, Filled, Kept, Round, Step, hashes, rounds
from grader.judging.numbers_sent import by_chance, spread
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.child.lab_questions import MOST_KEPT

COMPARISONS = 3.0  # most per lookup; random hashes need 1.3
CROWDED = 2.0  # keys per chain; a table of chains with more has not grown
SPARSE = 16  # chains or slots per key; a table with more did not grow from where it began
ALIKE = 1 / 3  # of the keys may share a second hash; key >> 36 & (capacity - 1) | 1 is the same for a quarter
FOLLOWED = 1000  # keys of a table that are followed from their hashes
MOST_STEPS = 2048  # entries or slots that are looked at for a key: a chain that long is none
MOST_MEAN = 16.0  # of these for a key: 2 in chains, and 6 in 256 slots that are all taken, by chance
SHOWN = 6  # keys in a message


def judge(asked: Asked, filled: list[Filled], first: list[int], second: list[int], result: Result) -> Result:
    """Return the result of a check of the tables."""
    name, few = asked.check.board, asked.debug
    if name == HASHES:
        return _judge_hashes(asked, first, second, result)
    wanted = rounds(name, few)
    if [len(each.said) for each in filled] != [len(round.steps) for round in wanted]:
        return ruled(result, Verdict.BAD_RETURN, say("lab-too-few-answers"))
    both = list(zip(wanted, filled, strict=True))
    for look_at in (fault, _growth_fault, _kept_fault):  # a wrong answer says more than an array
        found = next(filter(None, (look_at(round, each) for round, each in both)), None)
        if found is not None:
            return ruled(result, Verdict.WRONG_ANSWER, found)
    keys = sum(step.end - step.first for round in wanted for step in round.steps)
    return accepted(replace(result, answer=f"{keys:,} right"))


def _insert(key: int, numbers: dict[int, int], round: Round) -> bool:
    """Give a key its place in the order, from 1, if there is room; return whether it is in the table."""
    if key not in numbers and len(numbers) < round.most:
        numbers[key] = len(numbers) + 1
    return key in numbers


def _after_steps(round: Round) -> Iterator[list[int]]:
    """Yield the keys that are in the table after each step."""
    numbers: dict[int, int] = {}
    for step in round.steps:
        for key in round.keys[step.first : step.end] if step.what == "insert" else ():
            _insert(key, numbers, round)
        yield list(numbers)


def _questions(round: Round, filled: Filled) -> Iterator[tuple[Step, int, str]]:
    """Yield each step, its key (0 for the size) and the table's answer."""
    for step, said in zip(round.steps, filled.said, strict=True):
        if step.what == "size":
            yield step, 0, said[: answers.MAX_DIGITS]
        else:
            keys = round.keys[step.first : step.end]
            for number, key in enumerate(keys):
                yield step, key, {"1": "True", "0": "False"}.get(said[number : number + 1], "nothing")


def fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's answers, or None when all are right."""
    numbers: dict[int, int] = {}
    for step, key, said in _questions(round, filled):
        before = len(numbers)
        known = key in numbers
        match step.what:
            case "size":
                wanted = str(before)
            case "insert":
                wanted = str(_insert(key, numbers, round))
            case _:
                wanted = str(known)
        if said == wanted:
            continue
        grows, is_key = round.most > round.capacity, step.what != "size"
        head = say(
            "lab-answer",
            wanted=wanted,
            call=f"{round.name}_{step.what}(table" + (f", {key})" if is_key else ")"),
            found=said,
            again=known and step.what == "insert",
            made=round.made,
            most=round.most if grows else None,
            size=before,
            load=None if grows else f"{before / round.capacity:.2f}",
            key=str(key),
            number=numbers[key] if known else None,
            began=round.capacity if known and grows else None,
            chains=round.kind == OPEN,
            unknown=step.what == "lookup" and not known,
            keys=None if is_key else [str(each) for each in list(numbers)[:SHOWN]] or ["nothing"],
            more=before > SHOWN,
        )
        if is_key:
            return say(_wrong(round, step, known, before), chains=round.kind == OPEN).under(head)
        return say("lab-inserted-twice" if int(said or 0) > int(wanted) else "lab-size").under(head)
    return None


def _growth_fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's capacities: it begins with the one given, and grows from there."""
    began, *capacities = filled.capacities
    if began != round.capacity:
        chains = round.kind == OPEN
        return say("lab-capacity", wanted=round.capacity, chains=chains, made=round.made, found=began)
    for keys, capacity in zip(map(len, _after_steps(round)), capacities, strict=True):
        if not may_have(capacity, round.capacity, round.most, keys):
            return grown_apart(round.kind, capacity, keys)
    if keys > CROWDED * capacity:
        return say("lab-does-not-grow", keys=keys, capacity=capacity)
    return None


def may_have(capacity: int, began: int, most: int, keys: int) -> bool:
    """Return whether a table with so many keys may have grown to a capacity."""
    return capacity & (capacity - 1) == 0 and began <= capacity <= max(began, min(most, SPARSE * keys))


def grown_apart(kind: int, capacity: int, keys: int) -> Message:
    """Return the message for a capacity that does not go with the number of keys."""
    return say("lab-grown-apart", chains=kind == OPEN, capacity=capacity, keys=keys)


def _kept_fault(round: Round, filled: Filled) -> Message | None:
    """Return what is wrong with a table's arrays, or None when they hold what was inserted."""
    *_, inserted = _after_steps(round)
    told = kept_as_many(filled.kept, len(inserted), round.made)
    if told is None and filled.kept and sorted(filled.kept.keys.values()) != sorted(inserted):
        size = len(inserted)
        return say("lab-keys-not-kept", size=size, made=round.made, more=False, found="", others=True)
    return told


def kept_as_many(kept: Kept | None, size: int, made: str) -> Message | None:
    """Return the message for arrays that do not hold as many keys as were inserted; `made`: by which call."""
    if kept is not None and len(kept.keys) == size:
        return None
    found = MOST_KEPT if kept is None else len(kept.keys)
    return say("lab-keys-not-kept", size=size, made=made, more=kept is None, found=found, others=False)


# ---- arrays that are followed --------------------------------------------------------------------

Led = tuple[int, int, Kept]  # the kind of a table, its capacity, and what its arrays hold


def to_hash(tables: list[Led]) -> dict[str, list[int]]:
    """Return the keys and the capacities to hash for in another process, to follow these tables."""
    keys = dict.fromkeys(key for _, _, kept in tables for _, key in _drawn(kept))
    capacities = {capacity for _, capacity, _ in tables if 0 < capacity < 1 << 63}
    return {"keys": list(keys), "capacities": sorted(capacities)}


def astray(tables: list[Led], first: list[int], second: list[int]) -> Message | None:
    """Return the message for a key that is not where its hashes (`to_hash`) lead; None if none is."""
    asked = to_hash(tables)
    pairs = [(key, capacity) for capacity in asked["capacities"] for key in asked["keys"]]
    if not len(pairs) == len(first) == len(second):
        return say("lab-too-few-answers")
    hashed = dict(zip(pairs, zip(first, second, strict=True), strict=True))
    for kind, capacity, kept in tables:
        steps = []
        for place, key in _drawn(kept):
            steps.append(_steps_to(place, kind, capacity, kept, *hashed[key, capacity]))
            if not steps[-1]:
                return say("lab-not-in-chain" if kind == OPEN else "lab-not-in-slot", key=str(key))
        if steps and sum(steps) > MOST_MEAN * len(steps):
            return _badly_spread(len(kept.keys), sum(steps) / len(steps), capacity, max(steps))
    return None


def _drawn(kept: Kept) -> list[tuple[int, int]]:
    """Return the places of some keys with the keys, drawn by chance; the same ones in one process."""
    places = list(kept.keys.items())
    return sorted(chance("followed").sample(places, min(FOLLOWED, len(places))))


def _steps_to(place: int, kind: int, capacity: int, kept: Kept, first: int, second: int) -> int:
    """Return how many entries or slots lead from a key's hashes to its place; 0 if they lead elsewhere."""
    at = kept.heads.get(first, 0) if kind == OPEN else first % capacity
    for number in range(1, MOST_STEPS):
        if at == place:
            return number
        if at not in kept.keys:
            break
        at = kept.nexts.get(at, 0) if kind == OPEN else (at + second) % capacity
    return 0


def _wrong(round: Round, step: Step, known: bool, size: int) -> str:
    """Return the identity of what to do about a wrong True or False of `insert` or `lookup`."""
    if step.what == "insert":
        if not known and size >= round.most:
            return "lab-no-room"
        return "lab-free-slot" if round.kind == CLOSED and not known else "lab-insert-false"
    if not known:
        return "lab-found-other-key"
    if round.most > round.capacity:
        return "lab-lost-in-growing"
    return "lab-lost-in-chain" if round.kind == OPEN else "lab-lost-in-slots"


def slow(name: str) -> Message:
    """Return the hint for a check of the tables that runs out of time."""
    if name == "closed-full":
        return say("lab-full-table-slow")
    if name.startswith("closed"):
        return say("lab-slots-slow")
    return say("lab-growing-slow" if name.endswith("grows") else "lab-chain-endless")


# ---- hashes --------------------------------------------------------------------------------------


def _judge_hashes(asked: Asked, first: list[int], second: list[int], result: Result) -> Result:
    """Check the ranges of both hash functions, and how the first one spreads."""
    keys = hashes(asked.debug)["keys"]
    pairs = [(key, capacity) for capacity in CAPACITIES for key in keys]
    if len(first) != len(pairs) or len(second) != len(pairs):
        return ruled(result, Verdict.BAD_RETURN, say("lab-too-few-answers"))
    for (key, capacity), slot, step in zip(pairs, first, second, strict=True):
        if not 0 <= slot < capacity:
            told = say(
                "lab-hash-range",
                key=str(key),
                capacity=str(capacity),
                most=str(capacity - 1),
                found=str(slot),
            )
            return ruled(result, Verdict.WRONG_ANSWER, told)
        shared = gcd(step, capacity)
        if shared > 1:
            reached = 0 if step % capacity == 0 else capacity // shared
            told = say(
                "lab-step-shares-factor",
                key=str(key),
                capacity=str(capacity),
                step=str(step),
                shared=str(shared),
                reached=reached,
            )
            return ruled(result, Verdict.WRONG_ANSWER, told)
    ((step, times),) = Counter(second[-len(keys) :]).most_common(1)
    if times > ALIKE * len(keys):
        told = say(
            "lab-step-alike", capacity=str(CAPACITIES[-1]), step=str(step), times=times, keys=len(keys)
        )
        return ruled(result, Verdict.WRONG_ANSWER, told)
    found = spread(first[-len(keys) :])
    result = replace(result, answer=f"{found.comparisons:.1f} a lookup")
    if found.comparisons <= COMPARISONS:
        return accepted(result)
    told = _badly_spread(len(keys), found.comparisons, found.chains, found.longest)
    return ruled(result, Verdict.WRONG_ANSWER, told)


def _badly_spread(keys: int, comparisons: float, chains: int, longest: int) -> Message:
    return say(
        "lab-hash-spreads-badly",
        keys=keys,
        comparisons=f"{comparisons:,.1f}",
        by_chance=f"{by_chance(keys, chains):.1f}",
        longest=longest,
    )
