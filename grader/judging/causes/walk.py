"""Follow a search by what it wrote to the board: which jumps it made, and which it took back."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from framework.board import BLOCKED, PEG
from framework.jumps import Jump
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.answers import CellSet, Noted


@dataclass
class Walk:
    """A search, as far as it could be followed."""

    # for each position that the search reached, the jumps that it made there
    tried: defaultdict[int, list[Jump]] = field(default_factory=lambda: defaultdict(list))
    # the jumps made, in order, with None in the place of each that is taken back
    steps: list[Jump | None] = field(default_factory=list)
    # the positions left by taking a jump back, and the start if all jumps were taken back
    ended: set[int] = field(default_factory=set)
    last_stuck: int | None = None  # the last position that was left without making a jump
    not_back: list[Jump] = field(default_factory=list)  # the jumps that were never taken back
    at_end: int = 0  # the position after the jumps that were never taken back
    # a jump that was taken back though another one was made after it, which ends the walk
    undone: Jump | None = None
    # a jump that was taken back in part, which ends the walk, and the cells that are left
    in_part: tuple[Jump, int] | None = None
    # a jump that was made though it was not possible at `at_end`, which ends the walk
    impossible: Jump | None = None
    to_end: bool = False  # whether nothing ended the walk before the search ended
    # whether the search wrote anything other than jumps and the taking back of its latest jump
    lost: bool = False


def follow(known: Positions, noted: Noted) -> Walk:
    """Return the walk of a search through the positions of a small board.

    The walk is lost as soon as a cell's old value is not the value last seen there: something wrote to the
    cell unseen.
    """
    walk = Walk(lost=True)
    now, path, made = known.start, [known.start], list[Jump]()
    walk.tried[now] = []
    # How many cells were set until the latest jump was made, or taken back, and which were set since.
    settled = since = 0
    for number, each in enumerate(noted.cells):
        if each.new == BLOCKED or (each.old == PEG) != bool(now & each.bit):
            break
        begun = noted.cells[settled : settled + 3]
        more = each.bit if each.old == each.new or not each.bit & since else 0
        walk.in_part = _in_part(known, made, path, now, each.bit, more)
        if walk.in_part is not None:
            walk.impossible = _impossible(known, begun)  # it may begin where the last jump ended
            break
        since |= each.bit
        now = now | each.bit if each.new == PEG else now & ~each.bit
        if number == settled + 2:
            walk.impossible = _impossible(known, begun)
            again = made and since == path[-1] ^ path[-2]
            if again and not walk.impossible and now != path[-2]:  # all three of its cells were set
                walk.in_part = made[-1], now ^ path[-2]
            if walk.impossible or walk.in_part:
                break
        if (now ^ path[-1]).bit_count() < 3:
            continue
        settled, since = number + 1, 0
        if len(path) > 1 and now == path[-2]:
            walk.ended.add(left := path.pop())
            walk.last_stuck = walk.last_stuck if walk.tried[left] else left
            made.pop()
            walk.steps.append(None)
            continue
        jump = known.jump_to(path[-1], {now})
        if jump is None:
            walk.undone = known.jump_to(now, {path[-1]})
            break
        walk.tried[path[-1]].append(jump)
        walk.tried[now] += []
        path.append(now)
        made.append(jump)
        walk.steps.append(jump)
    else:
        walk.to_end = True
        walk.lost = now != path[-1] or bool((known.board(now) != noted.board).any())
    walk.in_part = walk.in_part or _in_part(known, made, path, now, 0, 0)
    walk.not_back, walk.at_end = made, path[-1]
    walk.ended |= set() if made else {known.start}
    return walk


def _in_part(
    known: Positions, made: Sequence[Jump], path: Sequence[int], now: int, coming: int, more: int
) -> tuple[Jump, int] | None:
    """Return the last jump and its cells that are not as they were, if some are, and no other cell differs.

    Args:
        coming: the cell that is set next.
        more: the same cell, unless it is set back; if it is one of the jump's, there is more to come.
    """
    if not made or now == path[-1]:
        return None
    cells, left, written = path[-1] ^ path[-2], now ^ path[-2], now ^ path[-1] | coming
    if not left or left & ~cells or more & cells:
        return None
    begun = any(written & ~those == 0 and path[-1] & those == pegs for those, pegs, _ in known.jumps)
    return None if begun else (made[-1], left)


def _impossible(known: Positions, written: Sequence[CellSet]) -> Jump | None:
    """Return the jump that three cells were set for, if some of them were not as it needs them; else None."""
    if all(each.old != each.new for each in written):
        return None
    cells = sum({each.bit for each in written})
    end = sum(each.bit for each in written if each.new == PEG)
    return next((jump for those, pegs, jump in known.jumps if those == cells and those ^ pegs == end), None)
