"""Run the checks of one task of one submission, and skip those that are sure to fail in the same way.

Nobody waits long for a program that is wrong or too slow. Of a task's own boards that students can see,
those with short limits run first. Once SLOW of them have run out of time, and their limits come to SLOW_S,
the others are not run, with -d once one has; one with a limit of more than LONG_S runs when all before it
are right. What fails in no time, as by a crash, leaves out no other: it may still be solved, and earns its
points. No board is left out that is named, private or hidden, since the limits of these need not rise with
their difficulty. Limits decide, not times, so that neither the speed of a machine nor the number of its
cores changes verdicts.
"""

import logging
import shlex
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from typing import Any

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Check, Task
from grader.judging import kinds
from grader.judging.causes.find import Failures, causes
from grader.judging.check_run import Ask, CheckRunner
from grader.judging.judge import Judge
from grader.judging.kinds.kind import ruled, unpaid, words_of
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict
from grader.sandbox.answers import Failure, FrameError, parse_frame
from grader.sandbox.asking import Asks, Basis, End, Load, Outcome, Place
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission, functions_used

IMPORT_FAILS = ("import", "slow-import", "top-level")
SAME = "not run: the same"
NEVER_RUNS = (*IMPORT_FAILS, "compile")  # failures that are the same on every board
SLOW, SLOW_S = 3, 8.0  # checks that ran out of time, and the sum of their limits on the reference machine
LONG_S = 30.0  # a limit on the reference machine


