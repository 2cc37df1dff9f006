"""Grade tasks: each check in a child of its own, side by side on the cores, results in order.

Checks on hidden boards come last, after every other check of every task: what a program saw of such a board
can then reach nothing that is still to be run and may be read by students.
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader import fault_report
from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Check, Registry, Task
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_sets import GradedBoards
from grader.judging.judge import Judge
from grader.judging.kinds import Asked
from grader.messages.phrases import NOT_GRADED, STOPPED, Message
from grader.result import Result, Verdict
from grader.sandbox.answers import Failure, FrameError, parse_frame
from grader.sandbox.confine.limits import most_mib, usable_cores
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.environment import write_bytecode
from grader.sandbox.parent.forks import ForkFault
from grader.sandbox.parent.runner import Load, Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import Submission, SubmissionFault, forget_old_folders, read_submission

NEVER_RUNS = ("import", "slow-import", "top-level", "compile")  # failures that are the same on every board

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Choice:
    """What to grade.

    Attributes:
        student: the folder with the student's files.
        boards: names or files of boards to run instead of the task's own; empty for all of them.
        board_set: the boards that take the place of the tasks' own, or None.
        debug: plain Python with contracts, on small boards unless `boards` says which.
        tier: what holds the student's processes, see sandbox/tiers.py.
        time_factor: by what limits of time are multiplied, see calibration.py.
    """

    student: Path
    boards: tuple[str, ...] = ()
    board_set: GradedBoards | None = None
    debug: bool = False
    tier: int = 1
    time_factor: float = 1.0


class Grading:
    """One run of the grader; Ctrl-C ends it and every child."""

    def __init__(
        self,
        choice: Choice,
        registry: Registry,
        progress: Progress,
        sandbox: Sandbox | None = None,
        first: Callable[[Result], None] | None = None,
        read: Callable[[Task], Submission] | None = None,
        cores: int | None = None,
    ) -> None:
        """Prepare it.

        Args:
            choice: what to grade.
            registry: the tasks.
            progress: told of each check that is done: its name, how many are done, of how many.
            sandbox: where the checks run if it is kept from one run to the next, whose `stop` then ends this
                one; None for one of this run's own.
            first: told of a task's first check at once, before the others are run; its points may change.
            read: gives a task's files, or raises SubmissionFault, which costs that task's points; None to
                read them in the choice's folder, where it is wrong usage if those of no task can be used.
            cores: how many checks may run at once; None for as many as there are cores.
        """
        self.choice = choice
        self._registry = registry
        self._progress = progress
        self._sandbox = sandbox
        self._first = first
        self._stop = sandbox.stop if sandbox is not None else threading.Event()
        self._lock = threading.Lock()
        self._done = 0
        self._total = 0
        self._fault_report = ""
        self._read = read or (lambda task: read_submission(choice.student, task.files))
        self._must_be_readable = read is None
        self.cores = cores or usable_cores()
        self._places = threading.Semaphore(self.cores)
        self.most_mib = most_mib(self.cores)

    def results(self, tasks: Sequence[Task]) -> list[Result]:
        """Return the results of all checks of `tasks`, in their order.

        Raises:
            InputError: a board, the folder, or the files of every task cannot be used; nothing was run.
            KeyboardInterrupt: passed on when every child is dead.
        """
        runs = self._prepared(tasks)
        faults = [run.fault for run in runs if run.fault is not None]
        if runs and len(faults) == len(runs) and self._must_be_readable:
            raise InputError(faults[0].message, faults[0].help)
        if self._sandbox is not None:
            return self._side_by_side(runs, self._sandbox)
        memory_mib = max((task.memory_mib for task in tasks), default=0)
        with Sandbox(self.choice.tier, self.choice.debug, self._stop, memory_mib) as sandbox:
            return self._side_by_side(runs, sandbox)

    def in_turn(self, tasks: Sequence[Task], so_far: Callable[[list[Result]], None]) -> list[Result]:
        """Return the results of all checks of `tasks`, one task after the other: it may be killed.

        Files that cannot be used are told by their tasks. It needs a sandbox of its caller's.

        Args:
            tasks: what to grade.
            so_far: told of the results after each step but the last; later ones are not run yet.

        Raises:
            InputError: a board or the folder cannot be used; nothing was run.
            KeyboardInterrupt: passed on when every child is dead.
        """
        assert self._sandbox is not None
        runs = self._prepared(tasks)
        if self._sandbox.forks:  # by this thread: the kernel ends it with the thread that started it
            with contextlib.suppress(ForkFault):  # told by the first check, which tries again
                self._sandbox.zygote()
        steps = [(run, hidden) for hidden in (False, True) for run in runs if run.has(hidden)]
        for number, (run, hidden) in enumerate(steps, 1):
            run.run(self._sandbox, hidden)
            if self._stop.is_set():
                break
            if number < len(steps):
                so_far(_all_results(runs))
        return [
            replace(result, message=NOT_GRADED.message, help=NOT_GRADED.help)
            if result.verdict == Verdict.NOT_RUN and result.message == STOPPED.message
            else result
            for result in _all_results(runs)
        ]

    def _prepared(self, tasks: Sequence[Task]) -> list["_TaskRun"]:
        runs = [_TaskRun(self, task, self._plan(task), self._submission(task)) for task in tasks]
        self._total = sum(len(run.planned) for run in runs)
        if not self.choice.debug:
            write_bytecode()
        return runs

    def _side_by_side(self, runs: list["_TaskRun"], sandbox: Sandbox) -> list[Result]:
        with ThreadPoolExecutor(max_workers=max(1, len(runs))) as pool:
            try:
                for hidden in (False, True):
                    list(pool.map(lambda run, hidden=hidden: run.run(sandbox, hidden), runs))
            except BaseException:
                self._stop.set()
                raise
            finally:
                forget_old_folders()
        return _all_results(runs)

    # ---- what to run ---------------------------------------------------------------------------

    def _plan(self, task: Task) -> list[Asked]:
        """Return the checks of a task that were chosen, each with its board."""
        choice, kind = self.choice, kinds.of(task)
        boards = choice.board_set if choice.board_set and kind.takes_boards else course_boards()
        checks = choice.board_set.checks(task) if choice.board_set and kind.takes_boards else task.checks
        if choice.boards and not kind.takes_boards:
            checks = [check for check in checks if check.name in choice.boards]
        elif choice.boards:
            checks = [check for name in choice.boards for check in _called(name, task, checks)]
        asked = [
            Asked(
                self._limited(check),
                find_board(check.board, boards) if kind.has_board(check) else None,
                task,
                choice.debug,
            )
            for check in checks
        ]
        for each in asked:
            if each.board is not None:
                kind.check_board(each.board)
        if not choice.debug or choice.boards:
            return asked
        most = self._registry.debug.max_positions
        return [
            each for each in asked if each.board is None or (each.board.facts.positions or most + 1) <= most
        ]

    def _limited(self, check: Check) -> Check:
        """Return a check with the limit of this run, on this machine."""
        cpu_s = self._registry.debug.cpu_s if self.choice.debug else check.cpu_s
        return replace(check, cpu_s=cpu_s * self.choice.time_factor)

    def _submission(self, task: Task) -> Submission | SubmissionFault:
        try:
            return self._read(task)
        except SubmissionFault as fault:
            return fault

    # ---- one check -----------------------------------------------------------------------------

    def run_check(self, planned: Asked, runner: Runner) -> Outcome:
        """Run one check in a child."""
        check, task = planned.check, planned.task

        def ask(question: dict[str, Any]) -> Outcome:
            """Ask, and once more where it is the grader that fails."""
            outcome = _tried(lambda: runner.run(question, check.cpu_s))
            return _tried(lambda: runner.run(question, check.cpu_s)) if outcome.end == End.FAULT else outcome

        request = kinds.of(task).request(planned)
        with self._places:
            outcome = ask(request)
            if outcome.end == End.MEMORY_LIMIT and self.most_mib < task.memory_mib:
                fault = (
                    f"the program needs more than the {self.most_mib:,} MiB that a check can have on this "
                    f"machine; the task allows {task.memory_mib:,} MiB"
                )
                outcome = replace(outcome, end=End.FAULT, fault=fault)
            if outcome.end == End.FAULT:
                self._report_fault(f"{task.name} {check.name}", outcome)
            if outcome.end == End.ANSWERED and outcome.cpu_s > check.cpu_s:
                again = ask(request)
                outcome = again if again.end == End.ANSWERED and again.cpu_s < outcome.cpu_s else outcome
            second = _second_request(planned, outcome)
            if second is not None:
                outcome.second = ask(second)
        with self._lock:
            self._done += 1
            self._progress(f"{task.name} {check.name}", self._done, self._total)
        return outcome

    def compile(self, task: Task, runner: Runner) -> Outcome:
        """Have a submission's code compiled, by a run of questions that no check asks."""
        with self._places:
            return _tried(lambda: runner.compile(kinds.of(task).compiling(task, self._registry)))

    def tell_first(self, result: Result) -> None:
        """Tell of a task's first check."""
        if self._first is not None:
            self._first(result)

    def _report_fault(self, what: str, outcome: Outcome) -> None:
        """Write what is known of a fault of the grader to a file, one for all the faults of a run."""
        with self._lock, contextlib.suppress(OSError):
            if not self._fault_report:
                where = f"grade {what}, tier {self.choice.tier}"
                self._fault_report = fault_report.write(where, outcome.fault)
            outcome.report = self._fault_report


