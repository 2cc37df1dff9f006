"""Read the hints in `handouts/hints/TASK.md`, and choose the hints for a result.

A page is Markdown: an introduction, then entries. An entry has one or more headings (its causes) and three
numbered items (its levels): a question, where to look, and what to change. A heading is a verdict, or a
verdict and a text that the message or the help contains, regardless of line breaks:

    ## wrong-answer: some line of play leaves fewer

    1. Which of the boards that you met is it whose pegs you return?
    2. Look at ...
    3. Keep ...

The task's own page is preferred to `every-task.md`, and a heading with a text is preferred to a bare
verdict, which is for all other messages with that verdict.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grader import paths
from grader.catalog.tasks import Task
from grader.errors import InputError
from grader.result import Result, Verdict

FOLDER = "hints"  # below the handouts
EVERY_TASK = "every-task.md"
LEVELS = 3
_HEADING = re.compile(r"## (?P<verdict>[a-z-]+)(?:: (?P<text>\S.*))?")
_ITEM = re.compile(r"(?P<number>\d+)\. (?P<text>\S.*)")
_FORMAT = "three items below each `## verdict: text`; handouts/hints/peg3.md shows how"


class Hints(NamedTuple):
    """The hints for a cause.

    Attributes:
        verdict: the verdict that they are for.
        text: a text that the message or the help contains; empty for all other messages with that verdict.
        levels: the three hints.
    """

    verdict: Verdict
    text: str
    levels: tuple[str, ...]

    @property
    def cause(self) -> str:
        """The heading under which the hints for this cause stand on the page of hints, without `##`."""
        return f"{self.verdict}: {self.text}" if self.text else str(self.verdict)


def hints_of(task: Task, handouts: Path = paths.HANDOUTS) -> list[Hints]:
    """Return the hints that a task can get: first those on its own page, then those for every task.

    Raises:
        InputError: a page cannot be read or has a wrong format, or some verdict has no hints.
    """
    found = [
        hints
        for name in (f"{task.name}.md", EVERY_TASK)
        for hints in parse_hints(_text(handouts / FOLDER / name), paths.shown(handouts / FOLDER / name))
    ]
    bare = {hints.verdict for hints in found if not hints.text}
    for verdict in Verdict:
        if verdict not in bare:
            raise InputError(
                f"{paths.shown(handouts / FOLDER / EVERY_TASK)}: expected an entry ## {verdict}, found none",
                "write one for all messages of that verdict that have no entry of their own",
            )
    return found


def choose(found: Sequence[Hints], result: Result) -> Hints:
    """Return the hints for a result; on a hidden board they depend on the verdict alone."""
    return fitting(found, result)[0]


def fitting(found: Sequence[Hints], result: Result) -> list[Hints]:
    """Return all hints that fit a result, the best first; those without a text only if no other fits."""
    said = "" if result.hidden else folded(f"{result.message} {result.help}")
    fit = [hints for hints in found if hints.verdict == result.verdict and hints.text in said]
    return [hints for hints in fit if hints.text] or fit[:1]


def folded(text: str) -> str:
    """Return a text in which one blank replaces each run of blanks and line breaks."""
    return " ".join(text.split())


def _text(page: Path) -> str:
    try:
        return page.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{paths.shown(page)}: cannot be read: {why}", f"write it: {_FORMAT}") from None


def parse_hints(text: str, page: str) -> Iterator[Hints]:
    """Yield the hints of a page, one for each heading.

    Raises:
        InputError: the page has a wrong format; the message names the line.
    """
    causes: list[tuple[Verdict, str]] = []
    levels: list[str] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            if levels:
                yield from _entry(causes, levels, f"{page}:{number - 1}")
                causes, levels = [], []
            causes.append(_cause(line, f"{page}:{number}"))
        elif causes and line.strip() and not line.startswith("# "):
            item = _ITEM.fullmatch(line)
            if item and int(item["number"]) == len(levels) + 1:
                levels.append(item["text"].strip())
            elif levels and line.startswith("  "):
                levels[-1] += f" {line.strip()}"
            else:
                raise _fault(
                    f"{page}:{number}", f"item {len(levels) + 1}, or an item's next line, indented", line
                )
    if causes:
        yield from _entry(causes, levels, f"{page}:{number}")


def _cause(line: str, place: str) -> tuple[Verdict, str]:
    heading = _HEADING.fullmatch(line)
    if heading is None or heading["verdict"] not in list(Verdict):
        raise _fault(place, f"## and one of {', '.join(Verdict)}", line)
    return Verdict(heading["verdict"]), folded(heading["text"] or "")


def _entry(causes: Sequence[tuple[Verdict, str]], levels: Sequence[str], place: str) -> Iterator[Hints]:
    if len(levels) != LEVELS:
        raise _fault(place, f"{LEVELS} items up to here", str(len(levels)))
    if not levels[0].endswith("?"):
        raise _fault(place, "a question as item 1", levels[0])
    for verdict, text in causes:
        yield Hints(verdict, text, tuple(levels))


def _fault(place: str, expected: str, found: str) -> InputError:
    return InputError(f"{place}: expected {expected}, found {found}", _FORMAT)
