"""Run one check in a child, repeat it where that is fair, and report faults of the grader itself."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grader.catalog.tasks import Asked, Registry, Task
from grader.judging import kinds
from grader.messages import fault_report
from grader.sandbox.answers import Failure, FrameError, parse_frame
from grader.sandbox.confine.limits import most_mib, usable_cores
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.runner import Runner

Progress = Callable[[str, int, int], None]


class CheckRunner:
    """Runs the checks of one run of the grader, as many at once as there are cores.

    Attributes:
        cores: how many checks may run at once.
        most_mib: the memory in MiB available to each of them on this machine.
        total: the number of checks, for progress.
    """

    def __init__(self, registry: Registry, tier: int, cores: int | None, progress: Progress) -> None:
        self.cores = cores or usable_cores()
        self.most_mib = most_mib(self.cores)
        self.total = 0
        self._registry = registry
        self._tier = tier
        self._progress = progress
        self._places = threading.Semaphore(self.cores)
        self._lock = threading.Lock()
        self._done = 0
        self._fault_report = ""

    def run(self, asked: Asked, runner: Runner) -> Outcome:
        """Run one check in a child."""
        name = f"{asked.task.name} {asked.check.name}"
        request = kinds.of(asked.task).request(asked)
        with self._places:
            outcome = self._or_machine_too_small(_ask(request, asked, runner), asked.task)
            if outcome.end == End.FAULT:
                self._report_fault(name, outcome)
            outcome = _faster_of_two(outcome, request, asked, runner)
            second = _second_request(asked, outcome)
            if second is not None:
                outcome.second = _ask(second, asked, runner)
        with self._lock:
            self._done += 1
            self._progress(name, self._done, self.total)
        return outcome

    def compile(self, task: Task, runner: Runner) -> Outcome:
        """Have a submission's code compiled, by a run of questions that are not in any check."""
        with self._places:
            return _tried(lambda: runner.compile(kinds.of(task).compiling(task, self._registry)))

    def _or_machine_too_small(self, outcome: Outcome, task: Task) -> Outcome:
        """Turn a memory limit below the one of the task into a fault: the machine is too small."""
        if outcome.end != End.MEMORY_LIMIT or self.most_mib >= task.memory_mib:
            return outcome
        fault = (
            f"the program needs more than the {self.most_mib:,} MiB that a check can have on this machine; "
            f"the task allows {task.memory_mib:,} MiB"
        )
        return replace(outcome, end=End.FAULT, fault=fault)

    def _report_fault(self, what: str, outcome: Outcome) -> None:
        """Write a report on a fault of the grader, one file for all faults of a run."""
        with self._lock, contextlib.suppress(OSError):
            if not self._fault_report:
                where = f"grade {what}, tier {self._tier}"
                self._fault_report = fault_report.write(where, outcome.fault)
            outcome.report = self._fault_report


def _ask(request: dict[str, Any], asked: Asked, runner: Runner) -> Outcome:
    """Ask a child, and if the grader fails, one more."""
    outcome = _tried(lambda: runner.run(request, asked.check.cpu_s))
    if outcome.end == End.FAULT:
        outcome = _tried(lambda: runner.run(request, asked.check.cpu_s))
    return outcome


def _tried(runs: Callable[[], Outcome]) -> Outcome:
    """Run a check; an error of the grader is a fault, never blamed on the student."""
    try:
        return runs()
    except (OSError, MemoryError, RuntimeError) as error:  # too many threads, too deep a structure
        return Outcome(End.FAULT, fault=f"{type(error).__name__}: {error}")


def _faster_of_two(outcome: Outcome, request: dict[str, Any], asked: Asked, runner: Runner) -> Outcome:
    """Run a check that answered too late once more, and return the faster outcome."""
    if outcome.end != End.ANSWERED or outcome.cpu_s <= asked.check.cpu_s:
        return outcome
    again = _ask(request, asked, runner)
    return again if again.end == End.ANSWERED and again.cpu_s < outcome.cpu_s else outcome


def _second_request(asked: Asked, outcome: Outcome) -> dict[str, Any] | None:
    """Return what to ask a fresh child to verify an answer; None without an answer or a need."""
    kind = kinds.of(asked.task)
    if outcome.end != End.ANSWERED or outcome.cpu_s > asked.check.cpu_s:
        return None
    try:
        answer = parse_frame(outcome.frame, kind.parse)
    except FrameError:
        return None
    return None if isinstance(answer, Failure) else kind.second_request(asked, answer)
