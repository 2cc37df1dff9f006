"""Lower bounds on the number of moves, without a search.

A *region* is a set of holes such that no jump over one of them both starts and ends outside the set. The
smallest regions are corners: single holes over which nothing can jump. Merson found the regions of the
English board, and Bell those of other boards. Beasley's book The Ins and Outs of Peg Solitaire uses Merson's
to bound the moves of the single-vacancy problems.

While a region is filled with pegs, no jump ends in it. So the first jump that touches it starts in it, with a
peg that has not moved before, and thus begins a move. Hence a region that is filled now, but not at the end,
needs a move that starts in it. A move starts in only one hole. So the number of moves is at least the size of
the smallest set of holes that has a hole in each such region. The usual bound, the number of regions without
a common hole, is never higher.
"""

from collections.abc import Sequence
from functools import lru_cache

from grader.oracle.shape import Shape

LARGEST = 10  # holes; regions up to this size are listed beforehand, larger ones are found when needed
MOST_STEPS = 5_000  # branches in the search for the fewest holes; then the bound reached so far must do


class Regions:
    """The regions that matter on the way to one goal.

    Attributes:
        goal: the position to end on.
        known: regions that are not within the goal's pegs, as positions, the smallest first; more are added
            when a position needs them.
    """

    def __init__(self, shape: Shape, goal: int) -> None:
        self.goal = goal
        self.known = [region for region in small_regions(shape) if region & ~goal]
        self._outer = _outer_holes(shape)

    def moves_from(self, position: int) -> int:
        """Return a lower bound on the moves from a position to the goal."""
        if position == self.goal:
            return 0
        while True:
            count, hit = least_hitting_set([region for region in self.known if not region & ~position])
            missed = self._largest_in(position & ~hit)
            if not missed & ~self.goal:
                return max(count, 1)
            self.known.append(self._shrunk(missed))
            self.known.sort(key=_size)

    def _largest_in(self, holes: int) -> int:
        """Return the largest region in a set of holes: the union of all its regions, or 0 if it has none."""
        before = 0
        while holes != before:
            before = rest = holes
            while rest:
                hole = rest & -rest
                rest ^= hole
                if any(not outer & holes for outer in self._outer[hole.bit_length() - 1]):
                    holes ^= hole
        return holes

    def _shrunk(self, region: int) -> int:
        """Return a region within the given region that is not within the goal and is as small as possible."""
        for hole in range(region.bit_length()):
            smaller = self._largest_in(region & ~(1 << hole))
            if smaller & ~self.goal:
                region = smaller
        return region


def _size(region: int) -> tuple[int, int]:
    return region.bit_count(), region


@lru_cache(maxsize=64)
def _outer_holes(shape: Shape) -> list[list[int]]:
    """Return for each hole the pairs of holes from which and to which a peg may jump over it.

    Each pair is a position with two pegs.
    """
    outer: list[list[int]] = [[] for _ in shape.holes]
    for three in shape.threes:
        outer[three.middle].append(1 << three.first | 1 << three.last)
    return outer


@lru_cache(maxsize=64)
def small_regions(shape: Shape) -> list[int]:
    """Return the regions of up to LARGEST holes that contain no smaller region, the smallest first."""
    outer = _outer_holes(shape)
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [1 << hole for hole in range(len(shape.holes))]
    while waiting:
        holes = waiting.pop()
        if holes in seen:
            continue
        seen.add(holes)
        crossed = next(
            (
                pair
                for hole in range(len(shape.holes))
                if holes >> hole & 1
                for pair in outer[hole]
                if not pair & holes
            ),
            None,
        )
        if crossed is None:
            found.add(holes)
        elif holes.bit_count() < LARGEST:
            first = crossed & -crossed
            waiting += [holes | first, holes | crossed ^ first]
    least = [each for each in found if not any(other != each and not other & ~each for other in found)]
    return sorted(least, key=_size)


def least_hitting_set(sets: Sequence[int]) -> tuple[int, int]:
    """Find the fewest elements that hit every given set; return how many they are, and the elements.

    A set is hit if one of its elements is among them.

    Args:
        sets: sets of bits, none empty.

    Returns:
        The number and the elements. If the search would need more than MOST_STEPS branches, the number is
        only a lower bound, and there may be more elements than that; they still hit every set.
    """
    ordered = sorted(sets, key=_size)
    steps = 0

    def hit(left: list[int], allowed: int) -> int | None:
        """Return at most `allowed` elements that hit every set in `left`, or None if there are none."""
        nonlocal steps
        if not left:
            return 0
        steps += 1
        if steps > MOST_STEPS or disjoint(left)[0] > allowed:
            return None
        rest = left[0]
        tried = 0
        while rest:
            element = rest & -rest
            rest ^= element
            # An element that was tried for this set need not be tried again for another set.
            remaining = [each & ~tried for each in left if not each & element]
            tried |= element
            if all(remaining):
                found = hit(sorted(remaining, key=_size), allowed - 1)
                if found is not None:
                    return found | element
        return None

    count, elements = disjoint(ordered)
    while steps <= MOST_STEPS:
        found = hit(ordered, count)
        if found is not None:
            return count, found
        count += steps <= MOST_STEPS  # otherwise the search was stopped, and proved nothing
    return count, elements


def disjoint(sets: Sequence[int]) -> tuple[int, int]:
    """Choose disjoint sets greedily; return how many were chosen, and the elements of these sets."""
    used = count = 0
    for each in sets:
        if not each & used:
            used |= each
            count += 1
    return count, used


@lru_cache(maxsize=1024)
def regions_of(shape: Shape, goal: int) -> Regions:
    """Return the regions that matter on the way to a goal; they are kept for later calls."""
    return Regions(shape, goal)


def fewest_moves_bound(shape: Shape, position: int, goals: Sequence[int]) -> int:
    """Return a lower bound on the moves from a position to the nearest of some goals.

    The bound holds for every shape, and for goals with any number of pegs, whether or not they can be
    reached.

    Args:
        shape: the board.
        position: the position to start from.
        goals: positions, at least one.

    Raises:
        ValueError: there are no goals.
    """
    return min(regions_of(shape, goal).moves_from(position) for goal in goals)