class TaskRun:
    """The checks of one task of one submission; those that students can see run before the hidden ones."""

    spares_slow = True  # whether the task's own checks are left out once some have run out of time

    def __init__(
        self,
        task: Task,
        planned: list[Asked],
        submission: Submission | SubmissionFault,
        checks: CheckRunner,
        tier: int,
        first: Callable[[Result], None] | None,
    ) -> None:
        """Prepare the run.

        Args:
            submission: the student's files, or why they cannot be used.
            tier: the sandbox tier of the student's processes.
            first: called with the first check's result; see `Grading`.
        """
        self.planned = planned
        self.fault = submission if isinstance(submission, SubmissionFault) else None
        self._submission = Submission("", {}) if isinstance(submission, SubmissionFault) else submission
        self._checks = checks
        self._task = task
        self._first = first
        self._judge = Judge(task, self._submission, tier)
        self._judged: dict[int, Result] = {}  # by index in `planned`
        self._spares: Result | None = None  # a failure common to all checks: no other check runs

    def has(self, hidden: bool) -> bool:
        """Return whether there are any checks to run; if `hidden`, only hidden ones count."""
        return bool(self._places(hidden)) if hidden else bool(self.planned)

    def _places(self, hidden: bool) -> list[int]:
        return [place for place, each in enumerate(self.planned) if each.is_hidden == hidden]

    @property
    def begun(self) -> list[Result] | None:
        """The results of the visible checks, not settled yet, if the hidden checks are still to be run."""
        if self._spares is not None or self._judged.keys() >= {*self._places(hidden=True)}:
            return None
        return [result for _, result in sorted(self._judged.items())]

    def take_up(self, begun: Sequence[Result]) -> None:
        """Go on after the visible checks, which were run elsewhere; `begun` was then what `self.begun` is."""
        self._judged = dict(zip(self._places(hidden=False), begun, strict=True))

    def run(self, sandbox: Place, hidden: bool) -> None:
        """Run the hidden checks if `hidden`, otherwise the visible ones; have the code compiled before.

        If an exception interrupts a call, the next call goes on with the first check that has no result.
        """
        if not self.has(hidden) or self._spares is not None:
            return
        before_boards = replace(self.planned[0], board=None)
        if self.fault is not None:
            self._take_before_boards(self._judge.refused(before_boards, self.fault))
            return
        places = self._places(hidden)
        if hidden and _earned_too_few([each for each in self._settled().values() if not each.hidden]):
            for place in places:
                told = self._judge.not_run(self.planned[place], say("beside-own"))
                self._judged[place] = replace(told, before=True)
                self._checks.done(self.planned[place])
            return
        if not kinds.of(self._task).runs_programs:
            self._read(places)
            return
        with sandbox.runner(self._load(), hidden) as runner:  # a compile run, too, is one of this half
            if not runner.has_compiled_code:
                compiling = self._checks.compile(self._task, runner)
                if compiling.end == End.FAULT:  # a check's time would not be enough to compile as well
                    for place in places:
                        self._take(place, compiling)
                        self._checks.done(self.planned[place])
                    return
                causes = NEVER_RUNS if places else (*NEVER_RUNS, "not-written")  # only hidden checks follow
                if not hidden and _fails_everywhere(compiling, self._task, causes):
                    self._take_before_boards(self._judge.judge(before_boards, compiling))
                    return
            if places:
                self._run(places, runner)
            if places and not hidden and self._spares is None:
                try:
                    self._find_causes(places, runner)
                except Exception as error:  # keep the messages: no verdict depends on a cause
                    logging.getLogger(__name__).warning(
                        "%s: the search for causes failed: %r; please report this", self._task.name, error
                    )

    def _run(self, places: list[int], runner: Asks) -> None:
        if places[0] not in self._judged:
            first = self._checks.run(self.planned[places[0]], runner)
            result = self._take(places[0], first)
            if _fails_everywhere(first, self._task, (*NEVER_RUNS, "not-written")):
                self._spares = result
                return
            if self._first is not None:
                self._first(result)
        left = [place for place in places if place not in self._judged]
        # Functions asked by themselves come first: a search that uses them may only be slow because of them.
        own = sorted(
            filter(self._may_be_spared, left),
            key=lambda place: (self.planned[place].board is not None, self._limit_s(place)),
        )
        for _, alike in groupby(own, lambda place: max(self._limit_s(place), LONG_S)):
            self._run_unless_slow(list(alike), runner)
        others = [place for place in left if not self._may_be_spared(place)]
        for place, outcome in zip(others, self._outcomes(others, runner), strict=True):
            self._take(place, outcome)

    def _may_be_spared(self, place: int) -> bool:
        asked = self.planned[place]
        listed = asked.check.name in (check.name for check in self._task.checks)
        return self.spares_slow and listed and not asked.is_hidden

    def _run_unless_slow(self, places: list[int], runner: Asks) -> None:
        """Run checks until enough have run out of time.

        Outcomes are taken in the order of `places`, so the number of cores does not decide what is left out.
        """
        left = list(places)
        with closing(self._outcomes(places, runner)) as outcomes:
            while left and not self._why_spared(left[0]):
                self._take(left[0], next(outcomes))
                del left[0]
        for place in left:
            told = self._why_spared(place) or Message()
            spared = self._judge.not_run(self.planned[place], told)
            self._judged[place] = replace(spared, answer=SAME) if told.facts.get("slow") else spared
            self._checks.done(self.planned[place])

    def _why_spared(self, place: int) -> Message | None:
        """Return why not to run a check, or None to run it."""
        asked, settled = self.planned[place], self._settled()
        known: dict[str, Any] = {
            "task": self._task.name,
            "board": shlex.quote(asked.check.name),
            "debug": asked.debug,
        }
        slow = [self._limit_s(at) for at, result in settled.items() if result.verdict == Verdict.TIMEOUT]
        many = len(slow) >= (1 if asked.debug else SLOW)  # with -d there are no points to lose
        if many and sum(slow) >= SLOW_S:
            return say("failed-before", slow=len(slow), failed="", limit_s=0, **known)
        failed = [result.board for result in settled.values() if result.verdict != Verdict.ACCEPTED]
        if failed and self._limit_s(place) > LONG_S:
            return say("failed-before", slow=0, failed=failed[0], limit_s=round(asked.check.cpu_s), **known)
        return None

    def _limit_s(self, place: int) -> float:
        """Return the limit of a check on the reference machine, in CPU seconds."""
        return self.planned[place].check.cpu_s / self.planned[place].time_factor

    def _read(self, places: list[int]) -> None:
        """Judge files that are no programs, without a process."""
        for place in places:
            self._judged[place] = self._judge.read(self.planned[place])
            if self._first is not None and place == 0:
                self._first(self._judged[place])
            self._checks.done(self.planned[place])

    def _outcomes(self, places: list[int], runner: Asks) -> Generator[Outcome]:
        """Run checks side by side and yield their outcomes; with one core no thread is started.

        A check begins only when no more than one a core has not been yielded: so whoever stops at a timeout
        does not wait for one that began after it.
        """
        cores = self._checks.cores
        if cores == 1:
            yield from (self._checks.run(self.planned[place], runner) for place in places)
            return
        with ThreadPoolExecutor(max_workers=cores) as pool:
            begun: deque[Future[Outcome]] = deque()
            for place in places:
                if len(begun) == cores:
                    yield begun.popleft().result()
                begun.append(pool.submit(self._checks.run, self.planned[place], runner))
            while begun:
                yield begun.popleft().result()

    def _find_causes(self, places: list[int], runner: Asks) -> None:
        """Ask further questions, and put the causes that they show into the messages of failed checks.

        A cause replaces the message; if only the message names a line of code, the cause is put before it.
        The result then has no place: that line is where the failure shows, not what is to be mended.
        """
        judged = [(self.planned[place], self._judged[place]) for place in places]
        ask = Ask(lambda request, cpu_s: self._checks.ask(self._task, request, cpu_s, runner))
        failures = Failures(self._task, self._submission, judged, self._judge.explained, ask)
        for which, told in causes(failures):
            result = judged[which][1]
            if result.place and not told.place:
                shows = replace(words_of(Message.of(result)), place="", source="")
                told = words_of(say("shows-at", at=result.place)).under(shows).under(told)
            said = replace(ruled(result, result.verdict, told), is_cause=True)
            self._judged[places[which]] = said.harmless()

    def _take(self, place: int, outcome: Outcome) -> Result:
        self._judged[place] = self._judge.judge(self.planned[place], outcome)
        return self._judged[place]

    def _take_before_boards(self, result: Result) -> None:
        """Record a failure common to all checks, found before the program was shown any board."""
        known = self._judge.not_run(self.planned[0], Message())
        self._spares = self._judged[0] = replace(
            result, pegs=known.pegs, truth=known.truth, hidden=known.hidden, before=True
        )

    def _basis(self) -> Basis | None:
        """Return what is shared with other submissions."""
        earlier = self._submission.without(self._task.file)
        if not earlier.sources:
            return None
        functions = functions_used(self._submission, self._task.file)
        return Basis(earlier.folder, PurePath([*earlier.sources][-1]).stem, functions, earlier.clean_folder)

    def _load(self) -> Load:
        return Load(
            self._submission.clean_folder(),
            self._task.module,
            min(self._task.memory_mib, self._checks.most_mib),
            kinds.of(self._task).answer_bytes,
            self._basis(),
        )

    def results(self) -> list[Result]:
        """Return the results in the order of the checks, including checks not run, or not run yet."""
        by_place = self._settled()
        told = say("not-graded") if self._spares is None else _spared_by(self._spares)
        before = self._spares is not None and (self._spares.before or not self._spares.hidden)
        return [
            by_place[place] if place in by_place else replace(self._judge.not_run(each, told), before=before)
            for place, each in enumerate(self.planned)
        ]

    def _settled(self) -> dict[int, Result]:
        """Return the results known so far by their places, settled."""
        places = sorted(self._judged)
        planned = [(self.planned[place].check, self.planned[place].board) for place in places]
        results = settle(self._task, [self._judged[place] for place in places], planned)
        return dict(zip(places, results, strict=True))


