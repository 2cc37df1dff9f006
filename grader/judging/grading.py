"""Grade tasks: run each check in its own child process, several at once, and return results in order.

Checks on hidden boards come last, after every other check of every task. So what a program learns about a
hidden board cannot reach a later check whose result students may read.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from grader import paths
from grader.catalog.boards import Boards, Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_sets import GradedBoards, checks_of
from grader.judging.check_run import CheckRunner, Progress
from grader.judging.private_boards import FOUND
from grader.judging.task_run import TaskRun, all_results
from grader.messages.catalogue import say
from grader.result import Result, Verdict
from grader.sandbox.asking import Place
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission, forget_old_folders, read_submission


@dataclass(frozen=True)
class Choice:
    """What to grade."""

    student: Path  # the folder with the student's files
    boards: tuple[str, ...] = ()  # names or files of the boards to run; empty to run all boards of the task
    board_set: GradedBoards | None = None  # the boards that replace the tasks' own, or None
    # whether to run plain Python with contracts; on small boards only, unless `boards` names some
    debug: bool = False
    tier: int = 1  # the sandbox tier that confines the student's processes, see sandbox/confine/tiers.py
    time_factor: float = 1.0  # the factor for time limits, see calibration.py


class Grading:
    """One run of the grader; Ctrl-C ends it and every child process."""

    def __init__(
        self,
        choice: Choice,
        registry: Registry,
        progress: Progress,
        sandbox: Place,
        first: Callable[[Result], None] | None = None,
        read: Callable[[Task], Submission] | None = None,
        cores: int | None = None,
        graders: int = 1,
    ) -> None:
        """Prepare the run.

        Args:
            choice: what to grade.
            registry: the tasks.
            progress: called after each check with its name, the number done, and the total.
            sandbox: where the checks run; its `stop` ends this run.
            first: called with a task's first result before the other checks run; its points may still change.
            read: returns a task's files, or raises SubmissionFault, which costs that task's points. None to
                read them from the student's folder; then `results` fails if no task's files can be used.
            cores: how many checks may run at once; None for the number of cores.
            graders: how many such runs share the machine's memory.
        """
        self.choice = choice
        self._registry = registry
        self._checks = CheckRunner(registry, choice.tier, cores, progress, graders)
        self._sandbox = sandbox
        self._first = first
        self._read = read or (lambda task: read_submission(choice.student, task.files))
        self._must_be_readable = read is None

    def results(self, tasks: Sequence[Task]) -> list[Result]:
        """Return the results of all checks of `tasks`, in the order of `tasks`.

        Raises:
            InputError: a board or the folder cannot be used, or no task has usable files; nothing was run.
            KeyboardInterrupt: raised again once every child process has ended.
        """
        runs = self.prepared(tasks)
        faults = [run.fault for run in runs if run.fault is not None]
        if runs and len(faults) == len(runs) and self._must_be_readable:
            raise InputError(faults[0].message, faults[0].help)
        return self._side_by_side(runs)

    def in_turn(self, tasks: Sequence[Task], so_far: Callable[[list[Result]], None]) -> list[Result]:
        """Grade `tasks` one after another, since the run may be killed, and return the results of all checks.

        If a task's files cannot be used, its results say so.

        Args:
            tasks: what to grade.
            so_far: called with all results, including those of checks not run yet, when a task's visible or
                hidden checks are done; not called after the last ones.

        Raises:
            InputError: a board or the folder cannot be used; nothing was run.
            KeyboardInterrupt: raised again once every child process has ended.
        """
        self._sandbox.warm()
        runs = self.prepared(tasks)
        steps = [(run, hidden) for hidden in (False, True) for run in runs if run.has(hidden)]
        for number, (run, hidden) in enumerate(steps, 1):
            run.run(self._sandbox, hidden)
            if self._sandbox.stop.is_set():
                break
            if number < len(steps):
                so_far(all_results(runs))
        return [
            replace(result, **say("not-graded").fields)
            if result.verdict == Verdict.NOT_RUN and result.code == "stopped"
            else result
            for result in all_results(runs)
        ]

    def half(self, tasks: Sequence[Task], begun: Sequence[Sequence[Result] | None]) -> list[TaskRun]:
        """Run the visible checks of `tasks`, one task after another, and return the runs.

        Args:
            tasks: what to grade.
            begun: for each task None or, to run its hidden checks instead, what `TaskRun.begun` was before.

        Raises:
            InputError: a board cannot be used; nothing was run.
        """
        runs = self.prepared(tasks)
        for run, results in zip(runs, begun, strict=True):
            if results is not None:
                run.take_up(results)
            run.run(self._sandbox, hidden=results is not None)
        return runs

    def prepared(self, tasks: Sequence[Task]) -> list[TaskRun]:
        """Return a TaskRun for each task; no check has run yet.

        Raises:
            InputError: a board or the folder cannot be used.
        """
        tier = self.choice.tier
        runs = [
            TaskRun(task, self._plan(task), self._submission(task), self._checks, tier, self._first)
            for task in tasks
        ]
        for run in runs:
            run.spares_slow = not self.choice.boards
        self._checks.total = sum(len(run.planned) for run in runs)
        return runs

    def _side_by_side(self, runs: list[TaskRun]) -> list[Result]:
        with ThreadPoolExecutor(max_workers=max(1, len(runs))) as pool:
            try:
                for hidden in (False, True):
                    list(pool.map(lambda run, hidden=hidden: run.run(self._sandbox, hidden), runs))
            except BaseException:
                self._sandbox.stop.set()
                raise
            finally:
                forget_old_folders()
        return all_results(runs)

    # ---- what to run ---------------------------------------------------------------------------

    def _plan(self, task: Task) -> list[Asked]:
        """Return the chosen checks of a task, each with its board."""
        choice, kind = self.choice, kinds.of(task)
        board_set = choice.board_set if kind.takes_boards else None
        checks = checks_of(task, board_set)
        if choice.boards:
            checks = _named(choice.boards, task, checks)
        planned = [self._asked(task, check, board_set or course_boards()) for check in checks]
        if not choice.debug or choice.boards:
            return planned
        return [each for each in planned if each.board is None or self._registry.debug.takes(each.board)]

    def _asked(self, task: Task, check: Check, boards: Boards) -> Asked:
        """Return a check with its board, and with its time limit adjusted to this run and this machine."""
        kind, cpu_s = kinds.of(task), check.cpu_s
        board = find_board(check.board, boards) if kind.has_board(check) else None
        if board is not None and board.ends_anywhere and not task.extra:  # this task has the course's goals
            board = replace(board, facts=Facts())
        board = board and settled(board)
        if board is not None:
            kind.check_board(board)
        if self.choice.debug:
            cpu_s = self._registry.debug.cpu_s
        limited = replace(check, cpu_s=cpu_s * self.choice.time_factor)
        others = tuple(find_board(other, boards) for other in check.others)
        return Asked(limited, board, task, self.choice.debug, self.choice.time_factor, others)

    def _submission(self, task: Task) -> Submission | SubmissionFault:
        try:
            return self._read(task)
        except SubmissionFault as fault:
            return fault


def explored(board: NamedBoard, most: int) -> NamedBoard:
    """Return a board with what is true of it, if the engine is installed and finds it in `most` positions."""
    if board.facts.solvable is not None or not paths.ORACLE.is_dir():
        return board
    from grader.oracle.explore import explore

    truth = explore(board.board, most)
    return board if truth is None else replace(board, facts=Facts(*truth))


def settled(board: NamedBoard) -> NamedBoard:
    """Return a board with what is true of it, as far as that is soon found out, or with why it is not known.

    A board of which it is known already whether it can be solved is returned as it is, and so is every board
    where the engine is not installed.
    """
    board = explored(board, FOUND)
    if board.facts.solvable is not None or not paths.ORACLE.is_dir():
        return board
    from grader.oracle import bounded
    from grader.oracle.problem import OracleError

    try:
        fewest = bounded.fewest_pegs(board.board)
    except OracleError as error:
        return replace(board, unknown=error.message)
    return replace(board, facts=Facts(fewest == 1, fewest, False))  # forced play has fewer positions


def _named(names: Sequence[str], task: Task, checks: Sequence[Check]) -> list[Check]:
    """Return the checks named on the command line, with new ones for boards that the task does not list."""
    if not kinds.of(task).takes_boards:
        return [check for check in checks if check.name in names]
    return [check for name in names for check in _called(name, task, checks)]


def _called(name: str, task: Task, checks: Sequence[Check]) -> list[Check]:
    """Return the checks that one name stands for: those listed or, if there are none, new ones."""
    listed = [check for check in checks if name in (check.name, check.board)]
    if listed:
        return listed
    kind = kinds.of(task)
    board, variant = kind.board_of(name)
    variants = [variant] if variant else [*kind.variants]
    return [Check(board, 0, task.cpu_s, variant=each) for each in variants]
