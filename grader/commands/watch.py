"""`grade watch TASK`: grade again at each save, and show what changed.

The zygote, the process from which the sandbox forks others, is slow to start, so it is kept from run to run.
The first check that failed in one run is the first to be run and shown in the next. A save during a run ends
that run, since its results would be out of date.
"""

import contextlib
import errno
import importlib.util
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from grader import last_results
from grader.catalog.boards import find_board
from grader.catalog.tasks import Task, registry
from grader.commands.checking import in_color, no_board, report_of
from grader.commands.options import BOARD, DEBUG, STUDENT
from grader.commands.replay import frames_of
from grader.commands.watch_keys import Keys
from grader.errors import FULL_MARKS, InputError
from grader.judging import calibration, kinds
from grader.judging.grading import Choice, Grading
from grader.reports import content
from grader.reports.report import render
from grader.result import Result, Verdict, any_fault
from grader.sandbox.confine import kernel, tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import check_folder, digest_of

LOOK_S = 1.0  # between two polls of the files, in case the system reports no save
BACK_S = 0.3  # time for an editor that moves the file away or empties it to write the new one
GATHER_MS, QUIET_MS = 200, 20  # saves this close together count as one
CLEAR = "\x1b[H\x1b[2J"


@click.command()
@click.argument("task")
@STUDENT
@BOARD
@DEBUG
def watch(task: str, student: Path, boards: tuple[str, ...], debug: bool) -> int:
    """Grade TASK again at every save and show what changed, until you press q or Ctrl-C."""
    watched = registry().find(task)
    if importlib.util.find_spec("watchfiles") is None:
        raise InputError("watch: needs watchfiles, which is not installed", "pip install watchfiles")
    check_folder(student)
    choice = Choice(student, boards, None, debug, tier=tiers.best(), time_factor=calibration.factor())
    kernel.hide_memory()
    try:
        with contextlib.suppress(KeyboardInterrupt), Keys() as keys:
            _Watch(watched, choice, keys).go_on()
        if sys.stdout.isatty():
            click.echo()
    except OSError as error:
        if error.errno != errno.EIO:  # the terminal was closed
            raise
    return FULL_MARKS


@contextlib.contextmanager
def _one_interrupt() -> Iterator[None]:
    """If Ctrl-C ends the block, ignore any further Ctrl-C, since it would interrupt the clean-up."""
    try:
        yield
    except KeyboardInterrupt:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        raise


class _Run(threading.Thread):
    """One run of the checks, on a snapshot of the files."""

    def __init__(
        self, grade: Callable[["_Run"], list[Result]], digest: str, done: Callable[[], None]
    ) -> None:
        super().__init__(name="grading")
        self.digest = digest
        self.first: Result | None = None
        self.results: list[Result] = []
        self.error: BaseException | None = None
        self.ended = False
        self.began = time.monotonic()
        self._grade = grade
        self._done = done

    def run(self) -> None:
        try:
            self.results = self._grade(self)
        except BaseException as error:  # raised again by the thread that waits
            self.error = error
        self.ended = True
        self._done()