class _TaskRun:
    """The checks of one task of one submission: those that students may read of, and then the hidden ones.

    Attributes:
        planned: the checks.
        fault: why the submission cannot be used; None if it can.
    """

    def __init__(
        self, grading: Grading, task: Task, planned: list[Asked], submission: Submission | SubmissionFault
    ) -> None:
        self.planned = planned
        self.fault = submission if isinstance(submission, SubmissionFault) else None
        self._submission = Submission("", {}) if isinstance(submission, SubmissionFault) else submission
        self._grading = grading
        self._task = task
        self._judge = Judge(task, self._submission, grading.choice.debug, grading.choice.tier)
        self._judged: dict[int, Result] = {}  # by their places among the planned
        self._spares: Result | None = None  # shows what is wrong with all, so that no other is run

    def has(self, hidden: bool) -> bool:
        """Return whether there is something to do for checks of that kind."""
        return bool(self._places(hidden)) if hidden else bool(self.planned)

    def _places(self, hidden: bool) -> list[int]:
        return [
            place
            for place, each in enumerate(self.planned)
            if (each.board is not None and each.board.hidden) == hidden
        ]

    def run(self, sandbox: Sandbox, hidden: bool) -> None:
        """Run the checks that are hidden; or first what has the code compiled, and then all others."""
        if not self.has(hidden) or self._spares is not None:
            return
        if self.fault is not None:
            told = Message(self.fault.message, self.fault.help)
            self._take_before_boards(self._judge.refused(self.planned[0].check, None, told))
            return
        places = self._places(hidden)
        with Runner(self._load(), sandbox, hidden) as runner:
            if not hidden and not runner.has_compiled_code:
                compiling = self._grading.compile(self._task, runner)
                if _fails_everywhere(compiling, self._task, NEVER_RUNS):
                    self._take_before_boards(self._judge.judge(self.planned[0].check, None, compiling))
                    return
            if places:
                self._run(places, runner)

    def _run(self, places: list[int], runner: Runner) -> None:
        first = self._grading.run_check(self.planned[places[0]], runner)
        result = self._take(places[0], first)
        if _fails_everywhere(first, self._task, (*NEVER_RUNS, "not-written")):
            self._spares = result
            return
        self._grading.tell_first(result)
        with ThreadPoolExecutor(max_workers=self._grading.cores) as pool:
            outcomes = pool.map(
                lambda place: self._grading.run_check(self.planned[place], runner), places[1:]
            )
            for place, outcome in zip(places[1:], outcomes, strict=True):
                self._take(place, outcome)

    def _take(self, place: int, outcome: Outcome) -> Result:
        asked = self.planned[place]
        self._judged[place] = self._judge.judge(asked.check, asked.board, outcome)
        return self._judged[place]

    def _take_before_boards(self, result: Result) -> None:
        """Take what is wrong with all checks, which was found before the program was shown any board."""
        asked = self.planned[0]
        known = self._judge.not_run(asked.check, asked.board, Message())
        self._spares = self._judged[0] = replace(
            result, pegs=known.pegs, truth=known.truth, hidden=known.hidden, before=True
        )

    def _load(self) -> Load:
        return Load(
            self._submission.clean_folder(),
            self._task.module,
            min(self._task.memory_mib, self._grading.most_mib),
            max(each.check.cpu_s for each in self.planned),
            kinds.of(self._task).answer_bytes,
            self._submission.without(self._task.file).folder,
        )

    def results(self) -> list[Result]:
        """Return the results, in the order of the checks, also of those that were not run, or not yet."""
        known = sorted(self._judged.items())
        boards = [self.planned[place].board for place, _ in known]
        settled = kinds.of(self._task).settle([result for _, result in known], boards)
        by_place = dict(zip([place for place, _ in known], settled, strict=True))
        told = NOT_GRADED if self._spares is None else _spared_by(self._spares)
        return [
            by_place[place] if place in by_place else self._judge.not_run(each.check, each.board, told)
            for place, each in enumerate(self.planned)
        ]


