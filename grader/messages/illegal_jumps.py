"""Messages for jumps that cannot be played, and for moves that come back wrong: which, and why."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

from framework.board import SIZE, Board, count_pegs
from framework.jumps import Jump, JumpFault, cell_between
from framework.rules import is_won
from framework.verify import Verification, verify
from grader.messages.catalogue import FROM, NO_PEG, TO, Cell, Message, picture, say
from grader.result import Picture
from grader.sandbox.child.questions import MAX_JUMPS

PARTS = ("row_start", "col_start", "row_end", "col_end")
IN_ORDER = tuple(range(len(PARTS)))


def illegal_jump(board: Board, jumps: Sequence[Jump], seen: Verification) -> Message:
    """Return the message for a solution with a jump that cannot be played; `seen` is how far it came."""
    assert seen.fault is not None
    where = where_illegal(jumps, seen)
    why = _why(board, jumps, seen)
    return replace(where.under(why), id=why.id, help=why.help, command=why.command)


def _why(board: Board, jumps: Sequence[Jump], seen: Verification) -> Message:
    """Return what is wrong with the moves as a whole, as far as it can be seen."""
    if is_won(seen.board) and seen.legal > 0:
        twice = [*jumps[: seen.legal]] == [*jumps[seen.legal :]]
        return say("solved-twice") if twice else say("search-went-on", legal=seen.legal)
    order = _wrong_order(board, jumps)
    if order is not None:
        return say("moves-in-reverse", part=order[0], swapped=order[1])
    mixed = mixed_up(jumps, lambda other: verify(board, other).solved)
    if mixed is not None:
        told = say("move-parts-mixed-up", solves=True)
        return replace(mixed.under(told), id=told.id)
    middle = [(*jump[:2], 2 * jump[2] - jump[0], 2 * jump[3] - jump[1]) for jump in jumps]
    if verify(board, middle).solved:
        return say("moves-to-middle", jump=jumps[0], meant=middle[0])
    assert seen.fault is not None
    if seen.fault.cell is None:
        return say("move-parts-mixed-up", solves=False)
    most = count_pegs(board) - 1
    if len(jumps) > most:
        return say("taken-back-jumps-on-stack", most=most, held=len(jumps), full=len(jumps) >= MAX_JUMPS)
    return say("jump-illegal-when-played")


def _wrong_order(board: Board, jumps: Sequence[Jump]) -> tuple[int, bool] | None:
    """Return how many of the first moves are in reverse order (0: all), or True if two parts are swapped.

    None: no such order solves the board, as none of too many or too few moves does.
    """
    if len(jumps) != count_pegs(board) - 1:
        return None
    if verify(board, jumps[::-1]).solved:
        return 0, False
    for part in range(1, len(jumps)):
        first, second = jumps[:part], jumps[part:]
        if verify(board, [*first[::-1], *second]).solved:
            return part, False
        if verify(board, [*second, *first]).solved:
            return part, True
    return None


def where_illegal(jumps: Sequence[Jump], seen: Verification) -> Message:
    """Return which jump of a solution cannot be played, why, and how the board came there."""
    assert seen.fault is not None
    jump, before = jumps[seen.legal], jumps[: seen.legal]
    shown = with_fault(seen.board, jump, seen.fault)
    told = say("illegal-jump", shown, number=seen.legal + 1, jump=jump, why=seen.fault.reason)
    return told if is_won(seen.board) else _since(before, seen.fault.cell).under(told)


def _since(jumps: Sequence[Jump], cell: Cell | None) -> Message:
    """Return which of the jumps was the last to change a cell; nothing if none changed it."""
    for number in range(len(jumps), 0, -1):
        jump = jumps[number - 1]
        if cell in (jump[:2], cell_between(jump), jump[2:]):
            return say("cell-changed-by", since=number, by=jump, cell=cell)
    return Message()


def with_fault(board: Board, jump: Jump, fault: JumpFault) -> Picture:
    """Return the picture of a board with a jump that cannot be made."""
    if not all(0 <= number < SIZE for number in jump):
        return picture(board)
    marks = {jump[:2]: FROM, jump[2:]: TO}
    if fault.cell == cell_between(jump):
        marks.setdefault(fault.cell, NO_PEG)
    return picture(board, marks)


def mixed_up(jumps: Sequence[Jump], is_right: Callable[[list[Jump]], bool]) -> Message | None:
    """Return which parts are mixed up, if that explains all; an empty message if several do; else None."""
    right = [
        order
        for order in permutations(IN_ORDER)
        if order != IN_ORDER and is_right([_reordered(jump, order) for jump in jumps])
    ]
    if len(right) != 1:
        return Message() if right else None
    wrong = [PARTS[part] for part in IN_ORDER if right[0][part] != part]
    if len(wrong) == 2:
        return say("parts-swapped", one=wrong[0], other=wrong[1])
    # The function of part `right[0][part]` returns `part`.
    row_start, col_start, row_end, col_end = (PARTS[right[0].index(function)] for function in IN_ORDER)
    return say("parts-mixed-up", row_start=row_start, col_start=col_start, row_end=row_end, col_end=col_end)


def one_wrong(asked: Sequence[Jump], jumps: Sequence[Jump]) -> Message:
    """Return which part comes back wrong, if it is the only one; else an empty message."""
    both = list(zip(asked, jumps, strict=False))
    wrong = [PARTS[part] for part in IN_ORDER if any(jump[part] != back[part] for jump, back in both)]
    return say("one-part-wrong", part=wrong[0]) if len(wrong) == 1 else Message()


def _reordered(jump: Jump, order: Sequence[int]) -> Jump:
    row_start, col_start, row_end, col_end = (jump[other] for other in order)
    return row_start, col_start, row_end, col_end
