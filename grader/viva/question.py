"""Define a question with four answers to choose from, exactly one of them right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import NamedTuple

CHOICES = 4


class Shows(Enum):
    """What the answers are."""

    TEXT = auto()
    CODE = auto()  # lines of the student's file
    BOARD = auto()  # 64 cells


class Answer(NamedTuple):
    """An answer to choose.

    Attributes:
        shown: the text, the line of code, or the 64 cells of a board.
        why: why it is right, or what it is instead.
    """

    shown: str
    why: str


class Drawn(NamedTuple):
    """A board beside a question.

    Attributes:
        name: what the question calls it; empty if there is only one.
    """

    cells: str
    name: str = ""


@dataclass(frozen=True)
class Asked:
    """A question without its answers.

    Attributes:
        kind: what is asked, in a word or two; at most one question of a paper has the same.
        words: the question; what stands in backticks is code.
        lines: the lines of the file that are quoted, each with its number.
    """

    kind: str
    file: str
    words: str
    shows: Shows = Shows.TEXT
    boards: tuple[Drawn, ...] = ()
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Question(Asked):
    """A question with its answers in the order shown; `right` is the place of the right one."""

    answers: tuple[Answer, ...] = ()
    right: int = 0


def with_answers(asked: Asked, right: Answer, wrong: Sequence[Answer], draw: Random) -> Iterator[Question]:
    """Yield a question with three of the wrong answers, the first ones; none if there are too few.

    Args:
        wrong: wrong answers, the best first; any that is the right one, or there twice, is left out.
    """
    others: dict[str, Answer] = {}
    for answer in wrong:
        if answer.shown != right.shown:
            others.setdefault(answer.shown, answer)
    if len(others) >= CHOICES - 1:
        shown = [right, *list(others.values())[: CHOICES - 1]]
        draw.shuffle(shown)
        yield Question(**vars(asked), answers=tuple(shown), right=shown.index(right))


def with_numbers(
    asked: Asked, draw: Random, right: tuple[int, str], *wrong: tuple[int, str]
) -> Iterator[Question]:
    """Yield a question whose answers are numbers, as `with_answers` does; a wrong one below 0 is left out."""
    others = [Answer(f"{number:,}", why) for number, why in wrong if number >= 0]
    return with_answers(asked, Answer(f"{right[0]:,}", right[1]), others, draw)
