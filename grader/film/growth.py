"""How the table grew when a program ran compiled: for boards that plain Python cannot search to the end."""

import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from framework.verify import verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task, registry
from grader.judging import kinds
from grader.judging.check_run import answer_of
from grader.judging.kinds.solve import question
from grader.messages.phrases import count
from grader.sandbox import answers
from grader.sandbox.answers import FrameError
from grader.sandbox.asking import End, Load
from grader.sandbox.child.growth import MOST_SAMPLED, POINTS
from grader.submissions.submission import read_submission

EXTRA_S = 3.0  # CPU time to look at the table afterwards; a million keys take one
ANSWER_BYTES = 1 << 19
COLUMNS = 48  # parts of the run


@dataclass(frozen=True)
class Growth:
    """How a table grew."""

    states: int  # how many boards were given up: the size of the table
    solved: bool
    step: int  # every how many of them one was looked at
    unknown: int  # how many of those looked at have a key whose board is not known
    pegs: list[int]  # the numbers of pegs of all others, the largest first
    rows: list[list[int]]  # for each of these numbers: how many have it, in COLUMNS parts of the run
    chains: list[list[int]]  # for some sizes of the table: the number of keys, of chains, and the longest one

    @property
    def is_whole(self) -> bool:
        """Whether rows and chains have the shape that they should have; an earlier film may be damaged."""
        rows = len(self.rows) == len(self.pegs) and {len(row) for row in self.rows} <= {COLUMNS}
        return rows and all(len(each) == 3 and min(each) > 0 for each in self.chains)

    @property
    def words(self) -> list[str]:
        """What is seen of it, as sentences without a full stop."""
        did = "it solved the board, and " if self.solved else ""
        said = [f"compiled, {did}its table has {count(self.states, 'board')} that it gave up on"]
        totals = {pegs: sum(row) for pegs, row in zip(self.pegs, self.rows, strict=True)}
        if totals:
            most = max(totals, key=lambda pegs: totals[pegs])
            share = 100 * totals[most] // sum(totals.values())
            about = "about " if self.step > 1 else ""
            said[0] += (
                f"; {about}{share} % of them have {count(most, 'peg')}, more than have any other number"
            )
        elif self.unknown:
            said.append("how many pegs they have is not known: board_key is no sum of a number for each peg")
        return said

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """What is counted, by title."""
        longest = max((longest for *_, longest in self.chains), default=0)
        return [("given up, compiled", self.states), ("longest chain, compiled", longest)]


def growth(folder: Path, task: Task, board: NamedBoard, seconds: float) -> Growth | str:
    """Run a program compiled for so much CPU time; return how its table grew, or why that is not known."""
    from grader.sandbox.confine import kernel, offers, tiers
    from grader.sandbox.parent.sandbox import Sandbox  # of processes, which a browser does not have

    if not offers.compiles():
        return "there is no compiled run, since numba is not installed"
    submission = read_submission(folder, task.files)
    kernel.hide_memory()
    limit_s = seconds + EXTRA_S
    load = Load(submission.clean_folder(), task.module, task.memory_mib, ANSWER_BYTES)
    with (
        Sandbox(tiers.best(), False, threading.Event()) as sandbox,
        sandbox.runner(load, hidden=False) as runner,
    ):
        if not runner.has_compiled_code:
            runner.compile(kinds.of(task).compiling(task, registry()))
        outcome = runner.run({**question(board, task), "kind": "growth"}, limit_s)
    grown = answer_of(outcome, lambda loaded: parse_growth(loaded, board))
    if grown is not None:
        return grown
    if outcome.end == End.CPU_LIMIT:
        return f"compiled, it does not end within {seconds:g} s of CPU time either"
    return f"compiled, it gives no answer: grade {task.name} --board {board.name} says why"


def parse_growth(loaded: dict[str, Any], board: NamedBoard) -> Growth:
    """Return how a table grew; raise FrameError if it is malformed."""
    answer = answers.parse_answer(loaded)
    step, pegs = answers.integer(loaded.get("step")), answers.integers(loaded, "pegs")
    listed = answers.listed(loaded, "chains")
    chains = [answers.integers({"chain": each}, "chain") for each in listed]
    if answer.states is None or step < 1 or len(pegs) > MOST_SAMPLED or len(chains) > POINTS:
        raise FrameError("a table that is none")
    if not all(0 <= each <= 64 for each in pegs):
        raise FrameError("boards that are none")
    known = sorted({*pegs} - {0}, reverse=True)
    counted = Counter((each, place * COLUMNS // len(pegs)) for place, each in enumerate(pegs))
    grown = Growth(
        answer.states,
        answer.number == 1 and verify(board.board, answer.jumps).solved,
        step,
        pegs.count(0),
        known,
        [[counted[each, column] for column in range(COLUMNS)] for each in known],
        chains,
    )
    if not grown.is_whole:
        raise FrameError("chains that are none")
    return grown
