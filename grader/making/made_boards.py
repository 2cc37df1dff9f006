"""Make boards of one kind on one shape, with given numbers of pegs, and find the facts about them.

- *Solvable*: made by taking random jumps back from a single peg.
- *Unsolvable*: random pegs whose parity class does not exclude a single peg, so that only a search can show
  that there is no solution. With few pegs, all positions are searched; with more, they are looked up
  in a table of the positions that can win.
- *Forced*: there is never more than one possible jump, and a single peg is left. Some holes are blocked.

All randomness comes from `Chance`, so a seed gives the same boards everywhere. No two boards of a run are
images of one another.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Literal

from framework.board import SIZE, Board
from grader.making.chance import Chance
from grader.making.random_boards import ForcedLine, forced_lines
from grader.oracle import walk
from grader.oracle.endings import Endings
from grader.oracle.explore import KnownBoard, Truth, board_of
from grader.oracle.problem import OracleError
from grader.oracle.shape import Shape

Kind = Literal["solvable", "unsolvable", "forced"]

COUNTED = 20_000  # up to this many positions are counted: 2 ms
WALKED = 1_000_000  # up to this many positions are searched to show that a board is unsolvable: 0.15 s
WALKED_PEGS = 17  # that many positions are enough for up to this many pegs on 33 holes
LOOKED_UP_HOLES = 33  # with more pegs, boards up to this size are looked up: 3 s once, then kept on disk
MOST_LOOKED_UP = 3  # pegs; tables are for ends with up to this many, since more are rarely left
TRIES = 10_000  # to make a board, if a try takes some tenths of a millisecond
TRIES_WALKED = 200  # to make a board, if a try takes some tens of milliseconds
PLACED = 1000  # draws of pegs until their class is right, as it is in one draw of 16


def made_boards(kind: Kind, shape: Shape, pegs: Sequence[int], count: int, seed: int) -> Iterator[KnownBoard]:
    """Yield `count` boards of a kind, going through the numbers of pegs in `pegs` again and again.

    Raises:
        OracleError: no more such boards could be made, none exist, or the shape is too large.
    """
    makers: dict[Kind, type[_Maker]] = {"solvable": _Solvable, "unsolvable": _Unsolvable, "forced": _Forced}
    maker = makers[kind](shape)
    seed_word = "hopeless" if kind == "unsolvable" else kind  # must never change, or the boards would change
    tries = {each: maker.tries(each) for each in pegs}
    seen: set[bytes] = set()
    for number in range(count):
        wanted = pegs[number % len(pegs)]
        chance = Chance(f"{seed_word}/{seed}/{number}")
        for _ in range(tries[wanted]):
            board = maker.draw(chance, wanted)
            if board is None or (name := _name_for_all_images(shape, board)) in seen:
                continue
            known = maker.known(board)
            if known is not None:
                seen.add(name)
                yield known
                break
        else:
            another = f" after {len(seen)} board{'s' if len(seen) > 1 else ''}" if seen else ""
            raise OracleError(
                f"no {kind} board of {wanted} pegs found in {tries[wanted]:,} tries{another}",
                "ask for other numbers of pegs, or for fewer boards; another --seed is other tries",
            )


def _name_for_all_images(shape: Shape, board: Board) -> bytes:
    """Return a name that a board, of whose holes some may be blocked, shares with all its images."""
    cells = [int(board[hole]) & 3 for hole in shape.holes]
    return min(bytes(cells[hole] for hole in symmetry) for symmetry in shape.symmetries)


class _Maker(ABC):
    """Makes boards of one kind."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def tries(self, pegs: int) -> int:
        """Return how often to try to make a board with `pegs` pegs, or raise OracleError: none exists."""
        return TRIES

    @abstractmethod
    def draw(self, chance: Chance, pegs: int) -> Board | None:
        """Return a random board of the kind with `pegs` pegs, or None when none was found."""

    @abstractmethod
    def known(self, board: Board) -> KnownBoard | None:
        """Return the board and the facts about it; None if they cannot be found or take too long."""


