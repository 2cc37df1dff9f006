"""A student's files, what their programs do, and on which boards: what the kinds of questions look at.

The boards are small: positions on the way through the course's boards, turned by chance.
"""

import ast
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from grader.catalog.boards import find_board
from grader.catalog.images import IMAGES
from grader.catalog.tasks import Task
from grader.judging import kinds
from grader.judging.kinds import table_truth
from grader.judging.kinds.both_ends import BothEnds
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import Submission
from grader.submissions.syntax import syntax_tree
from grader.tracing.program import Program, Run
from grader.viva.question import Answer, Drawn, Lines, Question, Shows, ask, numbers

SOURCES = (
    "dead-ends", "three-ways", "choice", "choice-middle", "needs-three-directions-b", "needs-four-directions",
    "two-forks", "lab-6", "diamond", "plus",
)  # fmt: skip
LEAST, MOST = 5, 10  # positions, so that a search can be followed by hand
LEAST_JUMPS = 2  # at the beginning
FEW = 3  # boards that all kinds of questions prefer, so that a program need not run on many
TRIED = 6  # boards, before a kind is given up
MOST_HOLES, MOST_BACK = 9, 2  # holes, boards: if boards that can win are listed first, which takes long
MOST_ODD = 4  # searches that can tell nothing; then the program's search is not asked about any more
CHANGED_CPU_S = 0.3  # for a small board by a changed program: six times what it takes


class Author:
    """The author of some programs; use it in a `with` block."""

    def __init__(
        self, submissions: dict[str, Submission], sandbox: Sandbox, boards: Sequence[Positions]
    ) -> None:
        """Prepare the programs; of the boards to ask about, those to prefer come first."""
        self.boards = boards
        self.odd_runs = Counter[str]()  # by task: searches that were wrong, or could not be followed
        self._submissions = submissions
        self._sandbox = sandbox
        self._stack = ExitStack()
        self._programs: dict[tuple[str, str], Program] = {}

    def __enter__(self) -> "Author":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def program(self, task: Task, source: str | None = None) -> Program:
        """Return a task's program; `source` is its own file if that is not the student's as it stands."""
        known = (task.name, source or "")
        if known not in self._programs:
            submission = self._submissions[task.name]
            if source is None:
                program = Program(task, submission, self._sandbox)
            else:
                kept = self._sandbox.folder("changed-")
                submission = replace(submission, sources={**submission.sources, task.file: source}, kept=kept)
                program = Program(task, submission, self._sandbox, CHANGED_CPU_S)
            self._programs[known] = self._stack.enter_context(program)
        return self._programs[known]

    def source(self, task: Task) -> str:
        """Return the text of a task's own file; empty if it is not there."""
        return self._submissions[task.name].sources.get(task.file, "")

    def line(self, task: Task, number: int) -> str:
        """Return a line of a task's own file."""
        return self._submissions[task.name].source_line(task.file, number)

    def lines(self, task: Task, first: int, last: int) -> Lines:
        """Return lines of a task's own file, each with its number, indented as they are to each other."""
        lines = self.source(task).split("\n")[first - 1 : last]
        code = textwrap.dedent("\n".join(line.rstrip().expandtabs(4) for line in lines))
        return tuple(enumerate(code.split("\n"), first))


