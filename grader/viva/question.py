"""Define a question with four answers to choose from, exactly one of them right."""

from collections.abc import Sequence
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
class Question:
    """A question.

    Attributes:
        kind: what is asked, in a word or two; at most one question of a paper has the same.
        words: the question; what stands in backticks is code.
        right: the place of the right one.
        lines: the lines of the file that are quoted, each with its number.
    """

    kind: str
    file: str
    words: str
    answers: tuple[Answer, ...]
    right: int
    shows: Shows = Shows.TEXT
    boards: tuple[Drawn, ...] = ()
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """A question without its answers: what `with_answers` needs."""

    kind: str
    file: str
    words: str
    shows: Shows = Shows.TEXT
    boards: tuple[Drawn, ...] = ()
    lines: tuple[tuple[int, str], ...] = ()


def with_answers(asked: Asked, right: Answer, wrong: Sequence[Answer], draw: Random) -> Question | None:
    """Return a question with three of the wrong answers, the first ones; None if there are too few.

    Args:
        wrong: wrong answers, the best first; any that is the right one, or there twice, is left out.
    """
    others: dict[str, Answer] = {}
    for answer in wrong:
        if answer.shown != right.shown:
            others.setdefault(answer.shown, answer)
    chosen = list(others.values())[: CHOICES - 1]
    if len(chosen) < CHOICES - 1:
        return None
    shown = [right, *chosen]
    draw.shuffle(shown)
    return Question(
        asked.kind,
        asked.file,
        asked.words,
        tuple(shown),
        shown.index(right),
        asked.shows,
        asked.boards,
        asked.lines,
    )


def numbers(right: int, why: str, wrong: Sequence[tuple[int, str]]) -> tuple[Answer, list[Answer]]:
    """Return answers that are numbers, the right one and the wrong ones.

    Args:
        wrong: wrong numbers, each with what it is instead; one below 0 is left out.
    """
    return Answer(f"{right:,}", why), [Answer(f"{number:,}", told) for number, told in wrong if number >= 0]
