"""Sets of boards to grade instead of the tasks' own boards: private, random or turned boards."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, Protocol

from grader import paths
from grader.catalog.boards import Boards, Facts, NamedBoard, course_boards, find_board, turned
from grader.catalog.images import IMAGES
from grader.catalog.tasks import Check, Task
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_choice import OWN, BoardChoice
from grader.judging.private_boards import PrivateBoards


class GradedBoards(Boards, Protocol):
    """A set of boards to grade instead of the tasks' own boards."""

    def checks(self, task: Task) -> list[Check]:
        """Return the checks that replace the task's own; a board that the task cannot judge gets no check."""


class RandomBoards:
    """Random boards made from a seed, such as `random-1`, or `random-forced-1`, on which play is forced."""

    NAME = re.compile(r"random-(?P<forced>forced-)?(?P<number>[1-9]\d{0,3})", re.ASCII)

    def __init__(self, count: int, seed: int) -> None:
        self._count = count
        self._seed = seed
        self._made: dict[str, NamedBoard] = {}

    @property
    def names(self) -> list[str]:
        """The boards' names."""
        return [self._name(kind, number) for kind in ("", "forced-") for number in range(1, self._count + 1)]

    @property
    def where_listed(self) -> str:
        """Advice that gives the range of the names, for somebody who typed a wrong name."""
        return f"boards: random-1 to random-{self._count}, random-forced-1 to random-forced-{self._count}"

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name`, making it on first use; None if there is no such board."""
        match = self.NAME.fullmatch(name)
        if match is None or int(match["number"]) > self._count:
            return None
        if name not in self._made:
            self._made[name] = self._make(name, bool(match["forced"]), int(match["number"]))
        return self._made[name]

    def checks(self, task: Task) -> list[Check]:
        """Return one-point checks on each `random-N`, or `random-forced-N` if the task needs forced play."""
        kind = "forced-" if kinds.of(task).needs_forced_play else ""
        names = [self._name(kind, number) for number in range(1, self._count + 1)]
        first = self.find(names[0])
        if first is None or kinds.of(task).not_judged(first):  # all have the same holes
            return []
        return [
            Check(name, points, task.cpu_s, variant=variant)
            for name in names
            for variant, points in kinds.of(task).variants.items()
        ]

    @staticmethod
    def _name(kind: str, number: int) -> str:
        return f"random-{kind}{number}"

    def _make(self, name: str, forced: bool, number: int) -> NamedBoard:
        from grader.making.random_boards import random_board, random_forced_board

        made = random_forced_board(self._seed, number) if forced else random_board(self._seed, number)
        return NamedBoard(name, made.board, Facts(*made.truth), unlisted=True, hidden=True)


class TurnedBoards:
    """The tasks' own boards, each turned or mirrored so that it is not a board of the course.

    A solvable board with too many positions to count is left out, since the time of its search depends on
    which jumps are tried first, and so on how the board is turned. It is kept if the board earns points and
    the program itself chooses that order.
    """

    where_listed = "to list the boards: grade show"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @property
    def names(self) -> list[str]:
        """The names of the boards that are turned."""
        return course_boards().names

    def find(self, name: str) -> NamedBoard | None:
        """Return an image of a board: `BOARD+IMAGE` names it; for `BOARD` alone, the seed picks it."""
        if "+" in name:
            return replace(find_board(name), unlisted=True)
        board = course_boards().find(name)
        return board and replace(self._image_of(board), unlisted=True)

    def checks(self, task: Task) -> list[Check]:
        """Return the task's checks, each on an image of its board, with the same limit and points."""
        kind = kinds.of(task)
        found = [(check, find_board(check.board)) for check in task.checks if kind.has_board(check)]
        images = [
            (check, self._image_of(board))
            for check, board in found
            if (kind.has_own_order and check.points) or not _depends_on_luck(board.facts)
        ]
        turned = [(kind.turned(check, image.name.rpartition("+")[2]), image) for check, image in images]
        names = {check.board: image.name for check, image in images}
        return [
            replace(check, board=image.name, beside=names.get(check.beside, ""), others=self._turned(check))
            for check, image in turned
            if check is not None
        ]

    def _turned(self, check: Check) -> tuple[str, ...]:
        return tuple(self._image_of(find_board(other)).name for other in check.others)

    def _image_of(self, board: NamedBoard) -> NamedBoard:
        known = {board.board.tobytes(), *self._known}
        others = [
            image for image in (turned(board, each) for each in IMAGES) if image.board.tobytes() not in known
        ]
        if not others:
            return board
        digest = hashlib.sha256(f"{self._seed}/{board.name}".encode()).digest()
        return others[int.from_bytes(digest) % len(others)]

    @cached_property
    def _known(self) -> set[bytes]:
        """The boards of the course."""
        return {find_board(name).board.tobytes() for name in course_boards().names}


class OwnBoardsAnd:
    """The tasks' own boards, followed by the boards of another set."""

    def __init__(self, others: GradedBoards) -> None:
        """Add a set to the tasks' own boards.

        Raises:
            InputError: a private board has the same name as a course board.
        """
        self.others = others
        self.where_listed = f"{others.where_listed}; to list the course's boards: grade show"
        if isinstance(others, PrivateBoards):
            for name in filter(_is_of_the_course, others.names):
                raise InputError(
                    f"{paths.shown(others.index)}: boards.{name}: the course has a board of that name",
                    "give your board another name: both are graded in one run",
                )

    @property
    def names(self) -> list[str]:
        """The boards' names."""
        return [*course_boards().names, *self.others.names]

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name` from the course, or else from the set."""
        return course_boards().find(name) or self.others.find(name)

    def checks(self, task: Task) -> list[Check]:
        """Return the task's own checks, then the set's checks whose names are not among them."""
        own = {check.name for check in task.checks}
        return [*task.checks, *(check for check in self.others.checks(task) if check.name not in own)]


def _is_of_the_course(name: str) -> bool:
    """Return whether the course has a board of this name, listed or as in `english@2,4`."""
    try:
        return course_boards().find(name) is not None
    except InputError:  # a vacancy that the board does not have
        return True


def _depends_on_luck(facts: Facts) -> bool:
    """Return whether the time that a search takes depends on which jumps it happens to try first."""
    return facts.solvable is not False and facts.positions is None


def boards_of(choice: BoardChoice) -> GradedBoards:
    """Return the boards that are chosen.

    Raises:
        InputError: the folder of a private set cannot be used.
    """
    if choice.folder is not None:
        others: GradedBoards = PrivateBoards(choice.folder, told=bool(choice.files))
    else:
        others = RandomBoards(choice.count, choice.seed) if choice.count else TurnedBoards(choice.seed)
    return OwnBoardsAnd(others) if choice.with_own else others


def checks_of(task: Task, boards: GradedBoards | None) -> Sequence[Check]:
    """Return the checks of a task on a set of boards; a task that is not about boards keeps its own."""
    return task.checks if boards is None or not kinds.of(task).takes_boards else boards.checks(task)


def not_judged(tasks: Sequence[Task], boards: GradedBoards | None, options: str) -> list[str]:
    """Return a line on the tasks that no board of a set can be used for, and one on those without boards.

    Args:
        tasks: the tasks to grade.
        boards: the set; None for the tasks' own boards.
        options: the options that chose it.
    """
    if boards is None:
        return []
    if isinstance(boards, OwnBoardsAnd):
        boards, options = boards.others, options.replace(f" --boards {OWN}", "", 1)
    without = [task.name for task in tasks if not kinds.of(task).takes_boards]
    none = [task.name for task in tasks if not checks_of(task, boards)]
    lines = [f"{options.strip()}: no board that {', '.join(none)} can judge"] if none else []
    own = f"{options.strip()}: {', '.join(without)} takes no boards, and is graded on its own checks"
    return [*lines, own] if without else lines


# ---- a private set that grades like a task: other boards, but the same points and limits -----------
#
# A program that has memorized moves for the task's own boards has none for these boards.


class LikeCheck(NamedTuple):
    """A board of a private set, made to be like one of a task."""

    board: NamedBoard  # the board, and what is known about it
    check: Check | None  # its check, like the one of the task; None if it is one of the others of a check
    new: bool  # whether the board is a new one; otherwise it is an image of the task's own board


def checks_like(task: Task, seed: int, show: Callable[[str], None]) -> list[LikeCheck]:
    """Return a similar board, with its check, for each of the task's boards that earn points.

    Checks with a variant, such as `english:back-6`, are left out: there are no moves to memorize for them.

    Args:
        task: the task.
        seed: decides which boards are made; they are the same on every machine.
        show: called with a line that reports progress.
    """
    turned = TurnedBoards(seed)
    checks = [
        check
        for check in task.checks
        if check.points and not check.variant and kinds.of(task).has_board(check)
    ]
    of = {name: check for check in checks for name in check.boards}
    names = {name: f"{task.name}-{number:02}" for number, name in enumerate(of, 1)}
    made = []
    for number, (name, check) in enumerate(of.items(), 1):
        board = turned.find(name)
        assert board is not None, "`make check` reports a board that does not exist"

        def tried(times: int, said: str = f"board {number} of {len(of)}") -> None:
            show(f"{said}, try {times}")

        other = _another(board, f"like/{task.name}/{seed}/{number}", tried)
        beside, others = names.get(check.beside, ""), tuple(names[each] for each in check.others)
        like = replace(check, board=names[name], beside=beside, others=others)
        asks = like if name == check.board else None
        made.append(LikeCheck(replace(other or board, name=names[name]), asks, new=other is not None))
    return made


def _another(board: NamedBoard, seed: str, tried: Callable[[int], None]) -> NamedBoard | None:
    """Return another board like this one; None if the oracle says that this one should be kept."""
    from grader.making.chance import Chance
    from grader.making.like_boards import another_like

    facts = board.facts
    assert facts.solvable is not None, "`make check` reports a board without this fact"
    made = another_like(board.board, facts.solvable, facts.positions, Chance(seed), tried)
    if made is None:
        return None
    return replace(
        board, board=made, facts=Facts(facts.solvable, 1 if facts.solvable else None, forced=False)
    )
