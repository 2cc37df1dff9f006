"""Grade tasks: each check in a child of its own, side by side on the cores, results in order."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from grader import fault_report, kinds
from grader.board_sets import GradedBoards
from grader.boards import course_boards, find_board
from grader.errors import InputError
from grader.frames import Failure, FrameError, parse_frame
from grader.judge import Judge
from grader.kinds import Asked
from grader.messages import NOT_GRADED, STOPPED, Told
from grader.result import Result, Verdict
from grader.sandbox.environment import write_bytecode
from grader.sandbox.forks import ForkFault
from grader.sandbox.limits import most_mib, usable_cores
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.runner import Load, Runner
from grader.sandbox.sandbox import Sandbox
from grader.submission import Submission, SubmissionFault, forget_old_folders, read_submission
from grader.tasks import Check, Registry, Task

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
        self._choice = choice
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
        self._cores = cores or usable_cores()
        self._places = threading.Semaphore(self._cores)
        self._most_mib = most_mib(self._cores)

    def results(self, tasks: Sequence[Task]) -> list[Result]:
        """Return the results of all checks of `tasks`, in their order.

        Raises:
            InputError: a board, the folder, or the files of every task cannot be used; nothing was run.
            KeyboardInterrupt: passed on when every child is dead.
        """
        plans = [(task, self._plan(task), self._submission(task)) for task in tasks]
        faults = [read for _, _, read in plans if isinstance(read, SubmissionFault)]
        if plans and len(faults) == len(plans) and self._must_be_readable:
            raise InputError(faults[0].message, faults[0].help)
        self._total = sum(len(planned) for _, planned, _ in plans)
        if not self._choice.debug:
            write_bytecode()
        if self._sandbox is not None:
            return self._in_sandbox(plans, self._sandbox)
        memory_mib = max((task.memory_mib for task in tasks), default=0)
        with Sandbox(self._choice.tier, self._choice.debug, self._stop, memory_mib) as sandbox:
            return self._in_sandbox(plans, sandbox)

    def _in_sandbox(
        self, plans: list[tuple[Task, list[Asked], Submission | SubmissionFault]], sandbox: Sandbox
    ) -> list[Result]:
        with ThreadPoolExecutor(max_workers=max(1, len(plans))) as pool:
            try:
                futures = [pool.submit(self._grade, *plan, sandbox) for plan in plans]
                return [result for future in futures for result in future.result()]
            except BaseException:
                self._stop.set()
                raise
            finally:
                forget_old_folders()

    # ---- what to run ---------------------------------------------------------------------------

    def _plan(self, task: Task) -> list[Asked]:
        """Return the checks of a task that were chosen, each with its board."""
        choice, kind = self._choice, kinds.of(task)
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
        cpu_s = self._registry.debug.cpu_s if self._choice.debug else check.cpu_s
        return replace(check, cpu_s=cpu_s * self._choice.time_factor)

    # ---- one task ------------------------------------------------------------------------------

    def _submission(self, task: Task) -> Submission | SubmissionFault:
        try:
            return self._read(task)
        except SubmissionFault as fault:
            return fault

    def _grade(
        self,
        task: Task,
        planned: list[Asked],
        submission: Submission | SubmissionFault,
        sandbox: Sandbox,
    ) -> list[Result]:
        if not planned:
            return []
        if isinstance(submission, SubmissionFault):
            judge = Judge(task, Submission("", {}), self._choice.debug, sandbox.tier)
            told = Told(submission.message, submission.help)
            refused = judge.refused(planned[0].check, planned[0].board, told)
            return [refused, *self._not_run(judge, planned[1:], refused)]
        judge = Judge(task, submission, self._choice.debug, sandbox.tier)
        load = Load(
            submission.clean_folder(),
            task.module,
            min(task.memory_mib, self._most_mib),
            kinds.of(task).answer_bytes,
            submission.without(task.file).folder,
        )
        with Runner(load, sandbox) as runner:
            outcomes = self._outcomes(task, planned, runner, judge)
        judged = [
            judge.judge(each.check, each.board, outcome)
            for each, outcome in zip(planned, outcomes, strict=False)
        ]
        results = judged + self._not_run(judge, planned[len(judged) :], judged[0])
        return kinds.of(task).settle(results, [each.board for each in planned])

    def _outcomes(self, task: Task, planned: list[Asked], runner: Runner, judge: Judge) -> list[Outcome]:
        """Return what came of the checks; of the first alone, if its fault is the same for all."""
        if not runner.has_compiled_code:
            compiling = self._run(kinds.of(task).compiling(task, self._registry), runner, compiling=True)
            if _fails_everywhere(compiling, task, NEVER_RUNS):
                return [compiling]
        first = self._run(planned[0], runner)
        if _fails_everywhere(first, task, (*NEVER_RUNS, "not-written")):
            return [first]
        if self._first is not None:
            self._first(judge.judge(planned[0].check, planned[0].board, first))
        with ThreadPoolExecutor(max_workers=self._cores) as pool:
            return [first, *pool.map(lambda each: self._run(each, runner), planned[1:])]

    def _run(self, planned: Asked, runner: Runner, compiling: bool = False) -> Outcome:
        """Run one check in a child; one that is `compiling` is run for its compiled code alone."""
        check, task = planned.check, planned.task
        request = kinds.of(task).request(planned)
        with self._places:
            if compiling:
                return _tried(lambda: runner.compile(request))

            def run_once() -> Outcome:
                return _tried(lambda: runner.run(request, check.cpu_s))

            outcome = run_once()
            if outcome.compiled:  # once more for the sake of keeping it, so that later checks need not
                _tried(lambda: runner.compile(request))
            compiling_took_it = outcome.end == End.CPU_LIMIT and outcome.compiled
            if compiling_took_it or outcome.end == End.FAULT:
                outcome = run_once()
            if outcome.end == End.MEMORY_LIMIT and self._most_mib < task.memory_mib:
                fault = (
                    f"the program needs more than the {self._most_mib:,} MiB that a check can have on this "
                    f"machine; the task allows {task.memory_mib:,} MiB"
                )
                outcome = replace(outcome, end=End.FAULT, fault=fault)
            if outcome.end == End.FAULT:
                self._report_fault(f"{task.name} {check.name}", outcome)
            if outcome.end == End.ANSWERED and outcome.cpu_s > check.cpu_s:
                again = run_once()
                outcome = again if again.end == End.ANSWERED and again.cpu_s < outcome.cpu_s else outcome
        with self._lock:
            self._done += 1
            self._progress(f"{task.name} {check.name}", self._done, self._total)
        return outcome

    def _report_fault(self, what: str, outcome: Outcome) -> None:
        """Write what is known of a fault of the grader to a file, one for all the faults of a run."""
        with self._lock, contextlib.suppress(OSError):
            if not self._fault_report:
                where = f"grade {what}, tier {self._choice.tier}"
                self._fault_report = fault_report.write(where, outcome.fault)
            outcome.report = self._fault_report

    def in_turn(self, tasks: Sequence[Task], so_far: Callable[[list[Result]], None]) -> list[Result]:
        """Return the results of all checks of `tasks`, one task after the other: it may be killed.

        Files that cannot be used are told by their tasks. It needs a sandbox of its caller's.

        Args:
            tasks: what to grade.
            so_far: told of the results after each task but the last; those of later tasks are not run yet.

        Raises:
            InputError: a board or the folder cannot be used; nothing was run.
            KeyboardInterrupt: passed on when every child is dead.
        """
        assert self._sandbox is not None
        plans = [(task, self._plan(task), self._submission(task)) for task in tasks]
        self._total = sum(len(planned) for _, planned, _ in plans)
        write_bytecode()
        if self._sandbox.forks:  # by this thread: the kernel ends it with the thread that started it
            with contextlib.suppress(ForkFault):  # told by the first check, which tries again
                self._sandbox.zygote()
        graded: list[Result] = []
        for number, plan in enumerate(plans, 1):
            results = self._in_sandbox([plan], self._sandbox)
            graded += [
                replace(result, message=NOT_GRADED.message, help=NOT_GRADED.help)
                if result.verdict == Verdict.NOT_RUN and result.message == STOPPED.message
                else result
                for result in results
            ]
            later = [result for task, planned, _ in plans[number:] for result in self._waiting(task, planned)]
            if self._stop.is_set():
                return graded + later
            if later:
                so_far(graded + later)
        return graded

    def _waiting(self, task: Task, planned: list[Asked]) -> list[Result]:
        """Return the checks of a task that was not begun, as they are if it never is."""
        judge = Judge(task, Submission("", {}), self._choice.debug, self._choice.tier)
        return [judge.not_run(each.check, each.board, NOT_GRADED) for each in planned]

    @staticmethod
    def _not_run(judge: Judge, planned: list[Asked], first: Result) -> list[Result]:
        """Return the checks that were spared because the first one showed what is wrong with all."""
        needs = first.message if first.verdict == Verdict.NOT_RUN else ""
        told = Told(needs or f"not run: needs {first.board} to run first")
        return [judge.not_run(each.check, each.board, told) for each in planned]


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
    if outcome.end != End.ANSWERED:
        return False
    try:
        said = parse_frame(outcome.frame, lambda loaded: None)
    except FrameError:
        return False
    if kinds.of(task).asks_other_functions:
        causes = ("import", "slow-import", "top-level")
    return isinstance(said, Failure) and said.kind in causes
