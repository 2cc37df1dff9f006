"""What `--boards` names: the boards to grade in place of the tasks' own, or beside them.

`grade --help` imports this, and a worker gets it; the boards themselves are made in `board_sets`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader import paths
from grader.errors import InputError

OWN = "own"  # the tasks' own boards
SEED_BITS = 63
LEAST_SEED = 1 << SEED_BITS - 1  # of those that nobody finds by trying
MOST = 1000  # random boards
_MADE = re.compile(r"(random:(?P<count>\d{1,4})|turned)(:(?P<seed>\d{1,19}))?", re.ASCII)
_MEANT = re.compile(rf"{OWN}|(random|turned)(:.*)?", re.DOTALL)  # as a folder it is ./random


@dataclass(frozen=True)
class BoardChoice:
    """A private set, random boards, or the tasks' own boards turned."""

    folder: Path | None = None  # of the private set
    count: int = 0  # the number of random boards; 0 without a folder: the boards are turned
    seed: int = 0  # of random and turned boards
    with_own: bool = False  # whether the tasks' own boards are graded before them
    # the text of each file of a private set with its name, for workers on other machines
    files: tuple[tuple[str, str], ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether students must not see the boards."""
        return self.folder is not None or self.count > 0

    @property
    def options(self) -> str:
        """The options that name the boards, with a leading space."""
        own = f" --boards {OWN}" if self.with_own else ""
        if self.folder is None:
            return f"{own} --boards {f'random:{self.count}' if self.count else 'turned'}:{self.seed}"
        word = paths.typed(self.folder)
        return f"{own} --boards {'./' if _MEANT.fullmatch(word) else ''}{word}"


def read(words: Sequence[str], base: Path, seeded: bool = False) -> BoardChoice | None:
    """Return the boards that the values of `--boards` choose; None: the tasks' own alone.

    Args:
        base: where a relative path of a private set begins.
        seeded: whether random boards need a seed, by which the next run has the same boards.

    Raises:
        InputError: a value names no boards, or two values name boards in place of the tasks' own.
    """
    others = [word for word in words if word != OWN]
    if len(others) > 1:
        raise InputError(
            f"expected one set, and {OWN} beside it, found {' and '.join(others)}",
            "grade on one set at a time",
        )
    if not others:
        return None
    (word,) = others
    with_own = OWN in words
    if not _MEANT.fullmatch(word):
        return BoardChoice(base / word, with_own=with_own)
    match = _MADE.fullmatch(word)
    if match is None or (match["count"] and not 1 <= int(match["count"]) <= MOST):
        raise InputError(
            f"expected random:N with N from 1 to {MOST}, or turned, and a :SEED if wanted, found {word!r}",
            f"for a folder of that name: ./{word}",
        )
    if not match["count"]:
        return BoardChoice(seed=int(match["seed"] or 0), with_own=with_own)
    if not paths.ORACLE.is_dir():
        raise InputError("random boards are not part of this release", "leave the option out")
    if seeded and match["seed"] is None:
        raise InputError(
            f"expected a seed beside {word}, by which the next run has the same boards",
            f"one that nobody finds by trying: {word}:{new_seed()}",
        )
    seed = new_seed() if match["seed"] is None else int(match["seed"])
    return BoardChoice(count=int(match["count"]), seed=seed, with_own=with_own)


def new_seed() -> int:
    """Return a seed that nobody finds by trying, which a set of hidden boards needs.

    Pass or fail on each of a few boards is enough to tell which of 2**32 seeds made them.
    """
    import secrets  # here: `grade --help` draws none

    return secrets.randbits(SEED_BITS) | LEAST_SEED
