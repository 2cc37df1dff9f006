"""Find winning positions as `grader.oracle.winning_set` does, but with all levels in files, not in memory.

Two or three levels are in memory at a time. What is in a file is not computed again, so a run that was killed
goes on with the level at which it was. Levels grown from a start serve every problem with that start.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.oracle import memory
from grader.oracle.errors import OracleError
from grader.oracle.index import Level
from grader.oracle.sets import NO_PRUNING, Field, PositionSet, threads
from grader.oracle.shape import Shape
from grader.oracle.winning_set import Winning
from grader.research.level_files import LevelFiles

SETS = 3  # of one level, in memory at the same time; each thread has one more
Progress = Callable[[str, int, int], None]  # what is computed, the level, its positions by the index


class StoredGrowth:
    """The positions that can be reached from some starts, level by level, each level in a file."""

    def __init__(
        self, field: Field, starts: Sequence[int], goals: Sequence[int], root: Path, progress: Progress
    ) -> None:
        """Prepare the levels; positions that are known to reach none of `goals` are not followed.

        Args:
            field: the shape, and symmetries that keep the set of starts and the set of goals.
            starts: positions of one parity class, with one number of pegs.
            goals: the goals; without any, every position is followed.
            root: the folder for the files.
            progress: called before each level is computed.
        """
        self.field = field
        self.jumps = starts[0].bit_count() - 1
        self._starts, self._progress = sorted(starts), progress
        self._class = field.shape.class_of(starts[0])
        self._pruning = field.pruning(goals) if goals else NO_PRUNING
        self._last: tuple[int, PositionSet] | None = None
        self.files = LevelFiles(
            root, "grown",
            f"positions reached on the holes {field.shape.holes}, symmetries {field.group}, "
            f"from {self._starts}, on the way to {sorted(goals)}",
        )  # fmt: skip

    def index(self, number: int) -> Level:
        """Return the index of the positions after `number` jumps."""
        return self.field.level(self._class, self._starts[0].bit_count() - number)

    def level(self, number: int) -> PositionSet:
        """Return the positions after `number` jumps, read from a file or grown from the last level in one."""
        if self._last is not None and self._last[0] == number:
            return self._last[1]
        self._last = None  # first let go of what is in memory
        known = number
        while known > 0 and not self.files.has(known):
            known -= 1
        found = self.files.load(known, self.index(known)) if known else self.field.of(self._starts)
        for each in range(known + 1, number + 1):
            target = self.index(each)
            self._progress("reached", each, target.size)
            found = self.field.after_jump(found, target, pruning=self._pruning)
            self.files.save(each, found)
        self._last = number, found
        return found

    def count(self, number: int) -> int:
        """Return how many positions there are after `number` jumps."""
        return self.files.count(number) if self.files.has(number) else self.level(number).count

    def forget(self) -> None:
        """Let go of the level in memory."""
        self._last = None


def find_stored_winning(shape: Shape, start: int, goal: int, root: Path, progress: Progress) -> Winning:
    """Return the winning positions from `start`, which has one vacancy, to a single peg of the same class.

    The levels that are returned are mapped from their files, except for complements, which are in memory.

    Raises:
        OracleError: there is too little memory or disk, or a file is damaged.
    """
    ask_for_sets(shape, start)
    field = Field(shape, shape.symmetries_that_keep([start], [goal]))
    jumps = start.bit_count() - 1
    forward = _grown_to_its_ends(field, start, root, progress)
    backward = (
        forward
        if start == shape.full ^ goal
        else _grown_to_its_ends(field, shape.full ^ goal, root, progress)
    )
    met = _meet(forward, backward, jumps)
    if met is None:
        return Winning(field, [start], [goal], [])
    ahead, behind = met
    first, rest = _winning_files(shape, start, goal, root)
    if not first.has(ahead):
        progress("winning", ahead, forward.index(ahead).size)
        near = field.leading(forward.level(ahead), backward.level(behind), field.pruning([goal]))
        first.save(ahead, near)
    if first.count(ahead) == 0:
        return Winning(field, [start], [goal], [])
    _walk_back(forward, ahead, first, progress)
    if backward is forward:
        rest = first
    else:
        if not rest.has(behind):
            near, last = first.load(ahead, forward.index(ahead)), backward.level(behind)
            progress("winning", behind, last.level.size)
            rest.save(behind, field.after_jump(near, last.level, within=last, complement_after=True))
        _walk_back(backward, behind, rest, progress)
    forward.forget()
    backward.forget()
    levels = [first.load(number, forward.index(number)) for number in range(ahead + 1)]
    for number in range(ahead + 1, jumps + 1):
        mirrored = rest.load(jumps - number, backward.index(jumps - number))
        progress("complements", number, mirrored.level.size)
        levels.append(field.complements(mirrored, forward.index(number)))
    return Winning(field, [start], [goal], levels)


def remove_winning(shape: Shape, start: int, goal: int, root: Path) -> None:
    """Remove the files with the winning positions of a problem; the levels that were grown are kept."""
    for files in _winning_files(shape, start, goal, root):
        files.remove()


def _winning_files(shape: Shape, start: int, goal: int, root: Path) -> tuple[LevelFiles, LevelFiles]:
    """Return the files for the winning positions up to the middle, and for the complements of the others."""
    question = f"positions on the way from {start} to {goal} on the holes {shape.holes}"
    return LevelFiles(root, "winning", question), LevelFiles(root, "winning", f"complements of {question}")


def ask_for_sets(shape: Shape, start: int) -> None:
    """Raise OracleError unless there is memory for a few sets of the largest level after a start."""
    sizes, class_ = memory.level_sizes(shape), shape.class_of(start)
    largest = max(sizes.get((class_, pegs), 0) for pegs in range(start.bit_count() + 1))
    ask_for_memory((SETS + threads()) * largest // 8)


def ask_for_memory(needed: int) -> None:
    """Raise OracleError unless `needed` bytes of memory are available."""
    try:
        memory.ask(needed)
    except OracleError as error:
        raise OracleError(error.message, "free some, then run it again: it goes on where it was") from None


def _grown_to_its_ends(field: Field, start: int, root: Path, progress: Progress) -> StoredGrowth:
    """Return the levels from a start towards all single pegs of its class, which its problems share."""
    shape = field.shape
    goals = [1 << shape.number[hole] for hole in shape.ends_of_class(start)]
    return StoredGrowth(field, [start], goals, root, progress)


def _meet(forward: StoredGrowth, backward: StoredGrowth, jumps: int) -> tuple[int, int] | None:
    """Grow both until they are one jump apart; return how many jumps each made, or None if one ends."""
    ahead = behind = 0
    while forward.count(ahead) and backward.count(behind):
        if ahead + behind == jumps - 1:
            return ahead, behind
        if forward.count(ahead) <= backward.count(behind):
            ahead += 1
        else:
            behind += 1
    return None


def _walk_back(growth: StoredGrowth, number: int, files: LevelFiles, progress: Progress) -> None:
    """Save, level by level, the positions on some way from the start of a growth to level `number`."""
    known = number
    while known > 0 and files.has(known - 1):
        known -= 1
    found = files.load(known, growth.index(known))
    for each in reversed(range(known)):
        earlier = growth.level(each)
        progress("winning", each, earlier.level.size)
        found = growth.field.after_jump(
            found, earlier.level, within=earlier, complement_first=True, complement_after=True
        )
        files.save(each, found)