def _all_results(runs: Sequence[_TaskRun]) -> list[Result]:
    return [result for run in runs for result in run.results()]


def _spared_by(first: Result) -> Message:
    """Return what is said of checks that were not run since another one showed what is wrong with all."""
    needs = first.message if first.verdict == Verdict.NOT_RUN else ""
    return Message(needs or f"not run: needs {first.board} to run first")


def _called(name: str, task: Task, checks: Sequence[Check]) -> list[Check]:
    """Return the checks that a name on the command line means, also on a board the task does not list."""
    listed = [check for check in checks if name in (check.name, check.board)]
    kind = kinds.of(task)
    if listed:
        return listed
    board, variant = kind.board_of(name)
    variants = (variant,) if variant else kind.variants
    return [Check(board, 0, task.cpu_s, variant=each) for each in variants]


def _tried(runs: Callable[[], Outcome]) -> Outcome:
    """Run a check; what keeps the grader from running it is an outcome of its own, never the student's."""
    try:
        return runs()
    except (OSError, MemoryError, RuntimeError) as error:  # too many threads, too deep a structure
        return Outcome(End.FAULT, fault=f"{type(error).__name__}: {error}")


def _fails_everywhere(outcome: Outcome, task: Task, causes: tuple[str, ...]) -> bool:
    """Return whether a check failed of a cause that is the same for every check of the task."""
    if outcome.end == End.PREPARE_LIMIT:
        return True
    if outcome.end != End.ANSWERED or b'"failure"' not in outcome.frame:
        return False
    try:
        said = parse_frame(outcome.frame, lambda loaded: None)
    except FrameError:
        return False
    if kinds.of(task).asks_other_functions:
        causes = ("import", "slow-import", "top-level")
    return isinstance(said, Failure) and said.kind in causes


def _second_request(planned: Asked, outcome: Outcome) -> dict[str, Any] | None:
    """Return what a fresh child is asked to try an answer; None if there is none, or no need."""
    kind = kinds.of(planned.task)
    if outcome.end != End.ANSWERED or outcome.cpu_s > planned.check.cpu_s:
        return None
    try:
        answer = parse_frame(outcome.frame, kind.parse)
    except FrameError:
        return None
    return None if isinstance(answer, Failure) else kind.second_request(planned, answer)
