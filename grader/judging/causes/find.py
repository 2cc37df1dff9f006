"""Find the causes of a task's failures: decide which questions to ask, and in which order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.catalog.tasks import Asked, Task
from grader.judging.causes.asked import (
    endless,
    near_end,
    order,
    recorded,
    shared_keys,
    too_early,
    use_of_table,
)
from grader.judging.causes.rules import rules
from grader.judging.causes.search import Explain, Judged, is_exact, is_followed, search
from grader.judging.check_run import Ask
from grader.judging.kinds.fill_part import why_slow
from grader.judging.kinds.meet_part import why_not_met
from grader.messages import in_source
from grader.messages.catalogue import Message, say
from grader.messages.failure_context import say_found
from grader.result import Result, Verdict
from grader.submissions.submission import Submission

EXPLAINED = (
    Verdict.WRONG_ANSWER, Verdict.ILLEGAL_MOVE, Verdict.BAD_RETURN, Verdict.CONTRACT, Verdict.TIMEOUT,
)  # fmt: skip

# Messages on right answers that keys which boards share would explain.
OF_THE_TABLE = (
    "table-lacks", "table-too-small", "drawn-missing", "drawn-none", "strange-in-table", "winning-in-table",
)  # fmt: skip
# Crashes at a line that may be right: a wrong test let a jump there.
OF_A_JUMP = ("blocked-set", "index-off-board-in-call", "infinite-recursion")
MANY, ALIKE = 1_000, 1.01  # states of two searches that end for the same reason
JUMPS_MADE = ("index-off-board-in-call", "impossible-jump-made")  # not as the rules have them
Cause = tuple[Sequence[int], Message | None]  # the indices of what it explains, and what is said of it


@dataclass(frozen=True)
class Failures:
    """The checks of a task of which at least one failed, and the means to find out why."""

    task: Task
    submission: Submission
    judged: Judged  # the task's checks that students can see, each with its result
    explain: Explain  # returns the message for a failure of the program when run as plain Python
    ask: Ask

    @cached_property
    def failed(self) -> list[int]:
        """The indices in `judged` of the results whose causes are sought."""
        return [place for place, (_, result) in enumerate(self.judged) if may_be_explained(result)]

    @cached_property
    def lost(self) -> list[int]:
        """The same, and the indices of right answers whose points are lost by what the table lacks."""
        lack = [place for place, (_, result) in enumerate(self.judged) if result.code in OF_THE_TABLE]
        short = [place for place in lack if not self.judged[place][1].full and place not in self.failed]
        return [*self.failed, *short]

    @cached_property
    def planned(self) -> list[Asked]:
        """All checks, those that failed first."""
        passed = [asked for place, (asked, _) in enumerate(self.judged) if place not in self.failed]
        return [self.judged[place][0] for place in self.failed] + passed


def causes(failures: Failures) -> list[tuple[int, Message]]:
    """Return the causes found, each as the index of a failed check and the message for that check.

    They come from the first finder that finds any: the later ones trust that the earlier found nothing.
    """
    for find in _FINDERS if failures.failed else (_in_source, _keys, _too_early):
        those, told = find(failures)
        if those and told is not None:
            return [(place, told) for place in those]
    return []


def _rules(failures: Failures) -> Cause:
    """Explain all failures by wrong rules of a jump, or a wrong use of the table."""
    return failures.failed, _of_rules(failures) or use_of_table(failures.task, failures.ask)


def _of_rules(failures: Failures, alone: bool = False) -> Message | None:
    failed, passed = failures.planned[: len(failures.failed)], failures.planned[len(failures.failed) :]
    small_first = sorted(failed, key=lambda asked: asked.board.pegs if asked.board else 0)
    sources = failures.submission.sources
    told = rules(failures.task, small_first + passed, failures.ask, sources, alone)
    for found in in_source.without_return(sources):
        if told is not None and found.facts["function"] == told.facts.get("function"):
            return say_found(failures.submission, found)
    return told


def _keys(failures: Failures) -> Cause:
    """Explain all failures, and what tables lack, by two boards that share a key."""
    told = shared_keys(failures.task, failures.planned, failures.ask) if failures.lost else None
    return failures.lost, told


def _too_early(failures: Failures) -> Cause:
    """Explain that boards which can win are in the table."""
    codes = ("winning-in-table",) if failures.failed else ("winning-in-table", "dead-end-not-recorded")
    those = [place for place, (_, result) in enumerate(failures.judged) if result.code in codes]
    return those, too_early(failures.task, failures.planned, failures.ask) if those else None


def _in_source(failures: Failures) -> Cause:
    """Explain failures by the first mistake that the task's own file shows."""
    own = {file: text for file, text in failures.submission.sources.items() if file == failures.task.file}
    for id, explains in _IN_SOURCE:
        explained = explains(failures)
        for found in in_source.find(id, own)[:1] if explained else []:
            return explained, say_found(failures.submission, found)
    return [], None


