"""Define the base classes of kinds of task and of their parts: what children are asked, what answers earn."""

import random
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from framework.jumps import Jump
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict

_T = TypeVar("_T")
NOTHING = Message()
_CHANCE = secrets.token_hex()  # new in each process


@lru_cache(16)  # few, since a hostile answer can choose the count
def chance_order(count: int, what: str) -> Sequence[int]:
    """Return the numbers below `count` in an unpredictable order, which is the same whenever `what` is."""
    return tuple(chance(what).sample(range(count), count))


def chance(what: str) -> random.Random:
    """Return a random generator that no program can predict; in one process, `what` decides its numbers."""
    return random.Random(f"{_CHANCE} {what}")


def ruled(result: Result, verdict: Verdict, told: Message = NOTHING) -> Result:
    """Return a copy of a result with the given verdict and message."""
    return replace(result, verdict=verdict, **told.fields)


def accepted(result: Result, told: Message = NOTHING) -> Result:
    """Return a copy of a result with all its points."""
    return ruled(replace(result, points=result.max_points), Verdict.ACCEPTED, told)


def unpaid(result: Result, told: Message) -> Result:
    """Return a copy of a result without its points, and with the message that says why."""
    return ruled(replace(result, points=0), result.verdict, told)


def words_of(told: Message) -> Message:
    """Return a message that says the same beside another one, which keeps its own identity and help."""
    return replace(told, id="", help="", command="")


def below(result: Result, told: Message) -> Result:
    """Return the result with more said below its message."""
    return ruled(result, result.verdict, told.under(Message.of(result)))


def above(result: Result, told: Message) -> Result:
    """Return the result with the cause of its message said first."""
    both = Message.of(result).under(told)
    first = replace(both, id=told.id, help=told.help, command=told.command, pictures=told.pictures)
    return ruled(result, result.verdict, first)


def in_own_order(answers: list[_T], order: Sequence[int]) -> list[_T]:
    """Return the answers to questions that were asked in `order`, put back into the questions' own order."""
    placed = dict(zip(order, answers, strict=True))
    return [placed[place] for place in range(len(placed))]


def depends_on_more(function: str, result: Result) -> Result:
    """Return the result of a check in which a function gave two different values for the same argument."""
    told = say("depends-on-more", function=function)
    return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)


