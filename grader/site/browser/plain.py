"""What plain Python can run without contracts: boards that need compiled code are left out, and say so."""

from grader.catalog.tasks import Asked, has_earlier_search

MOST_POSITIONS = 20_000  # a search with a table takes some seconds for them
LEAST_S = 20.0  # which stops an endless loop
BOTH_ENDS_S = 90.0  # to fill a table of boards that can win, besides
PER_VISIT_S = 0.0005  # for each position that a search without a table visits
NEEDS_COMPILED = "needs compiled code: run it on your own machine, or wait for the course's run"


def why_not_run(asked: Asked) -> str:
    """Return why a check is not run without compiled code; empty if it is."""
    if not asked.task.table or asked.check.variant or asked.board is None:
        return ""
    positions = asked.board.facts.positions
    return "" if positions is not None and positions < MOST_POSITIONS else NEEDS_COMPILED


def limit_s(asked: Asked) -> float:
    """Return the limit of a check in seconds: its own is for compiled code."""
    if has_earlier_search(asked.task):
        return BOTH_ENDS_S
    visits = asked.board.facts.naive_nodes if asked.board is not None and not asked.task.table else None
    return max(LEAST_S, PER_VISIT_S * (visits or 0))
