"""Ask the student's worker by replay: Python cannot wait here, so a check is judged again after each answer.

When the judge asks a question whose answer is not known yet, `NeedsAnswer` ends the judging and carries the
question out. JavaScript has the student's worker answer it within the time limit. Then the check is judged
again from its start, with all answers so far. The judge depends on nothing but these answers, so it asks the
same questions in the same order.
"""

import json
import threading
from typing import Any

from grader.sandbox.asking import End, Load, Outcome
from grader.sandbox.confine.limits import CLOSE_RUN, PREPARE_CPU_S


class NeedsAnswer(BaseException):
    """A question whose answer is not known yet; `except Exception` in the judge does not catch it."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.question = question
        super().__init__(question["request"]["kind"])


class Answers:
    """The known answers to the questions of one check, in the order in which the questions are asked."""

    def __init__(self) -> None:
        self._known: list[tuple[str, dict[str, Any]]] = []
        self._asked = 0
        self._open = ""  # the question that could not be answered

    def restart(self, answer: str = "") -> None:
        """Prepare to judge the check again, now with the answer, as JSON, to the question that had none."""
        if answer:
            self._known.append((self._open, json.loads(answer)))
        self._asked = 0

    def forget(self) -> None:
        """Forget all answers, ready for the next check."""
        self._known.clear()
        self._asked = 0

    def to(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to `question`, the next one that the judge asks.

        Raises:
            NeedsAnswer: the answer is not known yet.
        """
        self._open = json.dumps(question)
        if self._asked < len(self._known):
            asked, answer = self._known[self._asked]
            if asked == self._open:
                self._asked += 1
                return answer
            del self._known[self._asked :]
        raise NeedsAnswer(question)


class Worker:
    """The worker that runs students' programs; to the judge, it stands in for a sandbox of processes."""

    tier = 0

    def __init__(self, debug: bool) -> None:
        self.answers = Answers()
        self.stop = threading.Event()
        self._debug = debug

    def warm(self) -> None:
        """Do nothing: the page has started the worker."""

    def runner(self, load: Load, hidden: bool) -> "AsksWorker":
        """Return an object that asks the worker about one submission."""
        return AsksWorker(load, self.answers, self._debug)


class AsksWorker:
    """Asks the worker about one submission, whose files the worker imports anew for each question."""

    has_compiled_code = True  # none is needed

    def __init__(self, load: Load, answers: Answers, debug: bool) -> None:
        self._load = load
        self._answers = answers
        self._about = {
            "code": {file.name: file.read_text("utf-8") for file in sorted((load.folder / "code").iterdir())},
            "module": load.module,
            "debug": debug,
            "prepare_s": PREPARE_CPU_S,
            "memory_mib": load.memory_mib,
        }

    def __enter__(self) -> "AsksWorker":
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the worker running: it serves the next submission."""

    def run(self, request: dict[str, Any], cpu_s: float) -> Outcome:
        """Return the outcome of a question; raise NeedsAnswer if the answer is not known yet."""
        said = self._answers.to({**self._about, "request": request, "cpu_s": cpu_s})
        head, tail = said["head"].encode("latin-1"), said["tail"].encode("latin-1")
        used = said["cpu_s"], said["cpu_s"], said["peak_mib"]
        how = End[said["end"]], said["frame"].encode(), said.get("returncode")
        outcome = Outcome(*how, *used, head, tail, said.get("fault", ""))
        if outcome.end == End.ANSWERED and outcome.peak_mib > CLOSE_RUN * self._load.memory_mib:
            outcome.end = End.MEMORY_LIMIT
        if len(outcome.frame) > self._load.answer_bytes:
            outcome.end, outcome.frame = End.BAD_FRAME, b""
        return outcome

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Refuse: nothing is compiled in a browser."""
        return Outcome(End.FAULT, fault="nothing is compiled in a browser")
