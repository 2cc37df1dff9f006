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
    """A text, a line of code, or the 64 cells of a board to choose, and why it is right or not."""

    shown: str
    why: str


class Drawn(NamedTuple):
    """A board beside a question, and what the question calls it if there are two."""

    cells: str
    name: str = ""


Lines = tuple[tuple[int, str], ...]  # of a file, each with its number


@dataclass(frozen=True)
class Question:
    """A question with its answers in the order shown; `right` is the place of the right one."""

    kind: str  # what is asked, in a word or two; at most one question of a paper has the same
    file: str
    words: str  # the question; what stands in backticks is code
    answers: tuple[Answer, ...]
    right: int
    shows: Shows = Shows.TEXT
    boards: tuple[Drawn, ...] = ()
    lines: Lines = ()


def ask(
    draw: Random,
    kind: str,
    file: str,
    words: str,
    right: Answer,
    wrong: Sequence[Answer],
    shows: Shows = Shows.TEXT,
    boards: tuple[Drawn, ...] = (),
    lines: Lines = (),
) -> Iterator[Question]:
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
        yield Question(kind, file, words, tuple(shown), shown.index(right), shows, boards, lines)


def numbers(right: tuple[int, str], *wrong: tuple[int, str]) -> tuple[Answer, list[Answer]]:
    """Return numbers as the right answer and the wrong ones; a wrong one below 0 is left out."""
    others = [Answer(f"{number:,}", why) for number, why in wrong if number >= 0]
    return Answer(f"{right[0]:,}", right[1]), others
