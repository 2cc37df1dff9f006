"""Decide what a check earned: what a child said against what the judge sees on the board itself."""

from dataclasses import replace

from framework.verify import verify
from grader import endings, messages, sources, wrong_answers
from grader.boards import NamedBoard
from grader.failures import explain
from grader.frames import Answer, ClientAnswer, Failure, FrameError, parse_frame
from grader.messages import Told
from grader.result import ON_A_BOARD, Result, Verdict
from grader.safe_text import shown_output
from grader.sandbox.outcome import End, Outcome
from grader.sources import Function
from grader.submission import Submission
from grader.tasks import Check, Task


def withhold_hopeless(results: list[Result], boards: list[NamedBoard | None]) -> list[Result]:
    """Return a task's results without the points of hopeless boards, unless solvable ones earned theirs.

    A program that gives up on every board is right on each hopeless one. So these earn nothing until half of
    the points of the solvable boards that were run are earned.
    """
    solvable = [
        result
        for result, board in zip(results, boards, strict=True)
        if board and board.facts.solvable and result.verdict != Verdict.GRADER_ERROR
    ]
    earned = sum(result.points for result in solvable)
    if 2 * earned >= sum(result.max_points for result in solvable):
        return results
    told = messages.withheld()
    return [
        replace(result, points=0, message=told.message, help=told.help)
        if board and board.facts.solvable is False and result.points
        else result
        for result, board in zip(results, boards, strict=True)
    ]


