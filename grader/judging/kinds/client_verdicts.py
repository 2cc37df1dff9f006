"""Judge what the functions of client.py returned: moves, keys and hashes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from framework.board import SIZE
from framework.jumps import Jump
from framework.rules import MOVE_BASE, MOVE_ORDER
from grader.judging.holes import possible_jumps
from grader.judging.kinds.kind import accepted, ruled
from grader.judging.numbers_sent import KeySet, by_chance, spread
from grader.messages.catalogue import Cell, Message, say
from grader.messages.illegal_jumps import PARTS, mixed_up, one_wrong
from grader.result import Picture, Result, Verdict
from grader.sandbox.child.questions import HASH_BITS

GOOD, FAIR = 2.0, 5.0  # most comparisons per lookup for a good and for a fair hash function


def judge_moves(moves: list[Jump], result: Result, made: Sequence[int] = ()) -> Result:
    """Return the result of moves that were made of all possible jumps, as integers, and unpacked again."""
    asked = possible_jumps()
    right = sum(back == jump for jump, back in zip(asked, moves, strict=False))
    result = replace(result, answer=f"{right} of {len(asked)} moves")
    for jump, back in zip(asked, moves, strict=False):
        if back != jump:
            cause = mixed_up(moves, lambda other: other == asked) or one_wrong(asked, moves)
            lost = _lost_number(asked, moves)
            if lost is not None and not cause.message:
                cause = say("move-number-lost", lost=lost)
            alike = None if cause.message else _alike(made)
            told = alike or say("move-parts", jump=jump, numbers=_numbers(jump), found=back)
            return ruled(result, Verdict.WRONG_ANSWER, told.under(cause))
    if right < len(asked):
        return ruled(result, Verdict.WRONG_ANSWER, say("moves-lost"))
    return accepted(result)


def _alike(made: Sequence[int]) -> Message | None:
    """Return the message about two moves that became one integer; None if there are none."""
    first_with: dict[int, Jump] = {}
    for jump, number in zip(possible_jumps(), map(KeySet(made).number, made), strict=False):
        other = first_with.setdefault(number, jump)
        if other != jump:
            return say("moves-alike", numbers=_numbers(other), others=_numbers(jump))
    return None


def _lost_number(asked: Sequence[Jump], moves: Sequence[Jump]) -> int | None:
    """Return the one number that all moves have which come back wrong; None if there is none, or several."""
    wrong = [jump for jump, back in zip(asked, moves, strict=False) if jump != back]
    common = set.intersection(*map(set, wrong))
    return common.pop() if len(common) == 1 and len(wrong) > 1 else None


def integer_of(jump: Jump) -> int:
    """Return the integer that a course with a MOVE_ORDER wants for a jump."""
    number = 0
    for part in MOVE_ORDER:
        number = number * MOVE_BASE + jump[PARTS.index(part)]
    return number


def judge_integers(made: list[int], result: Result) -> Result:
    """Return the result, or the first move whose integer is not the one that the course wants."""
    if not MOVE_ORDER or result.verdict != Verdict.ACCEPTED:
        return result
    if len(made) != len(possible_jumps()):
        return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, say("moves-lost"))
    for jump, number in zip(possible_jumps(), made, strict=True):
        if number != integer_of(jump):
            told = say(
                "move-integer",
                wanted=str(integer_of(jump)),
                numbers=_numbers(jump),
                found=str(number),
                order=list(MOVE_ORDER),
                base=MOVE_BASE,
            )
            return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)
    return result


def _numbers(jump: Jump) -> str:
    """Return the four numbers of a move as arguments."""
    return ", ".join(map(str, jump))


def judge_keys(texts: list[str], keys: list[int], result: Result) -> Result:
    """Return the result of the keys of these boards, no two of which are alike."""
    alike = [*map(KeySet(keys).number, keys)]
    result = replace(result, answer=f"{len(set(alike)):,} keys")
    first_with: dict[int, int] = {}
    for number, key in enumerate(keys):
        other = first_with.setdefault(alike[number], number)
        if other == number or texts[other] == texts[number]:
            continue
        differ = [
            divmod(cell, SIZE)
            for cell, (one, two) in enumerate(zip(texts[other], texts[number], strict=True))
            if one != two
        ]
        id = "key-ignores-cells"
        if key == -1 and "." in texts[number]:  # all bits are set, as in -1, a blocked cell's number
            id = "key-of-blocked"
        shown = (Picture(texts[each]) for each in (other, number))
        told = say(id).under(say("one-key-for-two", *shown, differ=differ, key=str(key)))
        ignored = _ignored(texts, keys)
        if _counts_alone(texts, keys):
            told = told.under(say("key-counts-pegs"))
        elif shared := _sharing(texts, keys):
            (here, there), *more = shared
            told = told.under(say("cells-share-bits", one=here, other=there, pairs=len(more)))
        elif ignored:
            told = told.under(say("cells-ignored", cells=ignored, **_line_of_others(ignored)))
        return ruled(result, Verdict.WRONG_ANSWER, told)
    return accepted(result)


def _counts_alone(texts: Sequence[str], keys: Sequence[int]) -> bool:
    """Return whether boards with as many pegs have one key, or two: one cell may count by itself."""
    by_pegs = {(text.count("*"), key) for text, key in zip(texts, keys, strict=True)}
    pegs = len({number for number, _ in by_pegs})
    return pegs <= len(set(keys)) <= len(by_pegs) <= 2 * pegs


def _sharing(texts: Sequence[str], keys: Sequence[int]) -> list[tuple[Cell, Cell]]:
    """Return pairs of cells on which a peg alone on the board has one key, unless that is the key 0."""
    cell_of: dict[int, Cell] = {}
    pairs = []
    for text, key in zip(texts, keys, strict=True):
        if text.count("*") == 1 and "." not in text and key:
            cell = divmod(text.index("*"), SIZE)
            first = cell_of.setdefault(key, cell)
            pairs += [(first, cell)] * (first != cell)
    return pairs


def _ignored(texts: Sequence[str], keys: Sequence[int]) -> list[Cell]:
    """Return the cells of a full board that its key ignores."""
    key_of, full = dict(zip(texts, keys, strict=True)), "*" * SIZE * SIZE
    return [
        divmod(cell, SIZE)
        for cell in range(SIZE * SIZE)
        if key_of[full[:cell] + "o" + full[cell + 1 :]] == key_of[full]
    ]


def _line_of_others(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return as facts which row or column has just the cells that are not among these, if one has."""
    others = {divmod(cell, SIZE) for cell in range(SIZE * SIZE)} - {*cells}
    for line, number in (("row", 0), ("column", 1)):
        if len(others) == SIZE and len({cell[number] for cell in others}) == 1:
            only = min(others)[number]
            return {"line": line, "only": only, "first": only == 0, "last": only == SIZE - 1}
    return dict.fromkeys(("line", "only", "first", "last"))


def judge_hashes(hashes: list[int], result: Result) -> Result:
    """Return the result of the hashes of different keys."""
    found = spread(hashes)
    result = replace(result, answer=f"longest chain {found.longest:,}")
    if found.comparisons <= GOOD:
        return accepted(result)
    earned = result.max_points // 2 if found.comparisons <= FAIR else 0
    different = len(set(hashes))
    told = say(
        "hash-spreads-badly",
        few=2 * different < len(hashes),
        bits=HASH_BITS.bit_length(),
        different=different,
        keys=len(hashes),
        comparisons=f"{found.comparisons:,.1f}",
        by_chance=f"{by_chance(len(hashes), found.chains):.1f}",
        longest=found.longest,
    )
    return ruled(replace(result, points=earned), Verdict.ACCEPTED if earned else Verdict.WRONG_ANSWER, told)
