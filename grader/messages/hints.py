"""Choose the hints for a result; they stand in the catalogue, below the words of its message."""

from typing import NamedTuple

from grader.messages.catalogue import entries
from grader.result import Result


class Hints(NamedTuple):
    """The three hints for a topic: a question, where to look, and what to change."""

    topic: str
    levels: tuple[str, ...]


def fitting(result: Result) -> list[Hints]:
    """Return the hints that fit, the best first; those for the verdict alone if it is hidden or none fits."""
    of_verdict = f"verdict {result.verdict}"
    return _found([] if result.hidden else topics_of(result), result) or _found([of_verdict], result)[:1]


def topics_of(result: Result) -> list[str]:
    """Return what hints for a result may be about, the most special first."""
    kinds = result.facts.get("kinds", ())
    family = result.facts.get("family")
    return [*(f"{result.code} {kind}" for kind in kinds), result.code, *([family] if family else [])]


def _found(topics: list[str], result: Result) -> list[Hints]:
    """Return the hints of these topics; those of the result's task come before those of any."""
    both = [name for topic in topics for name in (f"{topic} in {result.task}", topic)]
    those = [(name, entries()[name].hints) for name in both if name in entries()]
    return [Hints(name.partition(" in ")[0], tuple(hints)) for name, hints in those if hints]
