"""Shared parts of the messages to students, and which message is said of a right answer.

`wrong_answers` chooses those for wrong answers, `endings` those for programs that gave no answer, and
`failures` those for failures in the student's code. Their words are in `words/*.md`: lower case, without a
full stop, with the expected value before the one found, except where a reason follows (`found 2, expected 1:
this board can be solved`). A help is one sentence.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from framework.board import SIZE
from framework.jumps import Jump
from grader.catalog.boards import Facts, NamedBoard, course_boards
from grader.catalog.tasks import Asked, Task, registry
from grader.messages.catalogue import Message, say
from grader.sandbox.answers import Answer

LONG_S = 0.5  # CPU seconds, in which a plain search visits some 200,000 boards
FEW_A_SECOND = 1000  # boards; the slowest ordering records ten times as many
LARGE_TABLE = 1000  # keys; a smaller table is fast whatever the hash
LONG_CHAIN = 20  # keys; by chance about one chain in 10^20 is longer (Poisson, one key per chain)

STEPS = {(1, 0): "down", (-1, 0): "up", (0, 1): "to the right", (0, -1): "to the left"}
EDGES = (0, SIZE - 1)
PAIRS = [
    (f"that {verb} on {line} {EDGES[0]}", f"that {verb} on {line} {EDGES[-1]}")
    for verb in ("starts", "ends")
    for line in ("row", "column")
]
BEYOND = ((0, 1, "below row"), (0, -1, "above row"), (1, 1, "right of column"), (1, -1, "left of column"))


class KindWords(Protocol):
    """The parts of messages that depend on the kind of task; see `judging.kinds.kind.Kind`."""

    def parameters(self, task: Task) -> tuple[str, ...]: ...
    def slow(self, asked: Asked) -> Message: ...
    def loop_help(self, task: Task) -> Message: ...
    def memory_help(self, task: Task) -> Message: ...
    def broken_promise(self, asked: Asked, number: int, jumps: list[Jump], held: int) -> Message | None: ...


def plain_run(task: Task, board: NamedBoard | None, large: bool = False) -> str:
    """Return the command for plain Python; on the board if small, or `large`, as smaller ones may do well."""
    known = board is not None and board.name in course_boards().names
    if board is None or not known or not (large or registry().debug.takes(board)):
        return f"grade {task.name} -d"
    return f"grade {task.name} -d --board {board.name}"


def count(number: int, noun: str) -> str:
    """Return `1 peg`, `2 pegs`, and so on."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def has_few_keys(answer: Answer, facts: Facts) -> bool:
    """Return whether a table has too few keys for its unsolvable board, whose images may share one key."""
    images = 8  # of a board, including itself
    return answer.states is not None and answer.states * images < (facts.positions or 0)


def claim(answer: Answer, facts: Facts) -> Message:
    """Return a remark on a table that has a long chain, or claims a size that cannot be right."""
    keys, positions = answer.states or 0, facts.positions
    if facts.solvable and keys and positions == len(answer.jumps) + 1:
        return say("winning-counted", keys=keys)
    if facts.solvable is False and positions == 1 and answer.states == 0:
        return say("dead-end-not-recorded")
    if facts.solvable is False and has_few_keys(answer, facts):
        return say("table-too-small", keys=keys, positions=positions) if keys else say("table-empty")
    if positions is not None and keys > positions:
        return say("table-too-large", keys=keys, positions=positions)
    if answer.longest_chain is not None and answer.longest_chain > LONG_CHAIN and keys >= LARGE_TABLE:
        return say("long-chain", longest=answer.longest_chain, board="")
    return Message()


def unused_table(answer: Answer, cpu_s: float) -> Message:
    """Return a remark on a table that is too small for the time that the search took."""
    if answer.states is None or cpu_s < LONG_S or answer.states > FEW_A_SECOND * cpu_s:
        return Message()
    return say("table-hardly-used", states=answer.states, cpu_s=round(cpu_s, 1))


def in_common(those: Iterable[Jump], others: Iterable[Jump]) -> str:
    """Return in words a property that all of `those` have and none of `others`; empty if there is none.

    It may be two in one: that they start, or end, on the first or the last row or column.
    """
    properties, of_others = [*map(_properties, those)], set().union(*map(_properties, others))
    if common := set.intersection(*properties) - of_others:
        return min(common)
    for first, last in PAIRS:
        pair = {first, last}
        if pair.isdisjoint(of_others) and not any(map(pair.isdisjoint, properties)):
            return f"{first} or {EDGES[-1]}"
    return ""


def beyond(those: Sequence[Jump], others: Sequence[Jump]) -> tuple[str, list[Jump]]:
    """Return in words a line beyond which most of `those` start and none of `others`, and which these are."""
    for axis, sign, words in BEYOND:
        line = max(sign * jump[axis] for jump in others)
        found = [jump for jump in those if sign * jump[axis] > line]
        if 2 * len(found) > len(those):
            return f"that starts {words} {sign * line}", found
    return "", [*those]


def _properties(jump: Jump) -> set[str]:
    """Return in words the properties of a jump that other jumps may share."""
    row_start, col_start, row_end, col_end = jump
    found = {STEPS[(row_end - row_start) // 2, (col_end - col_start) // 2]}
    for verb, row, col in (("starts", row_start, col_start), ("ends", row_end, col_end)):
        found |= {f"that {verb} on row {row}"} if row in EDGES else set()
        found |= {f"that {verb} on column {col}"} if col in EDGES else set()
    return found
