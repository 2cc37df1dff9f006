"""The judge in a browser: grades a task step by step, and stops at each question until it is answered."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from grader.catalog.tasks import Task, registry, task_after
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.grading import Choice, Grading
from grader.judging.judge import Judge
from grader.messages.catalogue import Message, say
from grader.reports import content, table
from grader.reports.json_report import card
from grader.reports.report import Report
from grader.result import Result, Verdict
from grader.site.browser.asking import NeedsAnswer, Worker
from grader.site.browser.page import button, limit_s, link, needs_compiled, on_page
from grader.submissions.source_file import SubmissionFault, read_raw
from grader.submissions.submission import Submission, submission_from

MOST_PRINTED = 100  # lines of a program's output
MOST_SLOW = 2  # checks that end at a limit, after which the others would cost their limits, too
AT_A_LIMIT = (Verdict.TIMEOUT, Verdict.OUTPUT, Verdict.MEMORY)
STUDENT = "student"  # the folder's name in messages, as in the release
ALL_HERE = "all that can be run here; the course's own run has the other boards, too"
LEFT_OUT = ("not-run", "needs-compiled", "slow-on-page")  # the messages of checks that the page leaves out


class Session:
    """One run of a task; `step` goes on until the next question, or to the end."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Prepare the run.

        Args:
            given: a job with `contracts`, true to run as with -d, and `boards`, the names of boards, or None
                for the task's own.

        Raises:
            InputError: there is no such task or board.
        """
        debug = bool(given["contracts"])
        self._task = registry().find(given["task"])
        self._worker = Worker(debug)
        self._done = 0  # checks, of those that are run
        self._boards = tuple(given["boards"] or ())
        choice = Choice(Path(STUDENT), self._boards, debug=debug, tier=0)
        grading = Grading(
            choice,
            registry(),
            self._next,
            self._worker,
            read=lambda task: submission_of(task, given["files"]),
            cores=1,
        )
        (self._run,) = grading.prepared([self._task])
        self._run.spares_slow = False  # the page waits for even fewer
        self._planned = self._run.planned
        self._not_run = {
            place for place, each in enumerate(self._planned) if not debug and needs_compiled(each)
        }
        self._run.planned = [
            replace(each, check=replace(each.check, cpu_s=limit_s(each)))
            for place, each in enumerate(self._planned)
            if place not in self._not_run
        ]
        self._spared = say("not-run")  # of checks left out once others have run
        if not self._planned:
            raise InputError("no board to run", "without contracts every board of the task is run")
        self._debug = debug

    def _next(self, name: str, done: int, total: int) -> None:
        self._worker.answers.forget()
        self._done = done

    @property
    def _running(self) -> str:
        """The name of the running check; empty after the last, when the causes of failures are sought."""
        planned = self._run.planned
        return planned[self._done].check.name if self._done < len(planned) else ""

    def step(self, answer: str = "") -> str:
        """Judge up to the next question whose answer is not known, or to the end.

        Args:
            answer: the outcome of the last question, as JSON; empty at first.

        Returns:
            A JSON object: `rows` has the results known so far, `running` is the name of the running check,
            and `question` is what the judge asks about it, or null at the end.
        """
        question = self._go_on(answer)
        if question is not None and self._spare_the_rest():
            question = self._go_on()
        pairs = zip(self._rows(), self.results(), strict=True)
        known = [row for row, result in pairs if result.verdict != Verdict.NOT_RUN]
        return json.dumps({"rows": known, "question": question, "running": self._running})

    def _go_on(self, answer: str = "") -> dict[str, Any] | None:
        """Judge, and return the first question whose answer is not known; None at the end."""
        self._worker.answers.restart(answer)
        try:
            self._run.run(self._worker, hidden=False)
        except NeedsAnswer as needed:
            return needed.question
        return None

    def _spare_the_rest(self) -> bool:
        """Leave out the other checks once enough have ended at their limits; return whether it did."""
        left = len(self._run.planned) - self._done
        slow = [each.board for each in self._run.results() if each.verdict in AT_A_LIMIT] if left else []
        if len(slow) < MOST_SLOW:
            return False
        self._spared = say("slow-on-page", task=self._task.name, boards=slow)
        self._run.planned = self._run.planned[: self._done]
        self._worker.answers.forget()
        return True

    def results(self) -> list[Result]:
        """Return the results in the order of the checks; those that did not run say why."""
        judge = Judge(self._task, Submission(STUDENT, {}), 0)
        ran = iter(map(self._or_stopped, self._run.results() if self._run.planned else []))
        return [
            judge.not_run(each, say("needs-compiled"))
            if place in self._not_run
            else next(ran, None) or judge.not_run(each, self._spared)
            for place, each in enumerate(self._planned)
        ]

    def _or_stopped(self, result: Result) -> Result:
        """Return a result; if its check was stopped or not reached, change its message to fit the page."""
        if result.verdict != Verdict.NOT_RUN or result.code not in ("stopped", "not-graded"):
            return result
        return replace(result, **say("stopped-on-page", check=self._running).fields)

    def report(self) -> str:
        """Return the report on what has been judged, as JSON; see `grading.js`."""
        report = self._report()
        results = report.results
        ran = [result for result in results if result.code not in LEFT_OUT]
        causes = [
            {**card_of(cause.first), "folded": cause.folded(), "game": _game(cause.first)}
            for cause in content.causes(results)
        ]
        score, most = report.points(self._task)
        is_all = ran and len(ran) < len(results) and all(result.full for result in ran)
        next = ALL_HERE if is_all else content.next_step(replace(report, results=ran))
        return json.dumps(
            {
                "task": self._task.name,
                "running": self._running,
                "rows": self._rows(),
                "points": score,
                "maxPoints": most,
                "causes": causes,
                "next": on_page(next, self._task.name),
                "after": report.after if score == most else "",
                "marks": [mark for result in results for mark in _marks(result, self._task)],
            }
        )

    def _report(self) -> Report:
        return Report(
            [self._task],
            [result.harmless() for result in self.results()],
            STUDENT,
            self._debug,
            boards="".join(f" --board {board}" for board in self._boards),
            after="" if self._debug or self._boards else task_after([self._task]),
            options=" -d" if self._debug else "",
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [_row(result) for result in self._report().results]


class Answer:
    """What is said of a program beside a run; it takes a few questions."""

    def __init__(self, kind: str, given: Mapping[str, Any]) -> None:
        """Take the name of a function of `answers`, and the job; contracts are checked unless it says not."""
        task = registry().find(given["task"])
        self._worker = Worker(given.get("contracts", True))
        say = getattr(import_module("grader.site.browser.answers"), kind)
        self._say = partial(say, self._worker, task, submission_of(task, given["files"]), given)

    def step(self, answer: str = "") -> str:
        """Take the outcome of the last question; return, as JSON, the next one, or what there is to show."""
        self._worker.answers.restart(answer)
        try:
            return json.dumps({"question": None, **self._say()})
        except NeedsAnswer as needed:
            return json.dumps({"question": needed.question})
        except InputError as error:
            return json.dumps({"question": None, "refused": _refused(error)})


def started(kind: str, job: str) -> Session | Answer | str:
    """Return what does a job step by step; if it cannot be done, a JSON object with `message` and `help`.

    Args:
        kind: "run" to grade a task, or what else is said of a program, as a function of `answers` is called.
        job: a JSON object; `task` is the task's name, and `files` has the text of each file by name.
    """
    given = json.loads(job)
    try:
        return Session(given) if kind == "run" else Answer(kind, given)
    except (InputError, SubmissionFault) as error:
        return json.dumps(_refused(error))


def _refused(error: InputError | SubmissionFault) -> dict[str, str]:
    return {"message": error.message, "help": error.help}


def submission_of(task: Task, files: Mapping[str, str]) -> Submission:
    """Return a task's submission: its files, taken from the page and checked like the files of a folder."""
    folder = Path(STUDENT)
    folder.mkdir(exist_ok=True)
    for name in task.files:
        (folder / name).unlink(missing_ok=True)
        if name in files:
            (folder / name).write_bytes(files[name].encode("utf-8", "surrogatepass"))
    return submission_from(STUDENT, task.files, lambda name: read_raw(folder / name, f"{STUDENT}/{name}"))