def _with_code(*codes: str) -> Callable[[Failures], list[int]]:
    """Return a function that returns the failures with one of these messages."""
    return lambda failures: [place for place in failures.failed if failures.judged[place][1].code in codes]


def _in_time(failures: Failures) -> list[int]:
    return [place for place in failures.failed if failures.judged[place][1].verdict != Verdict.TIMEOUT]


def _with_too_many(failures: Failures) -> list[int]:
    exact = is_exact(failures.task)
    return [place for place in failures.failed if exact and _answers_too_many(*failures.judged[place])]


def _answers_too_many(asked: Asked, result: Result) -> bool:
    """Return whether a search answers more pegs than can be left; with `-d`, whether a contract shows it."""
    if result.verdict == Verdict.CONTRACT:
        return "stack_empty(stack)" in str(result.facts.get("condition"))
    if asked.board is None or result.pegs_left is None:
        return False
    fewest = asked.board.facts.fewest
    return result.pegs_left == asked.board.pegs or (fewest is not None and result.pegs_left > fewest)


def _slow(failures: Failures) -> Cause:
    """Explain all timeouts."""
    task, planned, ask = failures.task, failures.planned, failures.ask
    slow = [place for place in failures.failed if failures.judged[place][1].verdict == Verdict.TIMEOUT]
    if not slow:
        return slow, None
    long = [
        say("long-chain", longest=result.facts["longest"], board=asked.check.name)
        for asked, result in failures.judged
        if result.code == "long-chain"
    ]
    told = endless(task, ask) or recorded(task, planned, ask) or next(iter(long), None)
    return slow, told or order(task, planned, ask)


def _near_end(failures: Failures) -> Cause:
    """Explain the first failure that may be due to a wrong table of boards that can win."""
    tables = [result.full for asked, result in failures.judged if asked.check.variant]
    for place in failures.failed if all(tables) else []:  # a wrong part of it says so itself
        asked, result = failures.judged[place]
        if result.code == "both-ends-give-up":
            return [place], near_end(asked, failures.ask)
    return [], None


def _by(why: Callable[[Ask], Message | None], *codes: str) -> Callable[[Failures], Cause]:
    """Return a finder that explains the failures with these messages by what it asks."""

    def find(failures: Failures) -> Cause:
        those = _with_code(*codes)(failures)
        return those, why(failures.ask) if those else None

    return find


def _gives_up(failures: Failures) -> Cause:
    """Explain searches of different boards that ended with as many unsolvable states, or nearly."""
    of = {place: failures.judged[place][1].unsolvable or 0 for place in failures.failed}
    least = min((states for states in of.values() if states > MANY), default=MANY)
    those = [place for place, states in of.items() if least <= states <= ALIKE * least]
    return (those, say("gives-up-at-size", states=least)) if len(those) > 1 else ([], None)


def _search(failures: Failures) -> Cause:
    """Explain one failure on a small board by what the search does there in plain Python."""
    judged, failed = failures.judged, failures.failed
    small = [place for place, each in enumerate(judged) if is_followed(*each)]
    those = [place for place in small if place in failed and judged[place][1].verdict != Verdict.CONTRACT]
    others = [judged[place][0] for place in small if place not in failed]
    found = search([judged[place] for place in those], others, failures.explain, failures.ask)
    if found is not None and found[1].id in JUMPS_MADE and (told := _of_rules(failures, True)):
        return failed, told
    return ([], None) if found is None else ([those[found[0]]], found[1])


# Mistakes that a program's text shows: the message, and which results it explains.
_IN_SOURCE: tuple[tuple[str, Callable[[Failures], list[int]]], ...] = (
    ("xor-is-no-power", _with_code("move-parts", "moves-alike", "key-ignores-cells", "key-of-blocked")),
    ("hash-as-key", lambda failures: failures.lost if failures.task.table else []),
    ("loop-may-not-end", _with_code("loop-slow")),
    ("returns-in-first-round", lambda failures: failures.failed * (failures.task.file != "client.py")),
    ("counted-in-loop", _in_time),
    ("count-never-drops", _with_too_many),
    ("board-not-copied", _with_code("board-changed", "board-not-as-it-was")),
    ("answer-lost", _with_too_many),
)
_FINDERS = (
    _rules, _in_source, _keys, _too_early, _by(why_slow, "fill-slow"),
    _by(why_not_met, "not-met", "meet-slow"), _slow, _near_end, _gives_up, _search,
)  # fmt: skip


def may_be_explained(result: Result) -> bool:
    """Return whether to look for a result's cause: yes for a failure, but not for a crash at a known line."""
    named = result.place and not result.facts.get("inside") and result.code not in OF_A_JUMP
    return result.verdict in EXPLAINED or (result.verdict == Verdict.CRASHED and not named)
