"""Decide what a check earned by comparing a child's answer with the judge's own board."""

import contextlib
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader import errors
from grader.catalog.tasks import Asked, Task, has_earlier_search
from grader.judging import kinds
from grader.judging.check_run import answer_of
from grader.judging.kinds import below, ruled, table_truth
from grader.judging.kinds.kind import words_of
from grader.messages import endings, sources
from grader.messages.catalogue import Message, picture, say
from grader.messages.failure_context import say_found
from grader.messages.failures import explain
from grader.messages.in_source import endless_loop
from grader.messages.sources import Function
from grader.result import ON_A_BOARD, Result, Verdict
from grader.safe_text import one_line, shown_output
from grader.sandbox.answers import Failure, FrameError, parse_client_answer, parse_frame, parse_kept
from grader.sandbox.asking import End, Outcome
from grader.sandbox.confine.limits import IDLE_S
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission

_cpu_time = getattr(time, "thread_time", time.process_time)  # a browser's Python has no threads


class Judge:
    """Judges the checks of one task of one submission."""

    def __init__(self, task: Task, submission: Submission, tier: int) -> None:
        self._task = task
        self._kind = kinds.of(task)
        self._submission = submission
        self._tier = tier

    def not_run(self, asked: Asked, told: Message) -> Result:
        """Return the result of a check that was not run."""
        return ruled(self._blank(asked), Verdict.NOT_RUN, told)

    def refused(self, asked: Asked, fault: SubmissionFault) -> Result:
        """Return the result of a check whose submission is missing, or could not even be read."""
        verdict = Verdict.NOT_WRITTEN if fault.missing else Verdict.CRASHED
        verdict = Verdict.GRADER_ERROR if fault.ours else verdict
        return ruled(
            self._blank(asked), verdict, say("cannot-be-read", problem=fault.message, todo=fault.help)
        )

    def judge(self, asked: Asked, outcome: Outcome) -> Result:
        """Return the result of a check, given the outcome of its child process.

        No answer that a program makes up may end a run: one that cannot be judged is the grader's fault. On a
        hidden board it fails, or it would be a third answer.
        """
        try:
            return self._judged(asked, outcome)
        except Exception as error:
            if asked.is_hidden:
                return ruled(
                    self._blank(asked), Verdict.BAD_RETURN, say("bad-frame", found=type(error).__name__)
                )
            report = ""
            with contextlib.suppress(OSError):
                what = f"judging {asked.task.name} {asked.check.name}"
                report = errors.write_report(what, "".join(traceback.format_exception(error)))
            told = say("grader-fault", fault=one_line(repr(error)), report=report)
            return ruled(self._blank(asked), Verdict.GRADER_ERROR, told)

    def _judged(self, asked: Asked, outcome: Outcome) -> Result:
        result, answer = self.said(asked, outcome)
        if answer is not None:
            result = self._kind.judge(asked, answer, result)
        if answer is not None and outcome.more and asked.others:
            result = self._on_others(asked, outcome.more, result)
        elif answer is not None and outcome.more:
            more = [self.said(asked, each) for each in outcome.more]
            failed = next((each for each, said in more if said is None), None)
            result = failed or self._kind.tried(asked, answer, [said for _, said in more], result)
        if answer is not None and outcome.looked_up:
            result = self._looked_up(asked, answer, outcome.looked_up, result)
        on_others = {each.name: each for each in asked.others}
        board = asked.board if result.asked == asked.check.name else on_others.get(result.asked)
        started = outcome.end != End.PREPARE_LIMIT
        if board is not None and board.unlisted and started and result.verdict in ON_A_BOARD:
            result = replace(result, pictures=(*result.pictures, picture(board.board, caption="the board")))
        return result.harmless()

    def _on_others(self, asked: Asked, outcomes: list[Outcome], result: Result) -> Result:
        """Return the result on the first of the others that failed, if more did than may."""
        missed: dict[str, Result] = {}
        for other, outcome in zip(asked.others, outcomes, strict=False):
            on_it = replace(asked, board=other)
            found, answer = self.said(on_it, outcome)
            found = found if answer is None else self._kind.judge(on_it, answer, found)
            if found.verdict != Verdict.ACCEPTED:
                missed[other.name] = found
        if len(missed) <= asked.may_miss:
            return result
        name, first = next(iter(missed.items()))
        told = say(
            "with-others",
            asked=name,
            board=asked.check.board,
            count=len(asked.others),
            may=asked.may_miss,
            missed=[*missed],
        )
        # The jumps of a result are those on its own board.
        return below(replace(first, pegs=result.pegs, jumps=[], points=0), words_of(told))

    def _looked_up(self, asked: Asked, answer: Any, outcomes: list[Outcome], result: Result) -> Result:
        """Return the result of an answer whose table was looked into, or was to be."""
        fault = next((each for each in outcomes if each.end in (End.FAULT, End.STOPPED)), None)
        if fault is not None:  # which a program may bring about
            ended = self._ended(asked, fault)
            return ruled(self._blank(asked), *ended) if ended and result.points else result
        table, *keys = outcomes
        kept = answer_of(table, parse_kept)
        made = [said for each in keys if (said := answer_of(each, parse_client_answer)) is not None]
        boards = len(self._kind.boards_to_look_up(asked, answer))
        found = None if kept is None or len(made) < len(keys) else table_truth.looked_up(kept, made, boards)
        return self._kind.looked_up(asked, answer, found, result)

    def read(self, asked: Asked) -> Result:
        """Return the result of a check of a file that is no program."""
        file = self._task.file
        began = _cpu_time()
        blank, place = self._blank(asked), Path(self._submission.shown_folder, file)
        result = self._kind.judge_text(asked, self._submission.sources[file], place, blank)
        return replace(result, cpu_s=_cpu_time() - began).harmless()

    def said(self, asked: Asked, outcome: Outcome) -> tuple[Result, Any]:
        """Return the result so far and the answer; if the answer is None, the result is final."""
        result = self._measured(asked, outcome)
        ended = self._ended(asked, outcome)
        if ended is not None:
            return ruled(result, *ended), None
        try:
            said = parse_frame(outcome.frame, self._kind.parse)
        except FrameError as error:
            return ruled(result, Verdict.BAD_RETURN, say("bad-frame", found=one_line(str(error)))), None
        if isinstance(said, Failure):
            failed = explain(said, asked, self._submission, self._kind)
            return ruled(result, *failed), None
        if outcome.cpu_s > asked.check.cpu_s:
            late = replace(result, answer="answered late")
            return ruled(late, *self._too_slow(asked, outcome)), None
        return result, said

    def explained(self, asked: Asked, failure: Failure) -> Message:
        """Return the message for a failure of the program when run as plain Python."""
        return explain(failure, replace(asked, debug=True), self._submission, self._kind)[1]

    def failed(self, asked: Asked, failure: Failure) -> Result:
        """Return the result of a failure that came with an answer."""
        return ruled(self._blank(asked), *explain(failure, asked, self._submission, self._kind))

    # ---- the ways a child can end --------------------------------------------------------------

    def _ended(self, asked: Asked, outcome: Outcome) -> tuple[Verdict, Message] | None:
        """Return the verdict on a child that gave no answer, and the reason; None if the child answered."""
        match outcome.end:
            case End.ANSWERED:
                return None
            case End.CPU_LIMIT | End.WALL_LIMIT:
                return self._too_slow(asked, outcome)
            case End.MEMORY_LIMIT:
                limit = say("memory-limit", mib=self._task.memory_mib, machine=outcome.fault)
                return Verdict.MEMORY, limit.under(self._kind.memory_help(self._task))
            case End.OUTPUT_LIMIT:
                return Verdict.OUTPUT, say("output-limit")
            case End.PREPARE_LIMIT:
                return Verdict.TIMEOUT, endings.prepare_limit(outcome)
            case End.DIED:
                assert outcome.returncode is not None
                if outcome.returncode < 0:
                    # What LLVM makes of a loop without an end may run into whatever code comes next.
                    loop, printed = self._endless_loop(), outcome.tail or outcome.head
                    return Verdict.CRASHED, endings.killed(-outcome.returncode, asked, printed, loop)
                return Verdict.EXITED, say("exited-with-status", status=outcome.returncode)
            case End.BAD_FRAME:
                return Verdict.BAD_RETURN, say("bad-frame", found="more than one answer")
            case End.IDLE:
                return Verdict.NOT_RUN, say("waited-before", idle_s=int(IDLE_S))
            case End.STOPPED:
                return Verdict.NOT_RUN, say("stopped")
            case End.FAULT:
                return Verdict.GRADER_ERROR, say(
                    "grader-fault", fault=one_line(outcome.fault), report=outcome.report
                )

    def _too_slow(self, asked: Asked, outcome: Outcome) -> tuple[Verdict, Message]:
        why = self._endless_loop() if outcome.end == End.CPU_LIMIT else None
        return Verdict.TIMEOUT, endings.timeout(asked, outcome, why or self._why_slow(asked))

    def _why_slow(self, asked: Asked) -> Message:
        both_ends = has_earlier_search(self._task) and not asked.check.variant
        own_table = both_ends and sources.makes_a_table(self._submission.sources.get(self._task.file, ""))
        why = endings.two_ends(asked) if own_table else self._kind.slow(asked)
        function = self._not_compiled(asked)
        return why if function is None else endings.plain(function, why)

    def _endless_loop(self) -> Message | None:
        """Return the message about a loop that never ends; None if there is none."""
        loops = endless_loop(self._submission.sources)
        return say_found(self._submission, loops[0]) if loops else None

    def _not_compiled(self, asked: Asked) -> Function | None:
        """Return a function of the task's file that ran slowly because it is not compiled, if any."""
        if asked.debug or not self._kind.is_search:
            return None
        return sources.not_compiled(self._submission.sources, self._task.file, self._kind.plain_functions)

    # ---- records -------------------------------------------------------------------------------

    def _blank(self, asked: Asked) -> Result:
        board = asked.board
        return Result(
            task=self._task.name,
            board=asked.check.name,
            verdict=Verdict.NOT_RUN,
            max_points=asked.check.points,
            pegs=board.pegs if board else None,
            truth=self._kind.truth(asked) if board else "",
            tier=self._tier,
            hidden=asked.is_hidden,
            is_part=self._kind.asks_part(asked.check),
        )

    def _measured(self, asked: Asked, outcome: Outcome) -> Result:
        stopped = outcome.end == End.CPU_LIMIT  # a little later: how much is no fact about the program
        return replace(
            self._blank(asked),
            cpu_s=min(outcome.cpu_s, asked.check.cpu_s) if stopped else outcome.cpu_s,
            wall_s=outcome.wall_s,
            peak_mib=outcome.peak_mib,
            printed=shown_output(outcome.head, outcome.tail),
        )
