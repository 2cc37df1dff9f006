"""Run one check in a child process, repeat it where that is fair, and report faults of the grader itself."""

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from grader import errors
from grader.catalog.tasks import Asked, Registry, Task
from grader.judging import kinds
from grader.judging.kinds import table_truth
from grader.sandbox.answers import Failure, FrameError, parse_frame
from grader.sandbox.asking import Asks, End, Outcome
from grader.sandbox.confine.limits import IDLE_S, most_mib, usable_cores

T = TypeVar("T")
Request = dict[str, Any]

LOOK_UP_CPU_S = 2.0  # for looking boards up, beside the check's limit: no right program takes so long
ASK_CPU_S, ASK_WALL_S = 2.0, 10.0  # for all of `Ask`; the last question may overrun the second by its limit
Progress = Callable[[str, int, int], None]


class CheckRunner:
    """Runs the checks of one run of the grader, as many at once as there are cores, and memory for all."""

    def __init__(
        self, registry: Registry, tier: int, cores: int | None, progress: Progress, graders: int = 1
    ) -> None:
        """Prepare for runs; `graders` is how many graders share this machine."""
        self.cores = self._free_cores = cores or usable_cores()
        self.most_mib = self._free_mib = most_mib(graders)  # that a check can have when it runs alone
        self.total = 0  # checks, for reporting progress
        self._registry = registry
        self._tier = tier
        self._progress = progress
        self._freed = threading.Condition()
        self._lock = threading.Lock()
        self._done = 0
        self._idle_s = defaultdict[tuple[str, bool], float](float)  # of a task's visible or hidden checks
        self._fault_report = ""

    def run(self, asked: Asked, runner: Asks) -> Outcome:
        """Run one check in a child process and return the outcome."""
        request = kinds.of(asked.task).request(asked)
        with self._place(asked.task):
            outcome = self._or_machine_too_small(self._ask(request, asked, runner), asked)
            if outcome.end == End.FAULT:
                self._report_fault(name_of(asked), outcome)
            in_time = outcome.cpu_s <= asked.check.cpu_s
            answer = answer_of(outcome, kinds.of(asked.task).parse) if in_time else None
            if answer is not None:
                self._ask_more(answer, outcome, asked, runner)
        self.done(asked)
        return outcome

    @contextlib.contextmanager
    def _place(self, task: Task) -> Iterator[None]:
        """Wait for a core and as much memory as a check of the task may use."""
        mib = min(task.memory_mib, self.most_mib)
        with self._freed:
            self._freed.wait_for(lambda: self._free_cores and self._free_mib >= mib)
            self._free_cores -= 1
            self._free_mib -= mib
        try:
            yield
        finally:
            with self._freed:
                self._free_cores += 1
                self._free_mib += mib
                self._freed.notify_all()

    def done(self, asked: Asked) -> None:
        """Report that a check is done."""
        with self._lock:
            self._done += 1
            self._progress(name_of(asked), self._done, self.total)

    def _ask_more(self, answer: Any, outcome: Outcome, asked: Asked, runner: Asks) -> None:
        """Have fresh child processes verify an answer and, if the kind of task needs it, look up boards."""
        kind, failed = kinds.of(asked.task), 0
        for request in kind.more_requests(asked, answer):
            more = self._ask(request, asked, runner)
            outcome.more.append(more)
            failed += more.end != End.ANSWERED or more.cpu_s > asked.check.cpu_s
            if failed > asked.may_miss:
                break
        boards = kind.boards_to_look_up(asked, answer)
        cpu_s = max(2 * outcome.cpu_s, asked.check.cpu_s) + LOOK_UP_CPU_S * asked.time_factor
        for request in table_truth.look_ups(kind.request(asked), boards) if boards else ():
            asks = partial(runner.run, request, cpu_s)
            outcome.looked_up.append(self._tried_twice(asks, asked.task, asked.is_hidden))

    def ask(self, task: Task, request: Request, cpu_s: float, runner: Asks) -> Outcome:
        """Ask a fresh child process a question that belongs to no check."""
        with self._place(task):
            return self._tried(lambda: runner.run(request, cpu_s), task)

    def compile(self, task: Task, runner: Asks) -> Outcome:
        """Have a submission's code compiled by asking it questions that are not part of any check."""
        with self._place(task):
            request = kinds.of(task).compiling(task, self._registry)
            outcome = self._tried_twice(lambda: runner.compile(request), task)
            if outcome.end == End.FAULT:
                self._report_fault(f"{task.name} (compiling)", outcome)
            return outcome

    def _ask(self, request: Request, asked: Asked, runner: Asks) -> Outcome:
        """Ask a child a question of a check, within the check's limit of CPU time.

        If it answers too late, it is asked once more, and the faster answer counts.
        """
        limit_s = asked.check.cpu_s
        runs = partial(self._tried_twice, partial(runner.run, request, limit_s), asked.task, asked.is_hidden)
        outcome = runs()
        if outcome.end != End.ANSWERED or outcome.cpu_s <= limit_s:
            return outcome
        again = runs()
        return again if again.end == End.ANSWERED and again.cpu_s < outcome.cpu_s else outcome

    def _tried_twice(self, runs: Callable[[], Outcome], task: Task, hidden: bool = False) -> Outcome:
        """Run a check, and run it once more if the grader fails.

        If memory runs out each time, that is no fault on a hidden board; see `_or_machine_too_small`.
        """
        outcome = self._tried(runs, task, hidden)
        if outcome.end == End.FAULT:
            outcome = self._tried(runs, task, hidden)
            if hidden and outcome.end == End.FAULT and outcome.returncode is not None:
                outcome.end = End.DIED
        return outcome

    def _tried(self, runs: Callable[[], Outcome], task: Task, hidden: bool = False) -> Outcome:
        """Run a check, unless others of its task waited too long; an error of the grader is its own fault."""
        if self._idle_s[task.name, hidden] > IDLE_S:
            return Outcome(End.IDLE)
        try:
            outcome = runs()
        except (OSError, MemoryError, RuntimeError) as error:  # too many threads, too deep a structure
            return Outcome(End.FAULT, fault=f"{type(error).__name__}: {error}")
        with self._lock:
            self._idle_s[task.name, hidden] += outcome.idle_s
        return outcome

    def _or_machine_too_small(self, outcome: Outcome, asked: Asked) -> Outcome:
        """Return the outcome, or a fault if memory ran out only because this machine has too little.

        On a hidden board it is no fault: a program could choose one as a third answer, beside pass and fail.
        """
        task = asked.task
        if outcome.end != End.MEMORY_LIMIT or self.most_mib >= task.memory_mib:
            return outcome
        fault = (
            f"the program needs more than the {self.most_mib:,} MiB that a check can have on this machine; "
            f"the task allows {task.memory_mib:,} MiB"
        )
        return replace(outcome, end=outcome.end if asked.is_hidden else End.FAULT, fault=fault)

    def _report_fault(self, what: str, outcome: Outcome) -> None:
        """Write a report on a fault of the grader; a run writes one report, about its first fault."""
        with self._lock, contextlib.suppress(OSError):
            if not self._fault_report:
                where = f"grade {what}, tier {self._tier}"
                self._fault_report = errors.write_report(where, outcome.fault)
            outcome.report = self._fault_report


