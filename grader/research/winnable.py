"""Count all positions of a board from which one peg can be left, by their pegs, with the levels in files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.oracle.sets import Field
from grader.oracle.shape import Shape
from grader.research.level_files import load_record, save_record
from grader.research.stored_levels import Progress, StoredGrowth, ask_for_sets


def solvable_classes(shape: Shape) -> list[list[int]]:
    """Return the goals of each class that has both a single peg and a single vacancy, one of all images."""
    found: dict[int, list[int]] = {}
    seen: set[int] = set()
    for hole in range(len(shape.holes)):
        goals = [1 << shape.number[end] for end in shape.ends_of_class(shape.full ^ 1 << hole)]
        if goals and goals[0] not in seen:
            found[goals[0]] = goals
            seen |= {1 << symmetry[goal.bit_length() - 1] for symmetry in shape.symmetries for goal in goals}
    return list(found.values())


def winnable(
    shape: Shape, goals: Sequence[int], root: Path, progress: Progress
) -> Iterator[tuple[int, int, int]]:
    """Yield how many positions can be played to some single pegs: the pegs, the count up to symmetry, in all.

    Taking a jump back is making a jump in the complement, so they grow from the complements of the goals.

    Raises:
        OracleError: there is too little memory or disk, or a file is damaged.
    """
    starts = [shape.full ^ goal for goal in goals]
    ask_for_sets(shape, starts[0])
    field = Field(shape, shape.symmetries_that_keep(starts))
    growth = StoredGrowth(field, starts, [], root, progress)
    for number in range(growth.jumps + 1):
        file = growth.files.folder / f"{number:02}.json"
        record = load_record(file)
        if record is None:
            positions = growth.level(number)
            record = {"canonical": positions.count, "raw": field.count_raw(positions)}
            save_record(file, record)
        yield number + 1, record["canonical"], record["raw"]
        if record["canonical"] == 0:
            return
