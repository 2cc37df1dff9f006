"""Work out the truth about a small board's positions, and what a student's table says about them."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random
from typing import Any

from framework.board import SIZE, Board, format_board
from framework.jumps import Jump
from grader.catalog.boards import Facts
from grader.catalog.images import symmetries
from grader.judging.holes import Holes, Reachable, kept, pegs_of
from grader.judging.kinds.client import question
from grader.judging.kinds.kind import chance, chance_order
from grader.judging.numbers_sent import KeySet
from grader.sandbox.answers import ClientAnswer

MOST_POSITIONS = 25_000  # a tenth of a second in plain Python
MOST_LOOKED_UP = 60_000  # boards: half a second in the child
DRAWN, STRANGE = 200, 50  # positions at most, and boards that are none
FAR = 3  # cells: a peg that is moved so far along a row or a column keeps its colours
ONE_KEY_FOR = 16  # positions at most: eight images may share a key, and not every board is stored


class Positions(Reachable):
    """Every position that can be reached from a board, and their images."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._symmetries = list(symmetries(board))
        images = (image for position in self.after for image in self.images(position))
        # the positions, then their images that are not among them, if the holes are symmetric
        self.looked_up = [*self.after, *dict.fromkeys(each for each in images if each not in self.after)]

    def images(self, position: int) -> Iterator[int]:
        """Yield the turned and mirrored images of a position that fall on the same holes."""
        yield from images_by(position, self._symmetries)

    def depth(self, position: int) -> int:
        """Return how many jumps lead from the start to a position."""
        return self.start.bit_count() - position.bit_count()

    def jumps_to(self, position: int, those: Container[int]) -> Iterator[Jump]:
        """Yield the jumps that lead from a position to one of `those`."""
        for cells, pegs, jump in self.jumps:
            if position & cells == pegs and position ^ cells in those:
                yield jump

    def jump_to(self, position: int, those: Container[int]) -> Jump | None:
        """Return the first jump that leads from a position to one of `those`; None if there is none."""
        return next(self.jumps_to(position, those), None)

    def after_jump(self, position: int, jump: Jump) -> int:
        """Return the position after a jump."""
        return next(position ^ cells for cells, _, each in self.jumps if each == jump)

    def endings(self, position: int) -> list[tuple[int, int]]:
        """Return the cells on which the last peg of a winning position can end."""
        level = {position}
        while any(each.bit_count() > 1 for each in level):
            level = {each for one in level for each in self.after[one] if each in self.winning}
        return sorted(divmod(each.bit_length() - 1, SIZE) for each in level)

    def better_tried(self, orders: Mapping[int, Sequence[Jump]]) -> tuple[int, int]:
        """Return in how many pairs of jumps the one that can leave fewer pegs comes first, and comes last.

        Args:
            orders: for some positions, their jumps in the order in which they were tried.
        """
        fewest: dict[int, int] = {}
        for position in reversed(self.after):
            fewest[position] = min([position.bit_count(), *(fewest[each] for each in self.after[position])])
        found = Counter[bool]()
        for position, jumps in orders.items():
            left = [fewest[self.after_jump(position, jump)] for jump in jumps]
            found.update(one < other for one, other in combinations(left, 2) if one != other)
        return found[True], found[False]

    def with_jumps(self) -> set[int]:
        """Return the positions on which a jump is possible."""
        return {position for position, reached in self.after.items() if reached}

    def met_again(self) -> set[int]:
        """Return the positions on which a jump is possible and that can be reached in several ways."""
        ways = self.ways()
        return {position for position in self.with_jumps() if ways[position] > 1}


class Drawn(Holes):
    """What a table must hold after a search of an unsolvable board, and what it must not, drawn by chance."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        lot, turned = chance(f"drawn {format_board(board)}"), list(symmetries(board))
        ways = self._ways(board)
        again = sorted(position for position, number in ways.items() if number > 1)
        drawn = lot.sample(again, min(len(again), 4 * DRAWN))
        must_be = [each for each in drawn if self.positions_after(each)][:DRAWN]
        # positions that a search must record, each with its images; every position that has a jump and can be
        # reached in several ways is equally likely
        self.groups = [[each, *images_by(each, turned)] for each in must_be]
        moved = (self._moved(lot.choice(again), lot) for _ in range(20 * STRANGE * bool(again)))
        groups = ([each, *images_by(each, turned)] for each in dict.fromkeys(moved))
        # such groups of boards that cannot be reached, though no count of pegs or colours shows it
        self.strange = [*islice(filter(ways.keys().isdisjoint, groups), STRANGE)]

    @property
    def texts(self) -> list[str]:
        """All these boards, as texts to look up."""
        return [self.text(each) for group in [*self.groups, *self.strange] for each in group]

    def _ways(self, board: Board) -> dict[int, int]:
        """Return all positions that can be reached, each with the number of jumps that lead to it."""
        try:  # a page has no numpy; there, boards are small
            import numpy as np  # in plain Python a board with 200,000 positions takes over a second
        except ImportError:
            return Reachable(board).ways()
        level, found = np.array([self.start], dtype=np.uint64), {self.start: 0}
        while len(level):
            bits = ((np.uint64(cells), np.uint64(pegs)) for cells, pegs, _ in self.jumps)
            after = [level[level & cells == pegs] ^ cells for cells, pegs in bits]
            level, numbers = np.unique(np.concatenate(after), return_counts=True)
            found.update(zip(level.tolist(), numbers.tolist(), strict=True))
        return found

    def _moved(self, position: int, lot: Random) -> int:
        """Return a position with one peg moved so that it keeps its colours."""
        pegs, empty = (
            [divmod(place, SIZE) for place in pegs_of(bits)] for bits in (position, sum(self.bits) ^ position)
        )
        moves = [
            (1 << SIZE * row + col) | (1 << SIZE * other + over)
            for row, col in pegs
            for other, over in empty
            if (row, abs(col - over)) == (other, FAR) or (col, abs(row - other)) == (over, FAR)
        ]
        return position ^ lot.choice(moves) if moves else position


@dataclass(frozen=True)
class Table:
    """What a student's table holds, as far as it was looked up."""

    size: int  # the table's size, as the program reports it
    keys: int  # how many different keys in it belong to boards that were looked up
    recorded: set[int]  # the positions that are in it, as they are or as an image
    itself: int  # how many positions are in it as they are
    shared: set[int]  # of the positions in it as they are, those that share their key with another one

    @property
    def is_known(self) -> bool:
        """Whether the table holds nothing but the keys of boards that were looked up."""
        return self.size == self.keys


