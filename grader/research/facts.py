"""Check boards/index.yaml against the exact engine: `make facts`, or `python -m grader.research.facts`.

Exit status: 0 when the index and the engine agree, 1 when they differ, 2 when the index cannot be used.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from framework.rules import fewest_of
from grader.catalog import yaml_file
from grader.catalog.boards import BoardSet, NamedBoard, goal_of
from grader.catalog.yaml_file import Fields, as_yaml
from grader.errors import InputError
from grader.oracle import questions
from grader.oracle.problem import OracleError
from grader.oracle.sets import Field
from grader.oracle.shape import Hole, HoleJump, Shape, image, shape_of
from grader.oracle.walk import walk
from grader.oracle.winning_set import Growth

INDEX = Path("boards/index.yaml")
ROW = "{:<26}{:>5}{:>6}{:>9}{:>7}{:>7}{:>12}{:>17}{:>7}"
COUNTS = ("positions", "naive_nodes")  # null in the index means that nobody counted
WALKED = 2_000_000  # up to this many positions, the visits of a search without memory are counted
MOST_NODES = 1 << 56  # beyond this the sums of the next level might not fit into 64 bits


# ---- what is true of a board, in the words of the index --------------------------------------------


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
        fewest, positions = walk(shape, start, questions.SOUGHT)
        if positions is None:
            fewest = questions.fewest_left(shape, start)
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
            known[least] = questions.fewest_left(shape, start)
        yield hole, known[least]


# ---- the index -------------------------------------------------------------------------------------


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
        InputError: the index or a board cannot be read, or is malformed.
    """
    boards = BoardSet(file.parent)
    index = yaml_file.read_mapping(file, "see boards/index.yaml")
    differences = [
        Difference(f"boards.{each.stem}", "entry", "nothing", "there is a board file")
        for each in sorted(file.parent.glob("*.txt"))
        if each.stem not in boards.names
    ]
    print(ROW.format("board", "pegs", "holes", "solvable", "fewest", "forced", *COUNTS, "s"))
    for name in boards.names:
        board = boards.find(name)
        assert board is not None
        try:
            differences += _check_board(board, index["boards"][name])
        except OracleError as error:
            raise InputError(f"{file}:boards.{name}: {error.message}", error.help) from None
    families = index.mapping("vacancies") if index.get("vacancies") else Fields()
    for family in families:
        differences += _check_family(family, families.mapping(family), boards)
    return differences


def _check_board(board: NamedBoard, entry: Fields) -> list[Difference]:
    began, where = time.perf_counter(), f"boards.{board.name}"
    shape, known = shape_of(board.board), board.facts
    start = shape.position(board.board)
    found = truth_of(shape, start, known.naive_nodes is not None, board.ends_anywhere)._asdict()
    differences = [
        Difference(where, field, entry.get(field), value)
        for field, value in found.items()
        if entry.get(field) != value and not (field in COUNTS and None in (value, entry.get(field)))
    ]
    for goal, said in known.moves.items():
        hole = goal_of(goal)
        moves = questions.solutions(board.board, [hole] if hole else shape.holes).moves
        if said != moves:
            differences.append(Difference(where, f"moves.{goal}", said, moves))
    columns = ["-" if value is None else as_yaml(value) for value in found.values()]
    print(ROW.format(board.name, *columns, f"{time.perf_counter() - began:.2f}"), flush=True)
    return differences


def _check_family(family: str, entry: Fields, boards: BoardSet) -> list[Difference]:
    began, where = time.perf_counter(), f"vacancies.{family}"
    full = boards.find(entry["full"])
    if full is None:
        raise entry.fault("full", f"no board {entry['full']!r}", "name a board of this index")
    shape = shape_of(full.board)
    said = {answer: _holes(entry, field) for answer, field in ((True, "solvable"), (False, "unsolvable"))}
    differences = [
        Difference(f"{where}@{','.join(map(str, hole))}", "solvable", answer, "it is not a hole")
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
    if entry.get("unsolvable_fewest") != found:
        differences.append(Difference(where, "unsolvable_fewest", entry.get("unsolvable_fewest"), found))
    counts = ", ".join(f"{len(holes)} of them leave {fewest}" for fewest, holes in sorted(left.items()))
    seconds = time.perf_counter() - began
    print(f"{family}: {len(shape.holes)} vacancies, {counts}; {seconds:.2f} s", flush=True)
    return differences


def _holes(entry: Fields, field: str) -> list[Hole]:
    holes = entry.field(field, list)
    if any(not isinstance(hole, list) or list(map(type, hole)) != [int, int] for hole in holes):
        raise entry.fault(field, "expected a list of [row, column]", "correct that field")
    return [(row, col) for row, col in holes]


def main() -> int:
    """Check an index of boards against the exact engine, and report every difference."""
    parser = argparse.ArgumentParser(prog="python -m grader.research.facts", description=main.__doc__)
    parser.add_argument("index", nargs="?", type=Path, default=INDEX, help=f"default: {INDEX}")
    file = parser.parse_args().index
    try:
        differences = check(file)
    except InputError as error:
        print(error.message, file=sys.stderr)
        return 2
    for each in differences:
        print(each.line(file))
    if not differences:
        print(f"{file} agrees")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