def card_of(result: Result) -> dict[str, Any]:
    """Return the card of a result, with a button in place of the command."""
    does, said = button(result.command, result.task), card(result)
    if does is None and (found := link(result.command)) is not None:
        does = {"does": found[0], "address": found[1]}
    elif result.command:
        said["help"] += f": {result.command}"
    return {**said, "help": on_page(said["help"], result.task), "command": "", "button": does}


def _game(result: Result) -> str | None:
    """Return what the program played on a board, as the address of the page to play on has it.

    Returns:
        the jumps; empty if there are none; None if the board does not help with this failure.
    """
    if not table.is_on_a_board(result):
        return None
    return ".".join("".join(map(str, jump)) for jump in result.jumps)


def _row(result: Result) -> dict[str, Any]:
    return {
        **card_of(result),
        "verdict": str(result.verdict),
        "pegs": result.pegs,
        "truth": result.truth,
        "answer": content.answer(result),
        "seconds": round(result.cpu_s, 2),
        "states": result.unsolvable,
        "points": result.points,
        "maxPoints": result.max_points,
        "printed": _cut(result.printed),
    }


def _cut(printed: str) -> str:
    """Return the first lines of what was printed."""
    lines = printed.splitlines()
    return "\n".join([*lines[:MOST_PRINTED], *(["…"] if len(lines) > MOST_PRINTED else [])])


def _marks(result: Result, task: Task) -> list[dict[str, Any]]:
    """Return the mark for the editor's margin at the line that a result is about; empty if there is none."""
    file, colon, line = result.place.removeprefix(f"{STUDENT}/").rpartition(":")
    if not colon or not line.isdigit() or file not in task.files:
        return []
    head = Message.of(result).first or result.verdict.words
    return [{"file": file, "line": int(line), "text": head, "board": kinds.of(task).where(result.board)}]
