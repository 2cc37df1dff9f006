"""Judge what the functions of client.py returned: moves, keys and hashes."""

from collections.abc import Sequence
from dataclasses import replace

from framework.board import SIZE
from framework.jumps import Jump, format_jump
from framework.rules import MOVE_BASE, MOVE_ORDER
from grader.judging.held import KeySet
from grader.judging.holes import possible_jumps
from grader.judging.kinds.kind import ruled
from grader.judging.spread import by_chance, spread
from grader.messages.message import Message
from grader.messages.move_parts import PARTS, mixed_up, one_wrong
from grader.messages.phrases import BLOCKED_HELP
from grader.result import Result, Verdict
from grader.sandbox.child.questions import HASH_BITS

GOOD, FAIR = 2.0, 5.0  # most comparisons per lookup for a good and for a fair hash function


def judge_moves(moves: list[Jump], result: Result, points: int) -> Result:
    """Return the result of moves that were made of all possible jumps and unpacked again."""
    asked = possible_jumps()
    right = sum(back == jump for jump, back in zip(asked, moves, strict=False))
    result = replace(result, answer=f"{right} of {len(asked)} moves")
    for jump, back in zip(asked, moves, strict=False):
        if back != jump:
            written = ", ".join(str(number) for number in jump)
            cause = mixed_up(moves, lambda other: other == asked) or one_wrong(asked, moves)
            told = Message(
                "move-parts",
                f"{cause}: " * bool(cause) + f"expected {format_jump(jump)} from "
                f"move_new({written}), found {format_jump(back)}",
                "row_start, col_start, row_end and col_end must return the numbers that move_new was given",
            )
            return ruled(result, Verdict.WRONG_ANSWER, told)
    if right < len(asked):
        return ruled(result, Verdict.WRONG_ANSWER, Message("moves-lost", "some moves did not come back"))
    return replace(result, verdict=Verdict.ACCEPTED, points=points)


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
    for jump, number in zip(possible_jumps(), made, strict=True):
        if number != integer_of(jump):
            written = ", ".join(str(part) for part in jump)
            told = Message(
                "move-integer",
                f"expected {integer_of(jump)} from move_new({written}), found {number}",
                f"a move has the digits {', '.join(MOVE_ORDER)} in base {MOVE_BASE}, the highest first",
            )
            return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)
    return result


def judge_keys(texts: list[str], keys: list[int], result: Result, points: int) -> Result:
    """Return the result of the keys of these boards, no two of which are alike."""
    alike = [*map(KeySet(keys).number, keys)]
    result = replace(result, answer=f"{len(set(alike)):,} keys")
    first_with: dict[int, int] = {}
    for number, key in enumerate(keys):
        other = first_with.setdefault(alike[number], number)
        if other == number or texts[other] == texts[number]:
            continue
        differ = [
            f"{cell // SIZE}:{cell % SIZE}"
            for cell in range(SIZE * SIZE)
            if texts[other][cell] != texts[number][cell]
        ]
        drawn = "\n".join(
            "  " + "   ".join(" ".join(text[row : row + SIZE]) for text in (texts[other], texts[number]))
            for row in range(0, SIZE * SIZE, SIZE)
        )
        id, help = "key-ignores-cells", "every cell must count: give each of the 64 a bit of its own"
        if key == -1 and "." in texts[number]:  # all bits are set, as in -1, a blocked cell's number
            id, help = "key-of-blocked", BLOCKED_HELP
        elif len(set(alike)) <= len({text.replace("o", "*") for text in texts}):
            id, help = "key-ignores-pegs", "a peg and an empty hole must make different keys"
        told = Message(
            id,
            f"{_forgotten(texts, keys)}two boards that differ at {', '.join(differ[:6])}"
            f"{' ...' if len(differ) > 6 else ''} have the same key, {key}\n{drawn}",
            help,
        )
        return ruled(result, Verdict.WRONG_ANSWER, told)
    return replace(result, verdict=Verdict.ACCEPTED, points=points)


def _forgotten(texts: Sequence[str], keys: Sequence[int]) -> str:
    """Return in words which cells of a full board its key ignores; empty if there are none."""
    key_of, full = dict(zip(texts, keys, strict=True)), "*" * SIZE * SIZE
    cells = [
        divmod(cell, SIZE)
        for cell in range(SIZE * SIZE)
        if key_of[full[:cell] + "o" + full[cell + 1 :]] == key_of[full]
    ]
    if not cells:
        return ""
    (row, col), rows, cols = cells[0], {row for row, _ in cells}, {col for _, col in cells}
    which = f"{len(cells)} cells, such as {row}:{col}" if len(cells) > 1 else f"cell {row}:{col}"
    if len(cells) == SIZE * SIZE:
        which = "any cell"
    elif len(cells) == SIZE and 1 in (len(rows), len(cols)):
        which = f"row {row}" if len(rows) == 1 else f"column {col}"
    return f"board_key ignores {which} of a full board: "


def judge_hashes(hashes: list[int], result: Result, points: int) -> Result:
    """Return the result of the hashes of different keys."""
    found = spread(hashes)
    result = replace(result, answer=f"longest chain {found.longest:,}", verdict=Verdict.ACCEPTED)
    if found.comparisons <= GOOD:
        return replace(result, points=points)
    earned = points // 2 if found.comparisons <= FAIR else 0
    different = len(set(hashes))
    few = (
        f"the low {HASH_BITS.bit_length()} bits of key_hash take only {different:,} values for "
        f"{len(hashes):,} keys: "
    )
    told = Message(
        "hash-spreads-badly",
        few
        * (2 * different < len(hashes))
        + f"a lookup compares {found.comparisons:,.1f} keys where random hashes would "
        f"need {by_chance(len(hashes), found.chains):.1f}; the longest chain has {found.longest:,}",
        "mix all bits of the key into the low ones, see handouts/performance-debugging.md; to see the "
        "chains: grade pegmark",
    )
    return ruled(replace(result, points=earned), Verdict.ACCEPTED if earned else Verdict.WRONG_ANSWER, told)
