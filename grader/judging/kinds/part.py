"""A part of a task's idea: a function of the student's that is asked by itself."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from framework.board import Board
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.messages.message import Message
from grader.result import Result


class Part(ABC):
    """One function besides `peg_solve`, asked by the checks `BOARD:VARIANT`.

    Attributes:
        function: its name.
        variant: matches the variants of its checks; `number`, if there is one, says how far to go.
        answer: the type of its parsed answers.
        verified_by: the type of the answers to `more_requests`.
    """

    function: ClassVar[str]
    variant: ClassVar[re.Pattern[str]]
    answer: ClassVar[type]
    verified_by: ClassVar[type] = type(None)

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


def board_of(asked: Asked) -> Board:
    """Return the check's board."""
    assert asked.board is not None
    return asked.board.board
