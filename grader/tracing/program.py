"""Ask a student's program questions in the sandbox, as plain Python; each answer is kept."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from framework.board import Board, format_board
from framework.jumps import Jump
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Check, Task
from grader.judging.check_run import answer_of
from grader.judging.judge import Judge
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.solve import question
from grader.result import Result
from grader.sandbox import answers, traces
from grader.sandbox.answers import Failure
from grader.sandbox.asking import Load
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import Submission
from grader.tracing.run import Run, run_of

T = TypeVar("T")

CPU_S = 2.0  # for a small board: a hundred times what it takes
ANSWER_BYTES = 2 << 20  # a trace of MOST_EVENTS, with keys of 20 digits


class Program:
    """A student's program for a task; use it in a `with` block."""

    def __init__(self, task: Task, submission: Submission, sandbox: Sandbox, cpu_s: float = CPU_S) -> None:
        """Prepare the program; each question imports it anew.

        Args:
            cpu_s: the limit for each answer, in CPU seconds.
        """
        self.task = task
        self._cpu_s = cpu_s
        self.submission = submission
        self._judge = Judge(task, submission, sandbox.tier)
        load = Load(submission.clean_folder(), task.module, task.memory_mib, ANSWER_BYTES)
        self._runner = sandbox.runner(load, hidden=False)
        self._outcomes: dict[str, Outcome] = {}

    def __enter__(self) -> "Program":
        self._runner.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.__exit__(None, None, None)

    # ---- questions -----------------------------------------------------------------------------

    def ask(self, request: dict[str, Any], parse: Callable[[dict[str, Any]], T]) -> T | None:
        """Return the answer to a question; None if there was none."""
        return answer_of(self._outcome(request), parse)

    def trace(self, board: Board) -> traces.Trace | None:
        """Return the trace of the search on a board; None if it gave no answer."""
        return self.ask(self._tracing(board), traces.parse_trace)

    def run(self, board: Board) -> Run | None:
        """Return the search of a board; None if it did not end, or cannot be followed."""
        trace = self.trace(board)
        return None if trace is None or not trace.is_whole else run_of(table_truth.positions(board), trace)

    def is_slow(self, board: Board) -> bool:
        """Return whether the search of a board did not end within its CPU time."""
        return self._outcome(self._tracing(board)).end == End.CPU_LIMIT

    def keys(self, boards: Sequence[str]) -> list[int] | None:
        """Return the keys of boards by `board_key`; None if there are none."""
        said = self.client(boards=boards)
        return None if said is None else said.keys

    def client(
        self,
        made: Sequence[Jump] = (),
        moves: Sequence[int] = (),
        boards: Sequence[str] = (),
        hashed: bool = False,
    ) -> answers.ClientAnswer | None:
        """Return what the functions of client.py return; None if one of them fails.

        Args:
            made: the jumps to make moves of.
            moves: the moves to take apart.
            hashed: whether to return the keys' hashes, too.
        """
        asks = client.question(list(made), list(boards), hashed, moves)
        said = self.ask(asks, answers.parse_client_answer)
        as_asked = said is not None and len(said.made) == len(made) and len(said.moves) == len(moves)
        if said is None or not as_asked or len(said.keys) != len(boards):
            return None
        return said if len(said.hashes) == len(boards) * hashed else None

    def winning(self, board: Board, jumps: int) -> int | None:
        """Return how many boards `fill_winning` puts into its table; None if it does not."""
        said = self.ask(self._filling(board, jumps), answers.parse_winning_table)
        return None if said is None else said.size

    # ---- failures ------------------------------------------------------------------------------

    def why_no_trace(self, board: NamedBoard) -> Result | None:
        """Return the result that says why the search of a board gives no trace; None if it does."""
        request = self._tracing(board.board)
        trace = self.ask(request, traces.parse_trace)
        if trace is not None and trace.error is None:
            return None
        return self._failed(board, request, None if trace is None else trace.error)

    def why_not_filled(self, board: NamedBoard, jumps: int) -> Result:
        """Return the result that says why `fill_winning` gave no table."""
        return self._failed(board, self._filling(board.board, jumps), None)

    def _failed(self, board: NamedBoard, request: dict[str, Any], failure: Failure | None) -> Result:
        asked = Asked(Check(board.name, 0, self._cpu_s), board, self.task, debug=True)
        if failure is not None:
            return self._judge.failed(asked, failure).harmless()
        return self._judge.said(asked, self._outcome(request))[0].harmless()

    def _outcome(self, request: dict[str, Any]) -> Outcome:
        name = json.dumps(request)
        if name not in self._outcomes:
            self._outcomes[name] = self._runner.run(request, self._cpu_s)
        return self._outcomes[name]

    def _tracing(self, board: Board) -> dict[str, Any]:
        asks = question(NamedBoard("", board, Facts()), self.task)
        return {**asks, "kind": "trace", "module": self.task.module}

    def _filling(self, board: Board, jumps: int) -> dict[str, Any]:
        return {"kind": "winning", "board": format_board(board), "jumps": jumps}
