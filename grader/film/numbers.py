"""Count what is in a film."""

from dataclasses import dataclass

from grader.film.film import Film
from grader.film.nodes import NOWHERE, Kind


@dataclass(frozen=True)
class Numbers:
    """What is counted in a film.

    Attributes:
        boards: how often the search came to a board.
        again: how often a board was searched that had been searched before.
        asked, hits: how often a table was asked, and had the key.
        told: how many different keys were put into a table.
        deepest: the most jumps in one another.
    """

    boards: int
    different: int
    again: int
    asked: int
    hits: int
    told: int
    deepest: int
    fewest: int

    @property
    def share_again(self) -> float:
        """Of all the boards that the search reached, the share that it searched more than once."""
        return self.again / self.boards if self.boards else 0.0


def count_in(film: Film) -> Numbers:
    """Return the numbers of a film."""
    depths: list[int] = []
    for node in film.nodes:
        depths.append(0 if node.parent == NOWHERE else depths[node.parent] + 1)
    return Numbers(
        boards=len(film.nodes),
        different=len({node.position for node in film.nodes}),
        again=_again(film),
        asked=film.asked,
        hits=film.hits,
        told=film.told - film.known,
        deepest=max(depths, default=0),
        fewest=min((node.position.bit_count() for node in film.nodes), default=0),
    )


def _again(film: Film) -> int:
    """Return how often a board was searched again, boards on the way to the solution included."""
    searched = [node.position for node in film.nodes if node.kind != Kind.FOUND]
    return len(searched) - len(set(searched))


def rows(numbers: Numbers, by_calls: bool, table: bool) -> list[tuple[str, int]]:
    """Return the numbers as rows of a table, each with its title."""
    found = [
        ("calls" if by_calls else "boards reached", numbers.boards),
        ("different boards", numbers.different),
        ("searched again", numbers.again),
    ]
    if table or numbers.asked or numbers.told:
        found += [
            ("looked up in a table", numbers.asked),
            ("found there", numbers.hits),
            ("put in", numbers.told),
        ]
    return [*found, ("most jumps in a row", numbers.deepest), ("fewest pegs met", numbers.fewest)]
