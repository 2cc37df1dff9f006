"""What plain Python can run in a browser, and for how long: boards that need compiled code say so."""

from grader.catalog.tasks import Asked, has_earlier_search, registry
from grader.judging import kinds

MOST_POSITIONS = 20_000  # a search with a table takes some seconds for them
NO_TABLE = "none"  # the variant of lab10's checks that search without a table

# Limits in seconds, at least four times what the reference takes on two cores of a cloud machine. An endless
# loop costs little: the smallest boards come first, and two that end at their limits spare the rest.
START_S = 3.0  # the reference takes 0.02 on the smallest boards
PER_POSITION_S = 0.0025  # for each position of a board that a search with a table visits; ref 0.0002
PER_VISIT_S = 0.0005  # for each visit of a search without a table; ref 0.00006
CONTRACTS = 10  # times slower, if every contract is checked; ref 10
REPEATS = 30  # visits of a position without a table: how many depends on the order of the jumps
NO_BOARD_S = 20.0  # for a check of client.py or of a table; ref 4.6
BOTH_ENDS_S = 90.0  # to fill a table of boards that can win, besides; ref 22
BOTH_ENDS_SMALL_S = 10.0  # the same on a board that -d takes, too


def needs_compiled(asked: Asked) -> bool:
    """Return whether a check cannot be run without compiled code."""
    has_memory = asked.task.table or asked.task.kind == "fewest"
    if asked.board is None or not has_memory or kinds.of(asked.task).asks_part(asked.check):
        return False
    facts = asked.board.facts
    visits = facts.naive_nodes if asked.check.variant == NO_TABLE else facts.positions
    return visits is None or visits >= MOST_POSITIONS


def limit_s(asked: Asked) -> float:
    """Return the limit of a check in seconds: its own is for compiled code, or the most that -d has."""
    seconds = _plain_s(asked)
    return min(seconds, asked.check.cpu_s) if asked.debug else seconds


def _plain_s(asked: Asked) -> float:
    if asked.board is None:
        return NO_BOARD_S
    if has_earlier_search(asked.task):
        return BOTH_ENDS_SMALL_S if registry().debug.takes(asked.board) else BOTH_ENDS_S
    facts = asked.board.facts
    if asked.task.table and asked.check.variant != NO_TABLE:
        search_s = PER_POSITION_S * (facts.positions or 0)
    else:
        search_s = PER_VISIT_S * max(facts.naive_nodes or 0, REPEATS * (facts.positions or 0))
    return START_S + search_s * (CONTRACTS if asked.debug else 1)
