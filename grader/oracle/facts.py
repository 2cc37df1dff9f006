"""What is true of a board, in the words of boards/index.yaml, by the exact engine.

`python -m grader.oracle.facts`, or `make facts`, checks that file. Exit status: 0 when the index and the
engine agree, 1 when they differ, 2 when the index cannot be used.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from framework.board import Board, BoardFormatError, read_board
from framework.rules import fewest_of
from grader.oracle import pegs_left, questions
from grader.oracle.problem import OracleError
from grader.oracle.sets import Field
from grader.oracle.shape import Hole, HoleJump, Shape, image, shape_of
from grader.oracle.walk import walk
from grader.oracle.winning_set import Growth

WALKED = 2_000_000  # up to this many positions, the visits of a search without memory are counted
MOST_NODES = 1 << 56  # beyond this the sums of the next level might not fit into 64 bits


class Truth(NamedTuple):
    """The true facts about a board, named as in the index; None for what was not counted."""

    pegs: int
    holes: int
    solvable: bool
    fewest: int
    forced: bool
    positions: int | None
    naive_nodes: int | None


def truth_of(shape: Shape, start: int, count_nodes: bool, ends_anywhere: bool = False) -> Truth:
    """Return the true facts about a board.

    Args:
        count_nodes: whether to count the positions that a search without memory visits.
        ends_anywhere: whether the last peg wins on any hole, not only on a goal of the course.
    """
    positions = nodes = None
    if len(shape.holes) <= questions.WALKED_HOLES:  # counting all of a French board takes minutes and 2 GiB
        counts = questions.reachable(shape.board(start)).raw
        positions, fewest = sum(counts), start.bit_count() + 1 - len(counts)
        if fewest == 1 and not ends_anywhere:
            fewest = fewest_of(fewest, questions.solve(shape.board(start)).solvable is True)
        if count_nodes and positions <= WALKED:
            every = [1 << hole for hole in range(len(shape.holes))]
            nodes = naive_nodes(shape, start, every if ends_anywhere else shape.goals)
    else:
        fewest, positions = walk(shape, start, pegs_left.SOUGHT)
        if positions is None:
            fewest = pegs_left.fewest_left(shape, start)
    return Truth(
        start.bit_count(), len(shape.holes), fewest == 1, fewest, shape.is_forced(start), positions, nodes
    )


def jumps_in_order(shape: Shape) -> list[tuple[int, int]]:
    """Return for each jump the pegs that it needs and the holes that it changes.

    The jumps are in the order in which the naive search tries them.
    """

    def place(jump: HoleJump) -> tuple[int, int]:
        (row, col), (row_end, col_end) = shape.holes[jump.start], shape.holes[jump.end]
        return jump.start, ((2, 0), (0, 2), (-2, 0), (0, -2)).index((row_end - row, col_end - col))

    return [(jump.needed, jump.cells) for jump in sorted(shape.jumps, key=place)]


def naive_nodes(shape: Shape, start: int, goals: Sequence[int]) -> int | None:
    """Return how many positions a search without memory visits; None when there are too many to count.

    A position counts each time it is visited. The count works backwards from the last level: a position
    counts 1 for itself, and what was counted for the position after each of its jumps, up to the first jump
    that wins.
    """
    field = Field(shape, shape.symmetries[:1])
    growth = Growth(field, [start])
    while len(growth.levels) < start.bit_count() and growth.grow():
        pass
    levels = [field.members(level) for level in growth.levels if level.count]
    jumps = np.array(jumps_in_order(shape), dtype=np.uint64)
    after = levels[-1]
    nodes_after = np.ones(len(after), dtype=np.int64)
    wins_after = np.isin(after, np.array(goals, dtype=np.uint64))
    for level in reversed(levels[:-1]):
        nodes, wins = np.ones(len(level), dtype=np.int64), np.zeros(len(level), dtype=np.bool_)
        for needed, changed in jumps:
            at = np.flatnonzero(~wins & (level & changed == needed))
            following = np.searchsorted(after, level[at] ^ changed)
            nodes[at] += nodes_after[following]
            wins[at] = wins_after[following]
        if nodes.max() > MOST_NODES:
            return None
        after, nodes_after, wins_after = level, nodes, wins
    return int(nodes_after[0])


def fewest_by_vacancy(shape: Shape) -> Iterator[tuple[Hole, int]]:
    """Yield each hole, and the fewest pegs that can be left when only this hole is empty at the start."""
    known: dict[int, int] = {}
    symmetries = shape.symmetries_that_keep(shape.goals)
    for number, hole in enumerate(shape.holes):
        start = shape.full ^ 1 << number
        least = min(image(symmetry, start) for symmetry in symmetries)
        if least not in known:
            known[least] = pegs_left.fewest_left(shape, start)
        yield hole, known[least]


# ---- the index beside the engine ----------------------------------------------------------------


INDEX = Path("boards/index.yaml")

ROW = "{:<26}{:>5}{:>6}{:>9}{:>7}{:>7}{:>12}{:>17}{:>7}"
ANYWHERE = "anywhere"  # of a board's `ends`
COUNTS = ("positions", "naive_nodes")  # null in the index means that nobody counted


class IndexFault(Exception):
    """The index cannot be used."""


class Difference(NamedTuple):
    """A field in which the index and the engine differ."""

    entry: str
    field: str
    said: Any
    found: Any

    def line(self, file: Path) -> str:
        """Return the line that reports the difference."""
        said, found = as_yaml(self.said), as_yaml(self.found)
        return f"{file}:{self.entry}: {self.field}: the index says {said}, the engine says {found}"


def check(file: Path) -> list[Difference]:
    """Check every entry of an index, print a line for each, and return the differences.

    Raises:
        IndexFault: the index or a board cannot be read, or is malformed.
    """
    try:
        index = yaml.safe_load(file.read_text("utf-8"))
    except OSError as error:
        raise IndexFault(f"{file}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise IndexFault(f"{file}: {' '.join(str(error).split())}") from None
    boards = _mapping(_mapping(index, file, "the index").get("boards"), file, "boards")
    families = _mapping(index.get("vacancies") or {}, file, "vacancies")
    differences = [
        Difference(f"boards.{each.stem}", "entry", "nothing", "there is a board file")
        for each in sorted(file.parent.glob("*.txt"))
        if each.stem not in boards
    ]
    print(ROW.format("board", "pegs", "holes", "solvable", "fewest", "forced", *COUNTS, "s"))
    for name, entry in boards.items():
        differences += _check_board(file, str(name), _mapping(entry, file, f"boards.{name}"))
    for family, entry in families.items():
        differences += _check_family(file, str(family), _mapping(entry, file, f"vacancies.{family}"))
    return differences


def _mapping(value: Any, file: Path, entry: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise IndexFault(f"{file}:{entry}: expected fields, found {as_yaml(value)}")
    return value


def _read(file: Path, name: str) -> tuple[Shape, int]:
    """Read a board that the index names; return its holes and its pegs."""
    try:
        board = read_board(file.parent / f"{name}.txt")
    except BoardFormatError as error:
        raise IndexFault(str(error)) from None
    except OSError as error:
        raise IndexFault(f"{file.parent / name}.txt: cannot be read: {error.strerror}") from None
    shape = shape_of(board)
    return shape, shape.position(board)


def _check_board(file: Path, name: str, entry: dict[Any, Any]) -> list[Difference]:
    began = time.perf_counter()
    shape, start = _read(file, name)
    try:
        truth = truth_of(shape, start, entry.get("naive_nodes") is not None, entry.get("ends") == ANYWHERE)
    except OracleError as error:
        raise IndexFault(f"{file}:boards.{name}: {error.message}") from None
    found = truth._asdict()
    moves = _fewest_moves(file, name, shape.board(start), entry)
    columns = ["-" if value is None else as_yaml(value) for value in found.values()]
    print(ROW.format(name, *columns, f"{time.perf_counter() - began:.2f}"), flush=True)
    return [
        Difference(f"boards.{name}", field, entry.get(field), value)
        for field, value in found.items()
        if not _same(entry.get(field), value) and not (field in COUNTS and None in (value, entry.get(field)))
    ] + [
        Difference(f"boards.{name}", f"moves.{goal}", said, moves[goal])
        for goal, said in (entry.get("moves") or {}).items()
        if type(said) is not type(moves[goal]) or said != moves[goal]
    ]


def _fewest_moves(file: Path, name: str, board: Board, entry: dict[Any, Any]) -> dict[str, int | None]:
    """Return the fewest moves to each goal that the index has for a board."""
    found = {}
    for goal in _mapping(entry.get("moves") or {}, file, f"boards.{name}.moves"):
        hole = [int(part) for part in str(goal).split(",") if part.isdecimal()]
        if goal != "any" and len(hole) != 2:
            raise IndexFault(
                f'{file}:boards.{name}.moves: expected any or a hole such as "3,3", found {goal}'
            )
        try:
            goals = shape_of(board).holes if goal == "any" else [(hole[0], hole[1])]
            found[goal] = questions.solutions(board, goals).moves
        except OracleError as error:
            raise IndexFault(f"{file}:boards.{name}.moves: {error.message}") from None
    return found


def _same(said: Any, found: Any) -> bool:
    return type(said) is type(found) and bool(said == found)  # in Python, True equals 1


def _check_family(file: Path, family: str, entry: dict[Any, Any]) -> list[Difference]:
    began = time.perf_counter()
    where = f"vacancies.{family}"
    shape, _ = _read(file, str(entry.get("full")))
    said = {True: _holes(entry, "solvable", file, where), False: _holes(entry, "unsolvable", file, where)}
    differences = [
        Difference(f"{where}@{hole[0]},{hole[1]}", "solvable", answer, "it is not a hole")
        for answer, holes in said.items()
        for hole in holes
        if hole not in shape.number
    ]
    left: dict[int, set[Hole]] = {}
    for hole, fewest in fewest_by_vacancy(shape):
        left.setdefault(fewest, set()).add(hole)
        answers = [answer for answer, holes in said.items() if hole in holes]
        if answers != [fewest == 1]:
            listed = " and ".join(map(as_yaml, answers)) or "nothing"
            differences.append(Difference(f"{where}@{hole[0]},{hole[1]}", "solvable", listed, fewest == 1))
    more = sorted(left.keys() - {1})
    found = more[0] if len(more) == 1 else " or ".join(map(str, more)) or None
    if not _same(entry.get("unsolvable_fewest"), found):
        differences.append(Difference(where, "unsolvable_fewest", entry.get("unsolvable_fewest"), found))
    counts = ", ".join(f"{len(holes)} of them leave {fewest}" for fewest, holes in sorted(left.items()))
    seconds = time.perf_counter() - began
    print(f"{family}: {len(shape.holes)} vacancies, {counts}; {seconds:.2f} s", flush=True)
    return differences


def _holes(entry: dict[Any, Any], field: str, file: Path, where: str) -> list[Hole]:
    holes = entry.get(field)
    if not isinstance(holes, list) or any(
        not isinstance(hole, list) or list(map(type, hole)) != [int, int] for hole in holes
    ):
        raise IndexFault(f"{file}:{where}: {field}: expected a list of [row, column]")
    return [(row, col) for row, col in holes]


def as_yaml(value: Any) -> str:
    """Return a value as it is written in the index."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def main() -> int:
    """Check an index of boards against the exact engine, and report every difference."""
    parser = argparse.ArgumentParser(prog="python -m grader.oracle.facts", description=main.__doc__)
    parser.add_argument("index", nargs="?", type=Path, default=INDEX, help=f"default: {INDEX}")
    file = parser.parse_args().index
    try:
        differences = check(file)
    except IndexFault as fault:
        print(fault, file=sys.stderr)
        return 2
    for each in differences:
        print(each.line(file))
    if not differences:
        print(f"{file} agrees")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
