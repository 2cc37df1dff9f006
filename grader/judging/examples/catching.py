"""Judge a student's boards: what is true of each, and which bugs each of them catches.

A board catches a program that breaks what holds for every board, such as a solution with an illegal jump, or
that contradicts what the student says of the board. A claim that says less catches less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, reduce
from operator import and_, or_
from pathlib import Path

from framework.board import BLOCKED, SIZE, Board, format_board
from framework.jumps import Jump
from grader.catalog.boards import course_boards, find_board
from grader.catalog.example_file import Claims, Example, read_examples
from grader.catalog.images import IMAGES, image_of
from grader.errors import InputError
from grader.judging.examples.bugs import BUGS, Bug
from grader.judging.examples.program import Answer, End, answer
from grader.judging.examples.rules import ALL_CELLS, ALL_TRUE, Effort, JumpsOf, Rules, TooMuch, number_of
from grader.judging.holes import Reachable, TooManyPositions, pegs_of

MOST_POSITIONS = 5_000  # that can be reached from a board
MOST_EFFORT = 700_000  # for all programs on a board: at most 1.5 CPU s; the reference's hardest takes 490,000
_ALL_BUGS = frozenset(range(len(BUGS)))


@dataclass(frozen=True)
class Truth:
    """What is true of a board."""

    solvable: bool
    fewest: int
    forced: bool


@dataclass(frozen=True)
class Judged:
    """A board that was judged."""

    example: Example  # the board, and what the student says of it
    truth: Truth | None  # what is true of it; None if it is too large to be judged
    same_as: str  # the name of an earlier board that is the same; empty if there is none
    image_of: str  # the name of an earlier board of which it is an image; empty if there is none
    of_course: str  # the name of a board of the course with the same play; empty if it is the student's own
    # the bugs that it catches, by their places in `BUGS`; none unless all its claims are true and it is the
    # student's own, and None if the programs take too much effort on it
    catches: frozenset[int] | None

    @cached_property
    def wrong(self) -> list[str]:
        """The claims that are wrong: `solvable`, `fewest` and `forced`."""
        return wrong_claims(self.example.claims, self.truth) if self.truth else []


@dataclass(frozen=True)
class JudgedSet:
    """A set of boards that was judged.

    `in_all` says how many boards there are in the file; not all of them may count.
    """

    boards: Sequence[Judged]
    in_all: int

    @cached_property
    def caught(self) -> frozenset[int]:
        """The bugs that are caught by any of the boards."""
        return frozenset().union(*(board.catches or () for board in self.boards))

    @property
    def missed(self) -> list[Bug]:
        """The bugs that no board catches, in the order of the list."""
        return [BUGS[place] for place in sorted(_ALL_BUGS - self.caught)]

    def only(self, board: Judged) -> int:
        """Return how many bugs no other board catches."""
        others = frozenset[int]().union(*(each.catches or () for each in self.boards if each is not board))
        return len((board.catches or frozenset()) - others)


def judged_set(text: str, file: Path) -> JudgedSet:
    """Return the boards in a student's file, judged, or raise InputError: the file is not in the form."""
    judged = _judged_set(text, file)
    if isinstance(judged, InputError):
        raise InputError(judged.message, judged.help)
    return judged


@lru_cache(4)  # all checks of the task ask about the same file, also if it is not in the form
def _judged_set(text: str, file: Path) -> JudgedSet | InputError:
    try:
        examples, in_all = read_examples(text, file)
    except InputError as error:
        return error
    boards: list[Judged] = []
    seen: dict[str, str] = {}
    images: dict[bytes, str] = {}
    for example in examples:
        same = seen.setdefault(format_board(example.board), example.name)
        image = images.setdefault(_form(example.board), example.name)
        is_new = same == example.name
        truth = truth_of(example.board)
        of_course = _course_forms().get(_played_form(example.board), "") if truth else ""
        boards.append(
            Judged(
                example,
                truth,
                "" if is_new else same,
                image if is_new and image != example.name else "",
                of_course,
                _catches(example)
                if is_new and truth and not of_course and not wrong_claims(example.claims, truth)
                else frozenset(),
            )
        )
    return JudgedSet(boards, in_all)


def _form(board: Board) -> bytes:
    """Return what a board has in common with its images, wherever they are on the 8 x 8 cells."""
    return min(_cut(image) for image in (board, *(image_of(board, name) for name in IMAGES)))


