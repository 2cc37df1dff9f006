"""Describe the differences between two runs of the same checks."""

from collections.abc import Sequence

from grader.reports.content import word
from grader.result import Result, Verdict

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
    if word(before) != word(now):
        parts.append(f"{word(before)} -> {word(now)}")
    elif (before.verdict, before.message) != (now.verdict, now.message):
        parts.append(f"{word(now)} as before, but says something else")
    if before.answer != now.answer and before.verdict == now.verdict == Verdict.ACCEPTED:
        parts.append(f"{before.answer} -> {now.answer}")
    if before.unsolvable is not None and now.unsolvable is not None and before.unsolvable != now.unsolvable:
        parts.append(f"{before.unsolvable:,} -> {now.unsolvable:,} states")
    if _differ_much(before.cpu_s, now.cpu_s):
        parts.append(f"{before.cpu_s:.2f} s -> {now.cpu_s:.2f} s")
    return ", ".join(parts)


def _named(result: Result) -> str:
    return "not run" if result.verdict == Verdict.NOT_RUN else word(result)


def _differ_much(before_s: float, now_s: float) -> bool:
    less, more = sorted((before_s, now_s))
    return more > MUCH * less and more - less > MUCH_S