class Kind(ABC):
    """A kind of task. One object serves all tasks of the kind; `tasks.yaml` says how they differ."""

    # the variants to check on a board that the task does not list, see `Check.variant`, each with the points
    # that it is worth there where a board is worth one
    variants: ClassVar[Mapping[str, int]] = MappingProxyType({"": 1})
    # whether the student's files are programs; other files are only read, by `judge_text`
    runs_programs: ClassVar[bool] = True
    takes_boards: ClassVar[bool] = True  # whether the task can be run on boards other than its own
    is_search: ClassVar[bool] = True  # whether the student's function must be compiled to be fast enough
    # whether each check tests a different function, so that a missing one says nothing about the others
    asks_other_functions: ClassVar[bool] = False
    answer_bytes: ClassVar[int] = 1 << 19  # the size of the longest honest answer frame, in bytes
    # the student's functions that need not be compiled
    plain_functions: ClassVar[tuple[str, ...]] = ("peg_solve",)
    shows_facts: ClassVar[bool] = True  # whether the table of results has room for a board's facts
    # whether answers are judged only on boards that never leave a choice of jumps
    needs_forced_play: ClassVar[bool] = False
    answers_any_board: ClassVar[bool] = False  # whether the program can be run on any board, which hints need
    # whether a right answer on an unsolvable board requires visiting all its positions
    visits_all: ClassVar[bool] = False
    has_own_order: ClassVar[bool] = False  # whether the program chooses the order in which it tries jumps

    # ---- what is asked -------------------------------------------------------------------------

    def has_board(self, check: Check) -> bool:
        """Return whether a check uses a board; other checks are named after what they test."""
        return self.takes_boards

    def is_variant(self, text: str) -> bool:
        """Return whether `text` can stand after the colon of a check's name."""
        return text in self.variants and bool(text)

    def asks_part(self, check: Check) -> bool:
        """Return whether a check asks a part of the idea by itself, and not for a search of its board."""
        return False

    def board_of(self, name: str) -> tuple[str, str]:
        """Return the board and the variant that a check's name stands for."""
        board, _, variant = name.rpartition(":")
        return (board, variant) if board and self.is_variant(variant) else (name, "")

    def turned(self, check: Check, image: str) -> Check | None:
        """Return the check for an image of its board, of `images.IMAGES`; None if that cannot be asked."""
        return check

    def check_board(self, board: NamedBoard) -> None:
        """Raise InputError for a board that this kind of task cannot use."""
        return

    @abstractmethod
    def request(self, asked: Asked) -> dict[str, Any]:
        """Return the question for the child, as plain data; see sandbox/child/questions.py."""

    def more_requests(self, asked: Asked, answer: Any) -> list[dict[str, Any]]:
        """Return the questions that verify an answer, each for a fresh child process; usually none.

        A fresh child remembers nothing, so a program that only memorizes its questions cannot answer them.
        """
        return []

    def boards_to_look_up(self, asked: Asked, answer: Any) -> list[str]:
        """Return the boards to look up in the table of a program that has answered; usually none.

        What is found explains an answer that has its verdict already; it can cost only the table's points.
        The table of a hidden board is never looked into.
        """
        return []

    @abstractmethod
    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        """Return the question that new code is asked once, so that it is compiled before it is timed.

        The code may leave notes for later, so this question must not reveal what the checks will ask.
        """

    # ---- what an answer earns ------------------------------------------------------------------

    @abstractmethod
    def parse(self, loaded: dict[str, Any]) -> Any:
        """Return the answer contained in the data that a child sent, or raise FrameError."""

    @abstractmethod
    def judge(self, asked: Asked, answer: Any, result: Result) -> Result:
        """Return `result`, which already has the measurements, with the verdict and the points added."""

    def judge_text(self, asked: Asked, text: str, file: Path, result: Result) -> Result:
        """Return `result` with the verdict on a file that is no program, which students call `file`."""
        raise NotImplementedError  # only kinds whose files are no programs are asked

    def tried(self, asked: Asked, answer: Any, more: Sequence[Any], result: Result) -> Result:
        """Return `result`, which already has a verdict, revised to fit the answers to `more_requests`."""
        return result

    def looked_up(self, asked: Asked, answer: Any, found: list[int] | None, result: Result) -> Result:
        """Return `result`, which already has a verdict, revised to fit what was found in the table.

        `found` has a number for each board, 0 if it is not there; None if the program gave no answer.
        """
        return result

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Return all results of a task, with points adjusted where they depend on one another."""
        return results

    def not_judged(self, board: NamedBoard) -> str:
        """Return why some answers on a board cannot be judged; empty if all can."""
        return ""

    def lacks(self, check: Check, board: NamedBoard) -> str:
        """Return the fact that is missing from the index to judge a listed board; empty if none is."""
        return self.not_judged(board)

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        """Return the true answer for the board, worded for the table of results."""
        return ""

    def moves_found(self, results: Sequence[Result]) -> list[str]:
        """Return lines that show the solutions found; empty for tasks that do not show them."""
        return []

    def where(self, check: str) -> str:
        """Return the words that say where a fault is: `on english`, or `in the check hash`."""
        return f"on {check}" if self.takes_boards else f"in the check {check}"

    def parameters(self, task: Task) -> tuple[str, ...]:
        """Return the parameter names of the student's function."""
        return ("board", "stack")

    @abstractmethod
    def slow(self, asked: Asked) -> Message:
        """Return what is known about a check that ran out of time, and what to do."""

    @abstractmethod
    def loop_help(self, task: Task) -> Message:
        """Return what to do about a program that does not end on a small board."""

    def memory_help(self, task: Task) -> Message:
        """Return what to do about a program that takes too much memory."""
        return say("no-memory-needed")

    def broken_promise(self, asked: Asked, number: int, jumps: list[Jump], held: int) -> Message | None:
        """Return the message for a number that is never allowed, or not allowed with moves on the stack.

        Args:
            jumps: the jumps on the stack, the top one first; perhaps only the first few, or none.
            held: how many jumps the stack holds.
        """
        return None


class Part(ABC):
    """A function of the student's besides `peg_solve`, asked by itself by the checks `BOARD:VARIANT`."""

    function: ClassVar[str]  # its name
    # matches the variants of its checks; `number`, if there is one, says how far to go
    variant: ClassVar[re.Pattern[str]]
    answer: ClassVar[type]  # the type of its parsed answers
    verified_by: ClassVar[type] = type(None)  # the type of the answers to `more_requests`

    def number(self, asked: Asked) -> int:
        """Return the number in the check's variant."""
        match = self.variant.fullmatch(asked.check.variant)
        assert match is not None
        return int(match["number"])

    @abstractmethod
    def request(self, asked: Asked) -> dict[str, Any]:
        """Return the question for the child; see sandbox/child/questions.py."""

    @abstractmethod
    def compiling(self, board: NamedBoard) -> list[dict[str, Any]]:
        """Return small questions that have the function compiled; they tell nothing of the checks."""

    def more_requests(self, asked: Asked, answer: Any) -> list[dict[str, Any]]:
        """Return the questions that verify an answer, each for a fresh child process; usually none."""
        return []

    @abstractmethod
    def judge(self, asked: Asked, answer: Any, more: Sequence[Any] | None, result: Result) -> Result:
        """Return `result` with the verdict; `more` has the answers to `more_requests`, None before."""

    @abstractmethod
    def truth(self, asked: Asked) -> str:
        """Return the true answer, worded for the table of results."""

    @abstractmethod
    def slow(self, asked: Asked) -> Message:
        """Return the message for a check that ran out of time."""