def _played_form(board: Board) -> bytes:
    """Return what a small board has in common with all boards on which the same is played.

    A hole that no peg can ever come to makes no difference: a copy with one more such hole is still a copy.
    Nor does a peg that never changes, if around it are only blocked cells, or cells that never do either.
    """
    after = Reachable(board, MOST_POSITIONS).after
    used = {*pegs_of(reduce(or_, after))}
    near = [*pegs_of(reduce(or_, after) & ~reduce(and_, after))] or [*used]
    for cell in near:  # and whatever is connected with it
        row, col = divmod(cell, SIZE)
        for beside in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            is_cell = all(0 <= part < SIZE for part in beside) and board[beside] != BLOCKED
            if is_cell and SIZE * beside[0] + beside[1] not in near:
                near.append(SIZE * beside[0] + beside[1])
    played = board.copy()
    for cell in set(range(SIZE * SIZE)) - used.intersection(near):
        played[divmod(cell, SIZE)] = BLOCKED
    return _form(played)


@cache
def _course_forms() -> dict[bytes, str]:
    """Return the names of the course's boards by their forms, without those too large to be an example."""
    boards = [find_board(name, course_boards()) for name in reversed(course_boards().names)]
    small = [each for each in boards if (each.facts.positions or MOST_POSITIONS + 1) <= MOST_POSITIONS]
    return {_played_form(each.board): each.name for each in small}


def _cut(board: Board) -> bytes:
    """Return the smallest rectangle with all holes, as bytes."""
    rows = [row for row in range(SIZE) if (board[row] != BLOCKED).any()]
    cols = [col for col in range(SIZE) if any(board[row, col] != BLOCKED for row in rows)]
    height, width = rows[-1] - rows[0] + 1, cols[-1] - cols[0] + 1
    cells = (board[rows[0] + down, cols[0] + right] for down in range(height) for right in range(width))
    return bytes([height, width, *(int(cell) + 1 for cell in cells)])


# ---- claims --------------------------------------------------------------------------------------


def truth_of(board: Board) -> Truth | None:
    """Return what is true of a board; None if too many positions can be reached from it."""
    try:
        known = Reachable(board, MOST_POSITIONS)
    except TooManyPositions:
        return None
    return Truth(known.fewest == 1, known.fewest, known.forced)


def wrong_claims(claims: Claims, truth: Truth) -> list[str]:
    """Return which claims are not true."""
    return [field for field, said in vars(claims).items() if said not in (None, getattr(truth, field))]


# ---- bugs ----------------------------------------------------------------------------------------


def _catches(example: Example) -> frozenset[int] | None:
    try:
        return catches(example)
    except TooMuch:
        return None


def catches(example: Example, bugs: Sequence[Bug] = BUGS) -> frozenset[int]:
    """Return the bugs that a board catches, by their places in `bugs`; its claims must be true.

    Raises:
        TooMuch: the programs take more than MOST_EFFORT on it.
    """
    tried = answers(example, bugs, Effort(MOST_EFFORT))
    return frozenset(bugs.index(bug) for bug, said in tried if not fits(said, example, bug.exact))


def answers(
    example: Example, bugs: Sequence[Bug], effort: Effort | None = None
) -> Iterator[tuple[Bug, Answer]]:
    """Yield what each program answers on a board, without those that are not made for it.

    Raises:
        TooMuch: all of them together take more than `effort`.
    """
    board = number_of(example.board)
    found: dict[Rules, JumpsOf] = {}
    for bug in bugs:
        if example.claims.forced or not bug.forced:
            rules = bug.program.rules
            jumps = found.setdefault(rules, JumpsOf(rules, board, effort))
            yield bug, answer(bug.program, board, jumps)


def fits(said: Answer, example: Example, exact: bool) -> bool:
    """Return whether an answer may be right, as far as the rules and the claims say.

    If it is `exact`, it should be the fewest pegs, not just any number above 1.
    """
    board, claims = number_of(example.board), example.claims
    if said.end != End.ANSWERED or not 1 <= said.number <= (board & ALL_CELLS).bit_count():
        return False
    if said.number == 1:
        return said.jumps is not None and _solves(said.jumps, board)
    if said.jumps is None or said.jumps or said.board != board:
        return False
    if claims.solvable or claims.fewest == 1:
        return False
    return not exact or claims.fewest is None or said.number == claims.fewest


def _solves(jumps: Sequence[Jump], board: int) -> bool:
    """Return whether the jumps are legal and leave a single peg."""
    legal = JumpsOf(ALL_TRUE, board)
    for jump in jumps:
        step = next((step for step in legal.on(board) if step.jump == jump), None)
        if step is None or step.play is None:
            return False
        board = board & step.play.keep | step.play.put
    return (board & ALL_CELLS).bit_count() == 1