def is_small(facts: Facts) -> bool:
    """Return whether a board has few enough positions to examine every one."""
    return facts.positions is not None and facts.positions <= MOST_POSITIONS


def needs_memory(facts: Facts) -> bool:
    """Return whether an unsolvable board has positions that a search without memory visits again."""
    if facts.solvable is not False or facts.positions is None or facts.naive_nodes is None:
        return False
    return facts.naive_nodes > facts.positions


def is_too_small(states: int, facts: Facts) -> bool:
    """Return whether a table is too small for an unsolvable board, even if many positions share each key."""
    return facts.positions is not None and states * ONE_KEY_FOR < facts.positions


positions = kept(4)(Positions)  # of small boards
drawn = kept(16)(Drawn)


def strange(board: Board) -> list[str]:
    """Return boards that cannot be reached from an unsolvable board, as boards to look up."""
    known = drawn(board)
    return [known.text(each) for group in known.strange for each in group]


def images_by(position: int, ways: Iterable[Sequence[int]]) -> Iterator[int]:
    """Yield the images of a position, by what `symmetries` yields."""
    for places in ways:
        yield sum(1 << places[cell] for cell in pegs_of(position))


def boards_to_look_up(board: Board) -> list[str]:
    """Return a small board's positions and their images, as boards to look up; none if there are too many."""
    known = positions(board)
    if len(known.looked_up) > MOST_LOOKED_UP:
        return []
    return [known.text(each) for each in known.looked_up]


def table_of(known: Positions, states: int, found: Sequence[int]) -> Table | None:
    """Return what a table of size `states` holds; None if `found` does not have a number for each board.

    The number stands for the board's key; it is 0 if the key is not in the table.
    """
    if len(found) != len(known.looked_up):
        return None
    keys = {board: key for board, key in zip(known.looked_up, found, strict=True) if key}
    itself = keys.keys() & known.after.keys()
    by_image = {
        position for position in known.after if any(image in keys for image in known.images(position))
    }
    owners = Counter(keys[position] for position in itself)
    shared = {position for position in itself if owners[keys[position]] > 1}
    return Table(states, len(set(keys.values())), itself | by_image, len(itself), shared)


# ---- boards are looked up in a table, without a word of the program that it could make up ----------------


def look_ups(solve: dict[str, Any], boards: Sequence[str]) -> list[dict[str, Any]]:
    """Return what to ask: for the table that `solve`, a request, leaves, and for the keys of these boards.

    One child hands over the keys in its table before any board is named. Two fresh ones then make the keys,
    each of two thirds of the boards, in an order that tells nothing, and the judge looks these up itself. A
    key made up from the other boards that are asked for, such as a rank, differs from one child to the other.
    """
    texts = [[boards[each] for each in half] for half in halves(len(boards), "look up")]
    return [{**solve, "kind": "kept"}, *(question([], each, False) for each in texts)]


def looked_up(table: Sequence[int], made: Sequence[ClientAnswer], boards: int) -> list[int] | None:
    """Return, for each of so many boards, a number that stands for its key, or 0 if the table lacks that key.

    None if there is no key for each, or two of one board.
    """
    keys = joined(halves(boards, "look up"), [each.keys for each in made])
    return None if keys is None else [*map(KeySet(table).number, keys)]


def halves(count: int, what: str) -> list[Sequence[int]]:
    """Return the numbers below `count` in two parts, drawn by chance, that have a third of them in common."""
    order, third = chance_order(count, what), count // 3
    second = order[third:]
    return [order[: count - third], [second[each] for each in chance_order(len(second), f"{what} again")]]


def joined(parts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the answers to questions asked in these parts, in the questions' own order.

    None if there is no answer to each, or two to one.
    """
    placed: dict[int, int] = {}
    for part, each in zip(parts, answers, strict=True):
        if len(part) != len(each) or any(
            placed.setdefault(*one) != one[1] for one in zip(part, each, strict=True)
        ):
            return None
    return [placed[place] for place in sorted(placed)]
