"""Choose small boards to ask about: positions on the way through the course's boards, turned by chance."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random

from grader.catalog.boards import find_board
from grader.catalog.images import IMAGES
from grader.judging.kinds import table_truth
from grader.judging.kinds.table_truth import Positions

SOURCES = (
    "dead-ends", "three-ways", "choice", "choice-middle", "needs-three-directions-b", "needs-four-directions",
    "two-forks", "lab-6", "diamond", "plus",
)  # fmt: skip
LEAST, MOST = 5, 10  # positions, so that a search can be followed by hand
LEAST_JUMPS = 2  # at the beginning
FEW = 3  # boards that all kinds of questions prefer, so that a program need not run on many


@cache
def _starts(image: str) -> list[Positions]:
    """Return the boards to ask about, each with all its positions."""
    found = []
    for name in SOURCES:
        known = table_truth.positions(find_board(f"{name}+{image}").board)
        found += [Positions(known.board(position)) for position in _suited(known)]
    return found


def _suited(known: Positions) -> Iterator[int]:
    for position, after in known.after.items():
        if len(after) >= LEAST_JUMPS and LEAST <= len(_reached(known, position)) <= MOST:
            yield position


def _reached(known: Positions, start: int) -> set[int]:
    found, todo = {start}, [start]
    for position in todo:
        new = [each for each in known.after[position] if each not in found]
        found.update(new)
        todo += new
    return found


def drawn(draw: Random) -> list[Positions]:
    """Return the boards of a paper, all turned in the same way, in an order decided by `draw`."""
    starts = _starts(draw.choice(list(IMAGES)))
    return draw.sample(starts, len(starts))


def chosen(
    those: Sequence[Positions], draw: Random, fits: Callable[[Positions], bool], most: int
) -> list[Positions]:
    """Return up to `most` of the boards that fit, the first few of them in an order that `draw` decides."""
    fitting = [known for known in those if fits(known)]
    first = fitting[:FEW]
    return [*draw.sample(first, len(first)), *fitting[FEW:]][:most]
