"""Read the hints in `handouts/hints/TASK.md`, and choose the hints for a result.

A page is Markdown: an introduction, then entries. An entry has one or more headings, which name its topics,
and three numbered items (its levels): a question, where to look, and what to change. A topic is the identity
of a message, the same with one of the `kinds` among its facts, or a verdict:

    ## fewer-pegs-possible, too-few-pegs
    ## bugs-missed 3
    ## verdict wrong-answer

    1. Which of the boards that you met is it whose pegs you return?
    2. Look at ...
    3. Keep ...

The task's own page is preferred to `every-task.md`. A verdict is for all other messages.
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
_TOPIC = re.compile(r"[a-z][a-z0-9-]*( [a-z0-9-]+)?")
_BARE = "verdict"
_ITEM = re.compile(r"(?P<number>\d+)\. (?P<text>\S.*)")
_FORMAT = "three items below each `## topic, topic`; handouts/hints/peg3.md shows how"


class Hints(NamedTuple):
    """The hints for a topic.

    Attributes:
        topic: what they are about.
        levels: the three hints.
    """

    topic: str
    levels: tuple[str, ...]


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
    topics = {hints.topic for hints in found}
    for verdict in Verdict:
        if f"{_BARE} {verdict}" not in topics:
            raise InputError(
                f"{paths.shown(handouts / FOLDER / EVERY_TASK)}: expected ## {_BARE} {verdict}, found none",
                "write one for all messages of that verdict that have no entry of their own",
            )
    return found


def choose(found: Sequence[Hints], result: Result) -> Hints:
    """Return the hints for a result; on a hidden board they depend on the verdict alone."""
    return fitting(found, result)[0]


def fitting(found: Sequence[Hints], result: Result) -> list[Hints]:
    """Return all hints that fit a result, the best first; those for its verdict only if no other fits."""
    topics = [] if result.hidden else topics_of(result)
    fit = [hints for topic in topics for hints in found if hints.topic == topic]
    return fit or [hints for hints in found if hints.topic == f"{_BARE} {result.verdict}"][:1]


def topics_of(result: Result) -> list[str]:
    """Return what hints for a result may be about, the most special first."""
    kinds = result.facts.get("kinds", ())
    family = result.facts.get("family")
    return [*(f"{result.code} {kind}" for kind in kinds), result.code, *([family] if family else [])]


def _text(page: Path) -> str:
    try:
        return page.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{paths.shown(page)}: cannot be read: {why}", f"write it: {_FORMAT}") from None


def parse_hints(text: str, page: str) -> Iterator[Hints]:
    """Yield the hints of a page, one for each topic.

    Raises:
        InputError: the page has a wrong format; the message names the line.
    """
    topics: list[str] = []
    levels: list[str] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            if levels:
                yield from _entry(topics, levels, f"{page}:{number - 1}")
                topics, levels = [], []
            topics += _topics(line, f"{page}:{number}")
        elif topics and line.strip() and not line.startswith("# "):
            item = _ITEM.fullmatch(line)
            if item and int(item["number"]) == len(levels) + 1:
                levels.append(item["text"].strip())
            elif levels and line.startswith("  "):
                levels[-1] += f" {line.strip()}"
            else:
                raise _fault(
                    f"{page}:{number}", f"item {len(levels) + 1}, or an item's next line, indented", line
                )
    if topics:
        yield from _entry(topics, levels, f"{page}:{number}")


def _topics(line: str, place: str) -> list[str]:
    topics = line.removeprefix("## ").split(", ")
    for topic in topics:
        if not _TOPIC.fullmatch(topic):
            raise _fault(place, "## and topics such as never-tried, separated by commas", line)
        first, _, verdict = topic.partition(" ")
        if first == _BARE and verdict not in list(Verdict):
            raise _fault(place, f"## {_BARE} and one of {', '.join(Verdict)}", line)
    return topics


def _entry(topics: Sequence[str], levels: Sequence[str], place: str) -> Iterator[Hints]:
    if len(levels) != LEVELS:
        raise _fault(place, f"{LEVELS} items up to here", str(len(levels)))
    if not levels[0].endswith("?"):
        raise _fault(place, "a question as item 1", levels[0])
    for topic in topics:
        yield Hints(topic, tuple(levels))


def _fault(place: str, expected: str, found: str) -> InputError:
    return InputError(f"{place}: expected {expected}, found {found}", _FORMAT)
