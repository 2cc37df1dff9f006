"""Count what nobody has counted: every problem with one vacancy and one last hole, on boards that take long.

    python -m grader.research.counts french FOLDER                  solutions, fewest moves, winning positions
    python -m grader.research.counts square FOLDER --only 0,0-0,0   one problem: from vacancy 0,0 to 0,0

The board is `french` (37 holes), `square` (36), `diamond` (41) or the file of a board; only the holes count.
Everything is kept in FOLDER, level by level, and a run that was killed goes on where it was. FOLDER may be
removed afterwards.

Exit status: 0 when all is counted, 2 when a file is damaged, or when there is too little memory or disk.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tabulate import tabulate

from grader.oracle import keep, memory
from grader.oracle.analysis import peak_mib
from grader.oracle.errors import OracleError
from grader.oracle.frontier import moves_in
from grader.oracle.moves import bytes_for, find_solutions
from grader.oracle.shape import Hole, Shape
from grader.oracle.single_peg import Problem, families
from grader.oracle.winning_set import Winning
from grader.research.large_boards import SHAPES, exit_status, shape_asked
from grader.research.level_files import ask_for_disk, load_record, make_room_in, save_record
from grader.research.stored_levels import ask_for_memory, find_stored_winning, remove_winning
from grader.research.watch import Watch


def pairs_of(shape: Shape) -> list[list[Problem]]:
    """Return the problems that the classes allow, up to symmetry, each together with its reverse.

    A problem that is its own reverse, or an image of it, is alone.
    """
    found: list[list[Problem]] = []
    waiting = {
        (start, goal): _least(shape, start, goal)
        for family in families(shape)
        for start, goal in family.problems
        if shape.class_of(start) == shape.class_of(goal) and start.bit_count() > 1
    }
    while waiting:
        problem = next(iter(waiting))
        own = waiting.pop(problem)
        pair = [problem]
        reverse = _least(shape, shape.full ^ problem[1], shape.full ^ problem[0])
        for other, least in list(waiting.items()):
            if least == reverse != own:
                pair.append(other)
                del waiting[other]
        found.append(pair)
    return found


def _least(shape: Shape, start: int, goal: int) -> tuple[int, int]:
    """Return the numbers of the vacancy and of the last hole, in the least of all images of a problem."""
    vacancy, last = (shape.full ^ start).bit_length() - 1, goal.bit_length() - 1
    return min((symmetry[vacancy], symmetry[last]) for symmetry in shape.symmetries)


def count_problem(winning: Winning, root: Path, watch: Watch) -> dict[str, Any]:
    """Count the solutions of a problem, find the fewest moves, and return these as plain data.

    One of the solutions with the fewest moves is played, jump by jump.

    Raises:
        OracleError: there is too little memory or disk.
        AssertionError: that solution does not end on the goal, or has another number of moves.
    """
    bits = sum(level.level.words for level in winning.levels)
    most = max((level.count for level in winning.levels), default=0)
    ask_for_memory(24 * most + 16 * bits)  # of one level, and of the bits of all
    ask_for_disk(root, bytes_for(winning))

    def progress(what: str, done: int, steps: int) -> None:
        watch(what, done, 2 * winning.levels[done].level.size)

    solutions = find_solutions(winning, progress, make_room_in(root))
    best = next(solutions.best(), [])
    shape, position = winning.field.shape, winning.starts[0]
    for jump in best:
        (position,) = (
            position ^ cells
            for start, end, needed, cells in shape.jumps
            if (start, end) == jump and position & cells == needed
        )
    if best and (position not in winning.goals or moves_in(best) != solutions.moves):
        raise AssertionError(f"not a solution in {solutions.moves} moves: {best}")
    return {
        "winning": winning.counts.raw,
        "solutions": solutions.count,
        "moves": solutions.moves,
        "best": solutions.optimal_count,
        "solution": [[*shape.holes[start], *shape.holes[end]] for start, end in best],
    }


def count_pair(shape: Shape, pair: Sequence[Problem], root: Path, watch: Watch) -> Iterator[dict[str, Any]]:
    """Yield the counts of a problem and of its reverse, from files where they were counted before.

    Backwards there must be as many positions and solutions as forwards. A problem that is its own reverse
    must have as many positions after its first n jumps as before its last n.

    Raises:
        OracleError: as for `find_stored_winning`.
        AssertionError: the counts are not as above.
    """
    files = [root / f"{_called(shape, *problem)}.json" for problem in pair]
    known = [load_record(file) for file in files]
    rows: list[dict[str, Any]] = []
    winning: Winning | None = None
    for number, (problem, file, row) in enumerate(zip(pair, files, known, strict=True)):
        if row is not None and (row["engine"], row["holes"]) != (keep.ENGINE, str(shape.holes)):
            raise OracleError(
                f"{file}: not used: it is of other holes, or of another version of the engine",
                "name another folder",
            )
        if row is None:
            began = time.process_time()
            if winning is None:
                winning = find_stored_winning(shape, *pair[0], root, watch)
            if number == 1:
                winning = _reversed_as(shape, winning, problem)
            row = {
                "engine": keep.ENGINE,
                "holes": str(shape.holes),
                "problem": _called(shape, *problem),
                **count_problem(winning, root, watch),
                "cpu_s": time.process_time() - began,
                "peak_mib": peak_mib(),
            }
            save_record(file, row)
        rows.append(row)
        yield row
    if rows[0]["winning"] != rows[-1]["winning"][::-1] or rows[0]["solutions"] != rows[-1]["solutions"]:
        raise AssertionError(f"forwards and backwards differ: {rows}")
    for problem in pair:
        remove_winning(shape, *problem, root)


def _reversed_as(shape: Shape, winning: Winning, problem: Problem) -> Winning:
    """Return the winning positions of the reverse problem; `problem` is an image of it."""
    found = winning.reverse()
    if _least(shape, found.starts[0], found.goals[0]) != _least(shape, *problem):
        raise AssertionError(f"{problem} is not the reverse of {winning.starts, winning.goals}")
    return found


def _called(shape: Shape, start: int, goal: int) -> str:
    vacancy = shape.holes[(shape.full ^ start).bit_length() - 1]
    return f"{_hole(vacancy)}-{_hole(shape.holes[goal.bit_length() - 1])}"


def _hole(hole: Hole) -> str:
    return f"{hole[0]},{hole[1]}"


def _print_problems(shape: Shape, root: Path, only: str | None) -> None:
    names = {_called(shape, *each): pair for pair in pairs_of(shape) for each in pair}
    pairs = [pair for pair in pairs_of(shape) if only is None or names.get(only) == pair]
    if not pairs:
        raise OracleError(
            "the classes exclude every problem" if only is None else f"--only {only}: no such problem",
            f"name one of {', '.join(names)}" if names else "choose another board",
        )
    sizes = memory.level_sizes(shape)
    work = {pair[0]: sum(_class_sizes(sizes, shape.class_of(pair[0][0]))) for pair in pairs}
    grown = {
        (each, *shape.symmetries_that_keep([start], [goal]))
        for (start, goal), *_ in pairs
        for each in (start, shape.full ^ goal)
    }
    ask_for_disk(root, (len(grown) + 1) * max(work.values()) // 8)
    watch = Watch(sum(4 * work[pair[0]] * len(pair) for pair in pairs))
    rows = []
    for number, pair in enumerate(pairs, 1):
        watch.title = f"{number}/{len(pairs)}, {_called(shape, *pair[0])}"
        for row in count_pair(shape, pair, root, watch):
            rows.append(row)
            print(_row_text(row), file=sys.stderr, flush=True)
    head = ("problem", "moves", "solutions", "best", "positions", "CPU s", "MiB")
    cells = [[row["problem"], row["moves"], *(f"{count:,}" for count in _figures(row))] for row in rows]
    print(tabulate(cells, head, disable_numparse=True, stralign="right"))


def _figures(row: dict[str, Any]) -> list[int]:
    return [row["solutions"], row["best"], sum(row["winning"]), round(row["cpu_s"]), round(row["peak_mib"])]


def _row_text(row: dict[str, Any]) -> str:
    if row["moves"] is None:
        return f"{row['problem']}: no solution"
    return f"{row['problem']}: fewest moves {row['moves']}, solutions {row['solutions']:,}"


def _class_sizes(sizes: dict[tuple[int, int], int], class_: int) -> list[int]:
    return [count for (each, _), count in sizes.items() if each == class_]


def main() -> int:
    """Count every problem with one vacancy and one last hole."""
    parser = argparse.ArgumentParser(prog="python -m grader.research.counts", description=main.__doc__)
    parser.add_argument("board", help=f"{', '.join(SHAPES)}, or a board's file")
    parser.add_argument("folder", type=Path, help="where the levels are kept")
    parser.add_argument(
        "--only", metavar="ROW,COL-ROW,COL", help="one problem: its vacancy and its last hole"
    )
    asked = parser.parse_args()
    return exit_status(lambda: _print_problems(shape_asked(asked.board), asked.folder, asked.only))


if __name__ == "__main__":
    sys.exit(main())