class Judge:
    """Judges the checks of one task of one submission."""

    def __init__(self, task: Task, submission: Submission, debug: bool, tier: int) -> None:
        self._task = task
        self._submission = submission
        self._debug = debug
        self._tier = tier

    def not_run(self, check: Check, board: NamedBoard | None, told: Told) -> Result:
        """Return the result of a check that was not run."""
        return self._with(self._blank(check, board), Verdict.NOT_RUN, told)

    def refused(self, check: Check, board: NamedBoard | None, told: Told) -> Result:
        """Return the result of a check whose submission could not even be read."""
        return self._with(self._blank(check, board), Verdict.CRASHED, told)

    def judge(self, check: Check, board: NamedBoard | None, outcome: Outcome) -> Result:
        """Return the result of a check from what came of its child.

        Args:
            check: the check.
            board: its board; None for the checks of the client, which `client_check` judges.
            outcome: what came of the child.
        """
        result = self._measured(self._blank(check, board), outcome)
        said = self._said(check, board, outcome)
        if isinstance(said, tuple):
            result = self._with(result, *said)
        elif board is None or not isinstance(said, Answer):
            told = endings.bad_frame("an answer to another question")
            result = self._with(result, Verdict.BAD_RETURN, told)
        else:
            result = self._judge_answer(check, board, said, result)
        started = outcome.end != End.PREPARE_LIMIT
        if board is not None and board.unlisted and started and result.verdict in ON_A_BOARD:
            result = replace(result, message=messages.with_board(result.message, board.board))
        return result

    def client_said(self, check: Check, outcome: Outcome) -> tuple[Result, ClientAnswer | None]:
        """Return the result of a check of the client so far, and its answer if there is one."""
        result = self._measured(self._blank(check, None), outcome)
        said = self._said(check, None, outcome)
        if isinstance(said, tuple):
            return self._with(result, *said), None
        if not isinstance(said, ClientAnswer):
            told = endings.bad_frame("an answer to another question")
            return self._with(result, Verdict.BAD_RETURN, told), None
        return result, said

    # ---- the ways a child can end --------------------------------------------------------------

    def _said(
        self, check: Check, board: NamedBoard | None, outcome: Outcome
    ) -> Answer | ClientAnswer | tuple[Verdict, Told]:
        """Return the child's answer, or the verdict when there is none to judge."""
        match outcome.end:
            case End.ANSWERED:
                pass
            case End.CPU_LIMIT | End.WALL_LIMIT:
                return self._too_slow(check, board, outcome)
            case End.MEMORY_LIMIT:
                return Verdict.MEMORY, endings.memory(self._task.memory_mib, self._task)
            case End.OUTPUT_LIMIT:
                return Verdict.OUTPUT, endings.output()
            case End.PREPARE_LIMIT:
                return Verdict.TIMEOUT, endings.prepare_limit(outcome)
            case End.DIED:
                assert outcome.returncode is not None
                if outcome.returncode < 0:
                    return Verdict.CRASHED, endings.killed(-outcome.returncode, self._task, board)
                return Verdict.EXITED, endings.exited(outcome.returncode)
            case End.BAD_FRAME:
                return Verdict.BAD_RETURN, endings.bad_frame("more than one answer")
            case End.STOPPED:
                return Verdict.NOT_RUN, Told("stopped", "run the same command again")
            case End.FAULT:
                return Verdict.GRADER_ERROR, endings.grader_fault(outcome.fault, outcome.report)
        try:
            said = parse_frame(outcome.frame)
        except FrameError as error:
            return Verdict.BAD_RETURN, endings.bad_frame(str(error))
        if isinstance(said, Failure):
            return explain(said, self._task, self._submission, self._debug, board, check.cpu_s)
        return self._too_slow(check, board, outcome) if outcome.cpu_s > check.cpu_s else said

    def _too_slow(self, check: Check, board: NamedBoard | None, outcome: Outcome) -> tuple[Verdict, Told]:
        told = endings.timeout(check.cpu_s, outcome, board, self._task, self._not_compiled())
        return Verdict.TIMEOUT, told

    def _not_compiled(self) -> Function | None:
        """Return a function of the task's file that need not have run as plain Python, where that counts."""
        if self._debug or self._task.kind in ("client", "forced"):
            return None
        return sources.not_compiled(sources.functions(self._submission.sources), self._task.file)

    # ---- an answer -----------------------------------------------------------------------------

    def _judge_answer(self, check: Check, board: NamedBoard, answer: Answer, result: Result) -> Result:
        number = answer.number
        if not 1 <= number <= board.pegs:
            told = wrong_answers.impossible_number(number, board, self._task, self._debug)
            return self._with(result, Verdict.BAD_RETURN, told)
        result = replace(result, pegs_left=number, unsolvable=answer.states)
        if number == 1:
            return self._judge_solution(check, board, answer, result)
        result = replace(result, answer=f"{number} left")
        if answer.jumps:
            return self._with(result, Verdict.WRONG_ANSWER, wrong_answers.stack_not_empty(answer.jumps))
        if (answer.board != board.board).any():
            told = wrong_answers.board_changed(board, answer.board, self._task, self._debug)
            return self._with(result, Verdict.WRONG_ANSWER, told)
        return self._judge_number(check, board, answer, result)

    def _judge_solution(self, check: Check, board: NamedBoard, answer: Answer, result: Result) -> Result:
        seen = verify(board.board, answer.jumps)
        jumps = f"{len(answer.jumps)} jump{'' if len(answer.jumps) == 1 else 's'}"
        result = replace(result, jumps=answer.jumps, answer=f"solved, {jumps}")
        if seen.fault is not None:
            told = wrong_answers.illegal_jump(board.board, answer.jumps, seen)
            return self._with(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
        if not seen.solved:
            told = wrong_answers.not_solved(answer.jumps, seen, self._task)
            return self._with(result, Verdict.WRONG_ANSWER, told)
        return self._accepted(check, board, answer, result)

    @property
    def _exact(self) -> bool:
        """Whether the number returned for a hopeless board must be the fewest pegs."""
        return self._task.kind != "any-above-one"

    def _judge_number(self, check: Check, board: NamedBoard, answer: Answer, result: Result) -> Result:
        facts = board.facts
        if self._task.kind == "forced" and facts.forced is False:
            return self._with(result, Verdict.ACCEPTED, wrong_answers.has_choices())
        if facts.solvable:
            told = wrong_answers.solvable(answer.number, board, self._task, self._debug)
            return self._with(result, Verdict.WRONG_ANSWER, told)
        exact = self._exact
        if exact and facts.fewest is not None and answer.number != facts.fewest:
            told = wrong_answers.wrong_number(answer, board, self._task, self._debug)
            return self._with(result, Verdict.WRONG_ANSWER, told)
        if facts.solvable is None or (exact and facts.fewest is None):
            return self._with(result, Verdict.ACCEPTED, wrong_answers.truth_unknown())
        return self._accepted(check, board, answer, result)

    def _accepted(self, check: Check, board: NamedBoard, answer: Answer, result: Result) -> Result:
        # A search that need not be exact may prove a board hopeless without a look at its positions.
        told = messages.claim(answer, board.facts) if self._exact else messages.Told()
        points = check.points
        if check.steps:
            states = answer.states
            reached = [step.points for step in check.steps if states is not None and states <= step.states]
            points += max(reached, default=0)
            if states is not None and points < check.max_points and not told.message:
                told = messages.next_step(states, check.steps, points - check.points)
        return self._with(replace(result, points=points), Verdict.ACCEPTED, told)

    # ---- records -------------------------------------------------------------------------------

    def _blank(self, check: Check, board: NamedBoard | None) -> Result:
        return Result(
            task=self._task.name,
            board=check.board,
            verdict=Verdict.NOT_RUN,
            max_points=check.max_points,
            pegs=board.pegs if board else None,
            truth=messages.truth(board.facts, self._task) if board else "",
            tier=self._tier,
        )

    def _measured(self, result: Result, outcome: Outcome) -> Result:
        return replace(
            result,
            cpu_s=outcome.cpu_s,
            wall_s=outcome.wall_s,
            peak_mib=outcome.peak_mib,
            printed=shown_output(outcome.head, outcome.tail),
        )

    def _with(self, result: Result, verdict: Verdict, told: Told) -> Result:
        return replace(result, verdict=verdict, message=told.message, help=told.help, place=told.place)