class _Watch:
    def __init__(self, task: Task, choice: Choice, keys: Keys) -> None:
        self._task = task
        self._choice = choice
        self._keys = keys
        self._results: list[Result] = []
        self._run: _Run | None = None
        self._digest = ""  # of the files that are being graded or were graded last
        self._woken, self._wake = socket.socketpair()  # Windows can wait for sockets only
        self._screen = sys.stdout.isatty()

    def go_on(self) -> None:
        """Grade now and at each save; return when `q` is pressed."""
        end = threading.Event()
        watching = threading.Thread(target=self._wait_for_saves, args=(end,), name="watching", daemon=True)
        watching.start()
        try:
            while True:
                with self._sandbox() as sandbox:
                    if not self._go_on_in(sandbox):
                        return
        finally:
            end.set()

    @contextlib.contextmanager
    def _sandbox(self) -> Iterator[Sandbox]:
        with contextlib.ExitStack() as undo:
            stop = threading.Event()
            sandbox = undo.enter_context(Sandbox(self._choice.tier, self._choice.debug, stop))
            # The sandbox's processes end with the thread that starts them, so this thread starts them.
            sandbox.warm()
            undo.callback(self._end_run, sandbox)
            undo.enter_context(_one_interrupt())
            yield sandbox

    def _go_on_in(self, sandbox: Sandbox) -> bool:
        """Grade at each save; return True if this sandbox failed and a new one is needed, False after `q`."""
        shown_first = False
        while True:
            if digest_when_saved(self._choice.student, self._task) != self._digest:
                self._end_run(sandbox)
                self._start(sandbox)
                shown_first = False
            for event in self._wait():
                if event == "q":
                    return False
                if event == "h":
                    self._hint()
                if event == "r":
                    self._replay()
            if self._run is not None and self._run.ended:
                ended, self._run = self._run, None
                if not self._show(ended):
                    return True
            elif self._run is not None and self._run.first is not None and not shown_first:
                self._show_first(self._run.first)
                shown_first = True

    def _wait(self) -> str:
        """Wait at most LOOK_S for a key, a save or the end of a run; return the keys pressed."""
        sources: list[Any] = [self._woken]
        sources += [] if self._keys.descriptor is None else [self._keys.descriptor]
        ready, _, _ = select.select(sources, [], [], LOOK_S)
        if self._woken in ready:
            self._woken.recv(1024)
        return self._keys.read() if self._keys.descriptor in ready else ""

    def _wake_up(self) -> None:
        self._wake.send(b".")

    def _wait_for_saves(self, end: threading.Event) -> None:
        import watchfiles

        with contextlib.suppress(OSError, RuntimeError):  # the files are polled every LOOK_S anyway
            for _ in watchfiles.watch(
                self._choice.student,
                watch_filter=lambda change, name: Path(name).name in self._task.files,
                debounce=GATHER_MS,
                step=QUIET_MS,
                rust_timeout=200,
                stop_event=end,
                raise_interrupt=False,
                recursive=False,
            ):
                self._wake_up()

    # ---- runs ----------------------------------------------------------------------------------

    def _start(self, sandbox: Sandbox) -> None:
        self._digest = digest_when_saved(self._choice.student, self._task)
        if self._screen:
            click.echo(f"{CLEAR}{self._task.name}: grading ...")
        failing = next((result.board for result in self._results if not result.full), "")
        task = replace(
            self._task, checks=tuple(sorted(self._task.checks, key=lambda check: check.name != failing))
        )
        choice = replace(
            self._choice, boards=tuple(sorted(self._choice.boards, key=lambda name: name != failing))
        )

        def grade(run: _Run) -> list[Result]:
            def first(result: Result) -> None:
                run.first = result
                self._wake_up()

            return Grading(choice, registry(), lambda *_: None, sandbox, first).results([task])

        self._run = _Run(grade, self._digest, self._wake_up)
        self._run.start()

    def _end_run(self, sandbox: Sandbox) -> None:
        """End the current run, if any, with all its child processes."""
        if self._run is not None:
            sandbox.stop.set()
            self._run.join()
            sandbox.stop.clear()
            self._run = None

    # ---- what is shown -------------------------------------------------------------------------

    def _show_first(self, result: Result) -> None:
        if self._screen and len(self._results) > 1 and not all(each.full for each in self._results):
            said = f", {result.answer}" if result.answer else ""
            click.echo(f"{result.board}: {content.word(result)}{said} ({result.cpu_s:.2f} s)")

    def _show(self, run: _Run) -> bool:
        """Show the outcome of a run; return whether the sandbox still works."""
        if self._screen:
            click.echo(CLEAR, nl=False)
        if isinstance(run.error, InputError) and self._results:  # a file is missing, perhaps only briefly
            click.echo(f"{run.error.message}\nhelp: {run.error.help}")
            self._show_keys()
            return True
        if run.error is not None:
            raise run.error
        if not run.results:
            raise no_board()
        before, self._results = self._results, run.results
        ours = any_fault(run.results)
        whole = not (self._choice.boards or self._choice.debug or ours)
        last_results.keep(self._choice.student, run.results, {self._task.name: run.digest} if whole else {})
        report = report_of(self._choice, [self._task], run.results)
        click.echo(render("table", replace(report, color=in_color())))
        different = changes(before, run.results)
        if before:
            click.echo("\n  ".join(["since the last run:", *different] if different else ["all as before"]))
        click.echo(f"graded at {time.strftime('%H:%M:%S')} in {time.monotonic() - run.began:.1f} s")
        self._show_keys()
        return not ours

    def _show_keys(self) -> None:
        if self._keys.descriptor is not None:
            click.echo("\nh hint   r replay   q quit   (grading again at each save)")

    def _hint(self) -> None:
        """Show the help of the first check that failed, and the task's hint."""
        failing = next((result for result in self._results if result.help and not result.full), None)
        if failing is not None:
            click.echo(f"\n{failing.board}: {failing.help}")
        click.echo(f"\n{self._task.name}: {self._task.hint}; see {self._task.handout}")

    def _replay(self) -> None:
        """Replay the first solution without full marks; if all have full marks, the first solution."""
        games = [result for result in self._results if result.jumps]
        games.sort(key=lambda result: result.full)
        if not games:
            click.echo(f"\n{self._task.name}: no solution to replay yet")
            return
        click.echo()
        with contextlib.suppress(InputError):  # the board's file is gone
            board = find_board(kinds.of(self._task).board_of(games[0].board)[0])
            click.echo("\n\n".join(frames_of(games[0].board, board.board, games[0].jumps)))


