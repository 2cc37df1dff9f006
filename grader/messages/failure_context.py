"""The data from which messages about failures in the student's code are built."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.catalog.tasks import Asked, Task
from grader.messages import catalogue, phrases, sources
from grader.messages.catalogue import Message
from grader.messages.in_source import Found
from grader.messages.phrases import KindWords
from grader.messages.sources import Function
from grader.safe_text import one_line
from grader.sandbox.answers import Failure
from grader.submissions.submission import Submission


@dataclass(frozen=True)
class Context:
    """A child process's report of a failure, the check that failed, and the words of its kind of task."""

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
    def exception(self) -> str:
        return f"{self.kind}: {self.text}" if self.text else self.kind

    @property
    def rerun(self) -> str:
        """The command that runs the check as plain Python."""
        return phrases.plain_run(self.task, self.asked.board)

    @property
    def known(self) -> Mapping[str, Function]:
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

    def say(self, id: str, /, **facts: Any) -> Message:
        """Return a message about the line that the child process's report names."""
        return catalogue.say(id, place=self.place, source=self.source, **facts)

    def say_of(self, id: str, function: Function, /, **facts: Any) -> Message:
        """Return a message whose place is the definition of a function."""
        return self.say_found(Found(function.file, function.line, id, facts))

    def say_found(self, found: Found, /, **facts: Any) -> Message:
        """Return a message about a mistake that the source shows."""
        return say_found(self.submission, found, **facts)


def say_found(submission: Submission, found: Found, /, **facts: Any) -> Message:
    """Return a message about a mistake that a submission's source shows."""
    place, source = submission.shown(found.file, found.line)
    return catalogue.say(found.id, place=place, source=source, **found.facts, **facts)
