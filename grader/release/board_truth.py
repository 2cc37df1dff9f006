"""Hold what the index says of a board to the board itself, as far as that is quick to find out."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from framework.board import BLOCKED, Board, count_pegs
from framework.rules import fewest_of
from grader.catalog.boards import read_board_file
from grader.errors import InputError
from grader.judging.reachable import Reachable, TooManyPositions
from grader.release.yaml_places import YamlPlaces

MOST_POSITIONS = 1_000  # a few milliseconds; larger boards are held to their facts by `make facts`


def wrong_facts(name: str, file: Path, entry: Mapping[str, Any], places: YamlPlaces) -> Iterator[InputError]:
    """Yield a fault for each field in which a board's entry in the index is wrong.

    A field that the entry lacks is not compared.
    """
    try:
        truth = _truth(read_board_file(file), entry.get("ends") is not None)
    except InputError as error:
        yield error
        return
    for field, true in truth.items():
        said = entry.get(field)
        if said is not None and said != true:
            yield InputError(
                f"{places.of('boards', name, field)}: {name}: {field}: expected {_as_yaml(true)}, as on the "
                f"board, found {_as_yaml(said)}",
                f"correct the entry, or {name}.txt: grade analyze {name}",
            )


def _truth(board: Board, anywhere: bool) -> dict[str, Any]:
    """Return the numbers of pegs and holes and, of a small board, what its positions tell.

    Args:
        anywhere: whether its games may end on every hole, not only on a goal of the course.
    """
    truth: dict[str, Any] = {"pegs": count_pegs(board), "holes": int((board != BLOCKED).sum())}
    try:
        reachable = Reachable(board, MOST_POSITIONS)
    except TooManyPositions:
        return truth
    wins = reachable.start in reachable.winning
    fewest = min(position.bit_count() for position in reachable.after)
    return {
        **truth,
        "solvable": fewest == 1 if anywhere else wins,
        "fewest": fewest if anywhere else fewest_of(fewest, wins),
        "forced": all(len(after) <= 1 for after in reachable.after.values()),
        "positions": len(reachable.after),
    }


def _as_yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