class _Solvable(_Maker):
    def draw(self, chance: Chance, pegs: int) -> Board | None:
        """Return a board made by taking random jumps back from a single peg; None if the jumps run out."""
        position = chance.one_of(self._shape.goals)
        for _ in range(pegs - 1):
            before = self._shape.after_jumps(self._shape.full ^ position)  # as complements
            if not before:
                return None
            position = self._shape.full ^ chance.one_of(before)
        return self._shape.board(position)

    def known(self, board: Board) -> KnownBoard:
        position = self._shape.position(board)
        walked = walk.walk(self._shape, position, COUNTED)
        return KnownBoard(board, Truth(True, 1, self._shape.is_forced(position), walked.positions))


class _Unsolvable(_Maker):
    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self._with_end = frozenset(shape.codes)  # the classes of single pegs
        self._endings = cache(lambda pegs: Endings(shape, shape.ends_with(self._class, pegs)))

    def tries(self, pegs: int) -> int:
        return TRIES if self._looked_up(pegs) else TRIES_WALKED

    def draw(self, chance: Chance, pegs: int) -> Board | None:
        """Return a board with random pegs whose parity class allows a single peg; None if none was found."""
        classes = {self._class} if self._looked_up(pegs) else self._with_end
        holes = range(len(self._shape.holes))
        for _ in range(PLACED):
            position = sum(1 << hole for hole in chance.some_of(holes, pegs))
            if self._shape.class_of(position) in classes:
                return self._shape.board(position)
        return None

    def known(self, board: Board) -> KnownBoard | None:
        """Return the board and its facts; None if it can be solved, or its fewest pegs are not known."""
        position = self._shape.position(board)
        fewest = self._fewest(position) if self._looked_up(position.bit_count()) else None
        if fewest == 1:
            return None
        walked = walk.walk(self._shape, position, COUNTED if fewest else WALKED)
        if fewest is None:
            if walked.fewest == 1 or walked.positions is None:
                return None
            fewest = walked.fewest
        return KnownBoard(board, Truth(False, fewest, self._shape.is_forced(position), walked.positions))

    def _looked_up(self, pegs: int) -> bool:
        return pegs > WALKED_PEGS and len(self._shape.holes) <= LOOKED_UP_HOLES

    def _fewest(self, position: int) -> int | None:
        """Look up the fewest pegs that can be left; None when they are more than MOST_LOOKED_UP."""
        for pegs in range(1, MOST_LOOKED_UP + 1):
            if self._endings(pegs).hold([position])[0]:
                return pegs
        return None

    @cached_property
    def _class(self) -> int:
        """The class of all boards that are looked up: of those of single pegs, that with most symmetries."""

        def symmetries(class_: int) -> int:
            return len(self._shape.symmetries_that_keep(self._shape.ends_with(class_, 1)))

        return min(self._with_end, key=lambda each: (-symmetries(each), each))


class _Forced(_Maker):
    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self._holes = sum(_cell(shape, hole) for hole in range(len(shape.holes)))
        self._symmetries = shape.symmetries_that_keep(shape.goals)
        goals = (goal.bit_length() - 1 for goal in shape.goals)
        ends = {min(symmetry[goal] for symmetry in self._symmetries) for goal in goals}
        self._lines = forced_lines(self._holes, [_cell(shape, hole) for hole in ends])

    def tries(self, pegs: int) -> int:
        if pegs > len(self._lines):
            raise OracleError(
                f"no forced board has {pegs} pegs on these {len(self._shape.holes)} holes; the largest has "
                f"{len(self._lines)}, and all were looked at",
                "ask for fewer pegs, or for more holes: --board square has forced boards up to 22",
            )
        return TRIES

    def draw(self, chance: Chance, pegs: int) -> Board | None:
        """Return a board whose play is forced: made at random, perhaps turned, some unused cells blocked."""
        line: ForcedLine = chance.one_of(self._lines[pegs - 1])
        symmetry = chance.one_of(self._symmetries)
        blocked = chance.share()
        holes = taken = 0
        for number, to in enumerate(symmetry):
            cell = _cell(self._shape, number)
            if cell & line.used or (cell & line.holes and chance.share() >= blocked):
                holes |= _cell(self._shape, to)
            if cell & line.pegs:
                taken |= _cell(self._shape, to)
        return board_of(taken, holes)

    def known(self, board: Board) -> KnownBoard:
        return KnownBoard(board, Truth(True, 1, True, int((board == 1).sum())))


def _cell(shape: Shape, hole: int) -> int:
    """Return the hole with the number `hole`, as a set of one cell; see `explore`."""
    row, col = shape.holes[hole]
    return 1 << SIZE * row + col
