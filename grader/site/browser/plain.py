"""Decide which checks run in plain Python without contracts: those that need compiled code are left out."""

from grader.catalog.tasks import Asked, has_earlier_search
from grader.judging.kinds.both_ends import BACK

MOST_POSITIONS = 20_000  # a search with a table takes some seconds for them
LEAST_S = 20.0  # which stops an endless loop
BOTH_ENDS_S = 90.0  # to fill a table of boards that can win, besides
PER_VISIT_S = 0.0005  # for each position that a search without a table visits
NO_TABLE = "none"  # the variant of lab10's checks that search without a table
NEEDS_COMPILED = "needs compiled code: run it on your own machine, or wait for the course's run"


def why_not_run(asked: Asked) -> str:
    """Return why a check cannot be run without compiled code; empty if it can."""
    has_memory = asked.task.table or asked.task.kind == "fewest"
    if asked.board is None or not has_memory or BACK.fullmatch(asked.check.variant):
        return ""
    facts = asked.board.facts
    visits = facts.naive_nodes if asked.check.variant == NO_TABLE else facts.positions
    return "" if visits is not None and visits < MOST_POSITIONS else NEEDS_COMPILED


def limit_s(asked: Asked) -> float:
    """Return the time limit of a check in seconds; the one in the registry is for compiled code."""
    if has_earlier_search(asked.task):
        return BOTH_ENDS_S
    visits = asked.board.facts.naive_nodes if asked.board is not None and not asked.task.table else None
    return max(LEAST_S, PER_VISIT_S * (visits or 0))