@dataclass(frozen=True)
class Search:
    """A search of a small board by a student's program."""

    author: Author
    task: Task
    known: Positions
    run: Run
    draw: Random

    @property
    def cells(self) -> str:
        """The board, as 64 cells."""
        return self.known.text(self.known.start)

    @property
    def solved(self) -> bool:
        """Whether the program solved the board."""
        return self.run.trace.number == 1

    @property
    def function(self) -> str:
        """The name of the function that calls itself; `peg_solve` if the search is a loop."""
        named = "" if self.run.function is None else self.run.trace.functions[self.run.function]
        return named.partition(" ")[2] or "peg_solve"

    @property
    def program(self) -> Program:
        """The program."""
        return self.author.program(self.task)

    def asks(
        self,
        kind: str,
        words: str,
        right: Answer,
        wrong: Sequence[Answer],
        position: int | None = None,
        shows: Shows = Shows.TEXT,
        lines: Lines = (),
    ) -> Iterator[Question]:
        """Yield a question about the board; if it is about a position, too, the two are called A and B."""
        boards: tuple[Drawn, ...] = (Drawn(self.cells),)
        if position is not None:
            boards = Drawn(self.cells, "A"), Drawn(self.known.text(position), "B")
        yield from ask(self.draw, kind, self.task.file, words, right, wrong, shows, boards, lines)

    def asks_number(
        self,
        kind: str,
        words: str,
        right: tuple[int, str],
        *wrong: tuple[int, str],
        position: int | None = None,
        lines: Lines = (),
    ) -> Iterator[Question]:
        """Yield a question whose answers are numbers."""
        yield from self.asks(kind, words, *numbers(right, *wrong), position, lines=lines)

    def recorded(self) -> list[int] | None:
        """Return the positions in the program's table, in order; None if there is another key in it."""
        positions = list(self.known.after)
        keys = self.program.keys([self.known.text(position) for position in positions])
        if keys is None or len(set(keys)) < len(keys):
            return None
        of_key = dict(zip(keys, positions, strict=True))
        return [of_key[key] for key in self.run.put] if {*self.run.put} <= of_key.keys() else None


def searches(
    author: Author,
    task: Task,
    draw: Random,
    fits: Callable[[Positions], bool] = lambda known: True,
    most: int = TRIED,
) -> Iterator[Search]:
    """Yield searches of boards that fit, each of which gave the right answer and can be followed."""
    if not is_search(task):
        return
    most = min(most, MOST_BACK) if isinstance(kinds.of(task), BothEnds) else most
    fitting = chosen_boards(
        author.boards, draw, lambda known: _is_searched(task, known) and fits(known), most
    )
    for known in fitting:
        board = known.board(known.start)
        if author.odd_runs[task.name] >= MOST_ODD:
            return
        run = author.program(task).run(board)
        if run is None or (run.trace.number == 1) != (run.known.start in run.known.winning):
            author.odd_runs[task.name] += 1
        elif len(run.visits) > 1:
            yield Search(author, task, run.known, run, draw)


def _is_searched(task: Task, known: Positions) -> bool:
    """Return whether a task's program searches a board, and not for long."""
    if not isinstance(kinds.of(task), BothEnds):
        return True
    return known.start in known.winning and len(known.bits) <= MOST_HOLES  # else it is known at once


@cache
def _starts(image: str) -> list[Positions]:
    """Return the boards to ask about, each with all its positions."""
    return [
        Positions(known.board(position))
        for known in (table_truth.positions(find_board(f"{name}+{image}").board) for name in SOURCES)
        for position, after in known.after.items()
        if len(after) >= LEAST_JUMPS and LEAST <= len(_reached(known, position)) <= MOST
    ]


def _reached(known: Positions, start: int) -> set[int]:
    found, todo = {start}, [start]
    for position in todo:
        new = [each for each in known.after[position] if each not in found]
        found.update(new)
        todo += new
    return found


def drawn_boards(draw: Random) -> list[Positions]:
    """Return the boards of a paper, all turned in the same way, in an order decided by `draw`."""
    starts = _starts(draw.choice(list(IMAGES)))
    return draw.sample(starts, len(starts))


def chosen_boards(
    those: Sequence[Positions], draw: Random, fits: Callable[[Positions], bool], most: int
) -> list[Positions]:
    """Return up to `most` of the boards that fit, the first few of them in an order that `draw` decides."""
    fitting = [known for known in those if fits(known)]
    first = fitting[:FEW]
    return [*draw.sample(first, len(first)), *fitting[FEW:]][:most]


def nodes_of(source: str) -> list[ast.AST]:
    """Return all nodes of a file's syntax tree; none if it cannot be parsed. Thread-safe."""
    tree = syntax_tree(source)
    return [] if tree is None else list(ast.walk(tree))


def is_search(task: Task) -> bool:
    """Return whether a task is about the search of any board."""
    return kinds.of(task).answers_any_board and not task.extra