def settle(
    task: Task, results: Sequence[Result], planned: Sequence[tuple[Check, NamedBoard | None]]
) -> list[Result]:
    """Return results of a task's checks, with points that depend on one another.

    What is told of a visible check depends on visible ones alone, or it would tell of hidden boards.
    """
    found: dict[int, Result] = {}
    for those in (True, False), (False,):
        places = [place for place, result in enumerate(results) if result.hidden in those]
        boards = [planned[place][1] for place in places]
        settled = kinds.of(task).settle([results[place] for place in places], boards)
        settled = _beside_others(settled, [planned[place][0] for place in places])
        found |= zip(places, settled, strict=True)
    return [found[place] for place in range(len(results))]


def all_results(runs: Sequence[TaskRun]) -> list[Result]:
    """Return the results of all tasks, in order."""
    return [result for run in runs for result in run.results()]


def _beside_others(results: list[Result], checks: Sequence[Check]) -> list[Result]:
    """Withhold points that count only beside another check, if that check was run and is not passed."""
    failed = {result.board for result in results if result.verdict != Verdict.ACCEPTED}
    return [
        unpaid(result, say("beside-another", other=check.beside))
        if result.points and check.beside in failed
        else result
        for result, check in zip(results, checks, strict=True)
    ]


def _earned_too_few(own: Sequence[Result]) -> bool:
    """Return whether the task's own boards, if they have points, have no more than half of them.

    They are chosen such that luck does not solve them, and ask for what the table must hold. So private
    boards are run only beside more than that.
    """
    most = sum(each.max_points for each in own)
    return 0 < most >= 2 * sum(each.points for each in own)


def _spared_by(first: Result) -> Message:
    """Return the message for checks skipped because `first` showed a failure common to all."""
    if first.code == "needs":
        return say("needs", needs=first.facts["needs"], write=False)
    return say("needs-check", check=first.board)


def _fails_everywhere(outcome: Outcome, task: Task, causes: tuple[str, ...]) -> bool:
    """Return whether a check failed for a cause that every check of the task shares."""
    if outcome.end == End.PREPARE_LIMIT:
        return True
    if outcome.end != End.ANSWERED or b'"failure"' not in outcome.frame:
        return False  # most answers are large, and not failures: only the judge parses them
    try:
        said = parse_frame(outcome.frame, lambda loaded: None)
    except FrameError:
        return False
    if kinds.of(task).asks_other_functions:
        causes = IMPORT_FAILS
    # While the files are imported nothing depends on the check, whatever kind the program claims.
    return isinstance(said, Failure) and (outcome.importing or said.kind in causes)