def digest_when_saved(student: Path, task: Task) -> str:
    """Return the task's digest, after waiting briefly for any file that is just being replaced."""
    until = time.monotonic() + BACK_S
    while time.monotonic() < until and not all(_is_saved(student / name) for name in task.files):
        time.sleep(0.01)
    return digest_of(student, task)


def _is_saved(path: Path) -> bool:
    """Return whether a file has content; a save may move it away or empty it first."""
    with contextlib.suppress(OSError):
        return path.stat().st_size > 0
    return False


MUCH = 1.5  # factor by which CPU times must differ to be reported
MUCH_S = 0.1  # seconds by which they must differ as well
NAMES = 4  # the most names in one line


def changes(before: Sequence[Result], after: Sequence[Result]) -> list[str]:
    """Return a line for each difference, with the checks it applies to, and a line if the points differ."""
    known = {result.board: result for result in before}
    alike: dict[str, list[str]] = {}
    for now in after:
        difference = _difference(known[now.board], now) if now.board in known else "new"
        if difference:
            alike.setdefault(difference, []).append(now.board)
    lines = [f"{_some(names)}: {difference}" for difference, names in alike.items()]
    points = [sum(result.points for result in results) for results in (before, after)]
    return [*lines, f"points: {points[0]} -> {points[1]}"] if points[0] != points[1] else lines


def _some(names: list[str]) -> str:
    """Return the names as a text; if there are many, the first ones and how many more."""
    if len(names) <= NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: NAMES - 1])} and {len(names) + 1 - NAMES} more"


def _difference(before: Result, now: Result) -> str:
    """Return how one check differs; empty if it does not."""
    if now.verdict == Verdict.NOT_RUN or before.verdict == Verdict.NOT_RUN:
        return "" if now.verdict == before.verdict else f"{_named(before)} -> {_named(now)}"
    parts = []
    if content.word(before) != content.word(now):
        parts.append(f"{content.word(before)} -> {content.word(now)}")
    elif (before.verdict, before.message) != (now.verdict, now.message):
        parts.append(f"{content.word(now)} as before, but says something else")
    if before.answer != now.answer and before.verdict == now.verdict == Verdict.ACCEPTED:
        parts.append(f"{before.answer} -> {now.answer}")
    if before.unsolvable is not None and now.unsolvable is not None and before.unsolvable != now.unsolvable:
        parts.append(f"{before.unsolvable:,} -> {now.unsolvable:,} states")
    if _differ_much(before.cpu_s, now.cpu_s):
        parts.append(f"{before.cpu_s:.2f} s -> {now.cpu_s:.2f} s")
    return ", ".join(parts)


def _named(result: Result) -> str:
    return "not run" if result.verdict == Verdict.NOT_RUN else content.word(result)


def _differ_much(before_s: float, now_s: float) -> bool:
    less, more = sorted((before_s, now_s))
    return more > MUCH * less and more - less > MUCH_S
