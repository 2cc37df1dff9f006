"""What a kind of task decides: what its children are asked, and what an answer earns."""

import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.errors import InputError
from grader.messages.phrases import Message
from grader.result import Result, Verdict

T = TypeVar("T")


NOTHING = Message()
_CHANCE = secrets.token_hex()  # of this process


@lru_cache(16)
def chance_order(count: int, what: str) -> Sequence[int]:
    """Return the numbers below `count` in an order that no program knows, always the same for `what`."""
    return tuple(random.Random(f"{_CHANCE} {what}").sample(range(count), count))


def in_own_order(answers: list[T], order: Sequence[int]) -> list[T]:
    """Return answers to questions that were put in an order, each at the place of its own question."""
    placed = dict(zip(order, answers, strict=True))
    return [placed[place] for place in range(len(placed))]


def ruled(result: Result, verdict: Verdict, told: Message = NOTHING) -> Result:
    """Return a result with a verdict and its message."""
    return replace(result, verdict=verdict, message=told.message, help=told.help, place=told.place)


def depends_on_more(what: str, result: Result) -> Result:
    """Return the result of a check in which a function did not give the same for the same argument."""
    return replace(
        result,
        verdict=Verdict.WRONG_ANSWER,
        points=0,
        message=f"{what} gave another number for the same argument when it was called again in another order",
        help=f"{what} may depend on its argument alone: no counter, no list of earlier arguments",
    )


class Kind(ABC):
    """A kind of task. One object serves all tasks of the kind; what differs stands in `tasks.yaml`.

    Attributes:
        variants: what is asked about a board that the task does not list, see `Check.variant`.
        takes_boards: whether boards other than the task's own can be asked about.
        is_search: whether the student's function must be compiled to be fast enough.
        asks_other_functions: whether each check is about a function of its own, so that one which is not
            written says nothing about the others.
        answer_bytes: the longest frame of an honest answer.
        plain_functions: those of the student's that need not be compiled.
        shows_facts: whether the table of results has room for what is true of a board.
        needs_forced_play: whether answers are judged only on boards that never leave a choice.
        answers_any_board: whether the program answers about any board, as a hint needs it.
        visits_all: whether a right answer about an unsolvable board needs a look at each of its positions.
        has_own_order: whether the order in which jumps are tried is the program's own.
    """

    variants: ClassVar[tuple[str, ...]] = ("",)
    takes_boards: ClassVar[bool] = True
    is_search: ClassVar[bool] = True
    asks_other_functions: ClassVar[bool] = False
    answer_bytes: ClassVar[int] = 1 << 19
    plain_functions: ClassVar[tuple[str, ...]] = ("peg_solve",)
    shows_facts: ClassVar[bool] = True
    needs_forced_play: ClassVar[bool] = False
    answers_any_board: ClassVar[bool] = False
    visits_all: ClassVar[bool] = False
    has_own_order: ClassVar[bool] = False

    # ---- what is asked -------------------------------------------------------------------------

    def has_board(self, check: Check) -> bool:
        """Return whether a check is about a board; others are named by what they test."""
        return self.takes_boards

    def is_variant(self, text: str) -> bool:
        """Return whether `text` can stand after the colon of a check's name."""
        return text in self.variants and bool(text)

    def board_of(self, name: str) -> tuple[str, str]:
        """Return the board and the variant in a check's name."""
        board, _, variant = name.rpartition(":")
        return (board, variant) if board and self.is_variant(variant) else (name, "")

    def turned(self, check: Check, image: str) -> Check | None:
        """Return a check of the task as one about an image of its board; None where there is none.

        Args:
            check: the check, whose board is turned by the caller.
            image: one of `images.IMAGES`.
        """
        return replace(check, steps=())

    def check_board(self, board: NamedBoard) -> None:
        """Refuse a board that cannot be asked about.

        Raises:
            InputError: it is no board for this kind of task.
        """
        return

    def takes(self, board: NamedBoard) -> bool:
        """Return whether a board can be asked about."""
        try:
            self.check_board(board)
        except InputError:
            return False
        return True

    @abstractmethod
    def request(self, asked: Asked) -> dict[str, Any]:
        """Return what the child is asked, plain data; see sandbox/questions.py."""

    def second_request(self, asked: Asked, answer: Any) -> dict[str, Any] | None:
        """Return what a fresh child is asked by which an answer is tried; None where there is no need of it.

        A program that only remembers what it was asked does not know it there.
        """
        return None

    @abstractmethod
    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        """Return what new code is asked once, to have it compiled before it is timed.

        That run may leave a word for the checks, so it is not asked what they ask.
        """

    # ---- what an answer earns ------------------------------------------------------------------

    @abstractmethod
    def parse(self, loaded: dict[str, Any]) -> Any:
        """Return the answer in a frame.

        Raises:
            FrameError: it is not one, in every detail.
        """

    @abstractmethod
    def judge(self, asked: Asked, answer: Any, result: Result) -> Result:
        """Return `result`, which has what was measured, with the verdict on an answer and its points."""

    def tried(self, asked: Asked, answer: Any, second: Any, result: Result) -> Result:
        """Return `result`, the verdict on an answer, after the answer to `second_request`."""
        return result

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Return a task's results, all of them known, with the points that depend on one another."""
        return results

    def not_judged(self, facts: Facts) -> str:
        """Return why not every answer on a board with these facts can be judged; nothing when it can."""
        return ""

    def lacks(self, check: Check, facts: Facts) -> str:
        """Return what the index must say of a listed board, and does not, for students to be judged."""
        return self.not_judged(facts)

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        """Return what is true of the board in the words of the table."""
        return ""

    def moves_found(self, results: Sequence[Result]) -> list[str]:
        """Return the solutions in lines, where boards were named and the task is to show them."""
        return []

    def parameters(self, task: Task) -> tuple[str, ...]:
        """Return the names of what the student's function is called with."""
        return ("board", "stack")

    @abstractmethod
    def slow(self, asked: Asked) -> Message:
        """Return what is known of a check that was stopped for its time, in lines, and what to do."""

    @abstractmethod
    def loop_help(self, task: Task) -> str:
        """Return what to ask of a program that does not end on a small board."""

    def memory_help(self, task: Task) -> str:
        """Return what to ask of a program that takes too much memory."""
        return "this task needs no memory beyond the board and the stack: remove what collects boards"