def name_of(asked: Asked) -> str:
    """Return the task and the check, as in `peg3 english`."""
    return f"{asked.task.name} {asked.check.name}"


def answer_of(outcome: Outcome, parse: Callable[[Request], T]) -> T | None:
    """Return a child's answer; None if it gave none."""
    if outcome.end != End.ANSWERED:
        return None
    try:
        answer = parse_frame(outcome.frame, parse)
    except FrameError:
        return None
    return None if isinstance(answer, Failure) else answer


class Ask:
    """Asks children about a program until time is up; `at_limit` tells that the last one was out of it."""

    def __init__(self, run: Callable[[Request, float], Outcome]) -> None:
        """Start the clock; `run` asks a child a question, with a limit in CPU seconds."""
        self._run = run
        self.at_limit = False
        self._cpu_s = ASK_CPU_S
        self._end = time.monotonic() + ASK_WALL_S

    def __call__(self, request: Request, parse: Callable[[Request], T]) -> T | None:
        """Return the answer to a question; None if it was not answered or no time is left."""
        self.at_limit = False
        if self._cpu_s <= 0 or time.monotonic() > self._end:
            return None
        outcome = self._run(request, self._cpu_s)
        self._cpu_s -= outcome.cpu_s
        self.at_limit = outcome.end == End.CPU_LIMIT
        return answer_of(outcome, parse)
