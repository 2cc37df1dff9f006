"""Run a simulated program that solves boards, with one fault or none, on one board.

It is made of switches, one for each thing that programs get wrong, and stands for any program with that
fault. A search whose answer depends on the board alone is not repeated, so that even a search without memory
takes no longer than there are positions; `calls` says how long it would have taken.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from framework.jumps import Jump
from grader.judging.examples.rules import ALL_TRUE, CELLS, Change, JumpsOf, Rules, Step, pegs_on

MOST_SEARCHED = 10_000  # boards; the largest example has half as many positions
Line = tuple[()] | tuple[Jump, "Line"]  # the jumps on the stack, the top one first
Key = Callable[[int], int]


class Known(Enum):
    """What a program does when a jump leads to a board that is in its table."""

    SKIPS = auto()  # nothing but go on: right
    LEAVES = auto()  # returns at once, and the jump is never taken back
    STOPS = auto()  # takes the jump back, and tries no other jump of the board before


@dataclass(frozen=True)
class Program:
    """A program that solves boards; without arguments, it is right and has no table."""

    rules: Rules = ALL_TRUE  # the jumps it believes in
    # which of the jumps that are possible it tries, and in which order
    order: Callable[[Sequence[Step]], Sequence[Step]] | None = None
    # one_jump_a_board, one_jump_a_peg: whether it tries no other jump of the board, or of the peg
    one_jump_a_board: bool = False
    one_jump_a_peg: bool = False
    counts_down: bool = True  # whether it counts the peg that a jump takes
    begins_with: int | None = None  # the number of pegs that a board without jumps has; None for those on it
    # the fewest pegs so far, from those before, those that a jump led to, and those on the board
    counted: Callable[[int, int, int], int] = lambda fewest, left, pegs: min(fewest, left)
    pushes_at: int = 1  # the most pegs left after which it pushes a move
    enough: int = 1  # the most pegs left after which it tries no other jump
    # whether it pushes a move before what follows it, so that the last one is on top
    pushes_early: bool = False
    pushes_failures: bool = False  # whether it also pushes moves that did not lead to a solution
    pushes_nothing: bool = False  # whether it pushes no move at all
    # what becomes of a jump when it is made a move and is read again
    written: Callable[[Jump], Jump] | None = None
    key: Key | None = None  # the key of a board in its table; None for a search without a table
    known_is_won: bool = False  # whether it takes a board in the table for a solved one
    on_known: Known = Known.SKIPS  # what it does when a jump leads to a board in the table
    # whether it tells the table the board after the last jump instead of the board itself
    tells_child: bool = False
    forgets_fewest: bool = False  # whether it returns the pegs on the board for each board that it gives up
    most_keys: int | None = None  # how many keys the table may have before it gives up every board
    never_finds: bool = False  # whether nothing is ever found in the table
    lost_at: int = 0  # the number of pegs at which it takes every board for lost; 0 for none
    # the cells on which it believes that the last peg can be; None for all
    ends: Callable[[int], int] | None = None


class End(Enum):
    """How a simulated program ended."""

    ANSWERED = auto()
    CRASHED = auto()
    SLOW = auto()


class Answer(NamedTuple):
    """What a program answered."""

    end: End  # how it ended; what follows is only there if it answered
    number: int = 0  # the number of pegs
    # the jumps on its stack in the order played; None if there are more than a game has
    jumps: tuple[Jump, ...] | None = ()
    board: int = 0  # the board as it left it


class _Crashed(Exception):
    """The program crashes."""


class _Slow(Exception):
    """The program searches far too many boards."""


class _Found(NamedTuple):
    """What the search of a board returned: the number, the board then, the stack, and the calls it took."""

    left: int
    board: int
    line: Line = ()
    calls: int = 1


def answer(program: Program, board: int, jumps: JumpsOf) -> Answer:
    """Return what a program answers, or raise TooMuch if it takes more effort than `jumps` has left."""
    search = _Search(program, board, jumps)
    try:
        found = search.solve(board, pegs_on(board), 0)
    except _Crashed:
        return Answer(End.CRASHED)
    except _Slow:
        return Answer(End.SLOW)
    if program.never_finds and found.calls > MOST_SEARCHED:
        return Answer(End.SLOW)
    line = []
    rest: Line = () if program.pushes_nothing else found.line
    while rest:
        jump, rest = rest
        line.append(program.written(jump) if program.written else jump)
    played = tuple(reversed(line) if program.pushes_early else line)
    return Answer(End.ANSWERED, found.left, None if search.pushed_more else played, found.board)


class _Search:
    """One run; `pushed_more` says whether moves were pushed that are no part of one solution."""

    def __init__(self, program: Program, board: int, jumps: JumpsOf) -> None:
        self._program = program
        self._jumps = jumps
        self._ends = program.ends(board) if program.ends else -1
        self._has_table = program.key is not None and not program.never_finds
        self._known: dict[tuple[int, int], _Found] = {}  # without a table: what was found before
        self._keys: set[int] = set()  # the table
        self._searched = 0
        self.pushed_more = False

    def solve(self, board: int, pegs: int, depth: int) -> _Found:
        """Search a board on which the program counts that many pegs."""
        program = self._program
        self._jumps.effort.spend(1)
        if pegs == 1 and not program.one_jump_a_board:
            return _Found(1 if board & self._ends else 2, board)
        if pegs == program.lost_at:
            return _Found(pegs, board)
        if depth > CELLS:
            raise _Crashed  # the recursion has no end
        if self._has_table:
            return self._looked_up(board, pegs, depth)
        found = self._known.get((board, pegs))
        if found is None:
            found = self._try_all(board, pegs, depth)[0]
            self._known[board, pegs] = found
        return found

    def _looked_up(self, board: int, pegs: int, depth: int) -> _Found:
        program = self._program
        key = self._key(board)
        if key in self._keys:
            return _Found(1 if program.known_is_won else pegs, board)
        if program.most_keys is not None and len(self._keys) > program.most_keys:
            return _Found(pegs, board)
        found, last = self._try_all(board, pegs, depth)
        if found.left == 1 or last is None:
            return found
        self._keys.add(self._key(last) if program.tells_child else key)
        return found._replace(left=pegs) if program.forgets_fewest else found

    def _key(self, board: int) -> int:
        assert self._program.key is not None
        return self._program.key(board)

    def _try_all(self, board: int, pegs: int, depth: int) -> tuple[_Found, int | None]:
        """Try the jumps of a board; also return the board whose key the table may be told, None for none."""
        program = self._program
        self._searched += 1
        if self._searched > MOST_SEARCHED:
            raise _Slow
        fewest = pegs if program.begins_with is None else program.begins_with
        line: Line = ()
        last, calls = board, 1
        steps, at = self._tried(board), 0
        while at < len(steps):
            step = steps[at]
            at += 1
            last = _after(board, step.play)
            is_known = program.on_known != Known.SKIPS and self._key(last) in self._keys
            if is_known and program.on_known == Known.LEAVES:
                return _Found(fewest, last, line, calls), None
            found = self.solve(last, pegs - program.counts_down, depth + 1)
            calls += found.calls
            before, board = board, _after(found.board, step.take_back)
            if is_known:
                return _Found(fewest, board, line, calls), last
            if found.left <= program.pushes_at:
                self.pushed_more |= bool(line)
                line = (step.jump, found.line)
            elif program.pushes_failures:
                self.pushed_more = True
            fewest = program.counted(fewest, found.left, pegs)
            if program.one_jump_a_board or found.left <= program.enough:
                return _Found(found.left, board, line, calls), last
            if board != before or program.one_jump_a_peg:
                passed = step.place | 7 if program.one_jump_a_peg else step.place
                steps, at = [each for each in self._tried(board) if each.place > passed], 0
        return _Found(fewest, board, line, calls), last

    def _tried(self, board: int) -> Sequence[Step]:
        steps = self._jumps.on(board)
        return self._program.order(steps) if self._program.order else steps


def _after(board: int, change: Change | None) -> int:
    if change is None:
        raise _Crashed
    return board & change.keep | change.put
