"""The data from which messages about failures in the student's code are built."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.catalog.tasks import Asked, Task
from grader.messages import phrases, sources
from grader.messages.message import Message
from grader.messages.phrases import KindWords
from grader.messages.sources import Function
from grader.safe_text import one_line, safe
from grader.sandbox.answers import Failure
from grader.submissions.submission import Submission

MAX_LINES = 60  # of a message that shows values


@dataclass(frozen=True)
class Context:
    """A failure and the check that failed.

    Attributes:
        told: the child process's report.
        asked: the check; its limit is in CPU seconds.
        submission: what was run.
        words: the texts that depend on the kind of task.
    """

    told: Failure
    asked: Asked
    submission: Submission
    words: KindWords

    @property
    def task(self) -> Task:
        return self.asked.task

    @property
    def text(self) -> str:
        return one_line(self.told.text)

    @property
    def kind(self) -> str:
        return one_line(self.told.type, 40)

    @property
    def rerun(self) -> str:
        """The command that runs the check as plain Python."""
        return phrases.plain_run(self.task, self.asked.board)

    @property
    def known(self) -> Mapping[str, Function]:
        """The student's functions."""
        return sources.functions(self.submission.sources)

    @property
    def file(self) -> str:
        """The file of the submission that the child process's report names; empty if it names none."""
        return self.told.file if self.told.file in self.submission.sources else ""

    @property
    def place(self) -> str:
        """`folder/file:line` of the student's code, or empty."""
        file, line = self.file, self.told.line
        return self.submission.place(file, line) if self.submission.has_line(file, line) else ""

    @property
    def source(self) -> str:
        """The source line at `place`, or empty."""
        return one_line(self.submission.source_line(self.told.file, self.told.line)) if self.place else ""

    @property
    def at(self) -> list[str]:
        """The message's line that shows the place and its source; an empty list if no place is known."""
        shown = f"{self.place}: {self.source}" if self.source else self.place
        return [shown] if shown else []

    def say(self, id: str, head: str, help: str, *details: str) -> Message:
        """Return a message about the line that the child process's report names."""
        return Message(id, "\n".join([head, *self.at, *details]), help, self.place)

    def say_of(self, id: str, function: Function, head: str, help: str) -> Message:
        """Return a message whose place is the definition of a function."""
        return self.say_at(id, function.file, function.line, head, help)

    def say_at(self, id: str, file: str, line: int, head: str, help: str) -> Message:
        """Return a message about a line other than the one that the child process's report names."""
        return message_at(id, self.submission, file, line, head, help)


def message_at(id: str, submission: Submission, file: str, line: int, head: str, help: str) -> Message:
    """Return a message about a line of a submission, which is shown."""
    place = submission.place(file, line)
    return Message(id, f"{head}\n{place}: {one_line(submission.source_line(file, line))}", help, place)


def shown_values(told: Failure) -> list[str]:
    """Return a message's lines that show the values of names, as the child process reported them."""
    lines = []
    for name, value in told.values:
        shown = safe(value).strip("\n")
        shown = f"\n{shown}" if "\n" in shown else f" {shown.strip()}"
        lines += f"{one_line(name, 80)} was{shown}".splitlines()
    return lines


def cut(lines: list[str]) -> list[str]:
    """Return at most MAX_LINES of the lines, with `...` in place of the rest."""
    return [*lines[:MAX_LINES], "..."] if len(lines) > MAX_LINES else lines
