"""Have the exact engine find out what is true of a board that no index describes, where it is installed."""

from dataclasses import replace

from grader import paths
from grader.catalog.boards import Facts, NamedBoard

FOUND = 100_000  # most positions of a board that are looked at in plain Python: 0.3 s


def settled(board: NamedBoard) -> NamedBoard:
    """Return a board with what is true of it, as far as that is soon found out, or with why it is not known.

    A board of which it is known already whether it can be solved is returned as it is, and so is every board
    where the engine is not installed.
    """
    if board.facts.solvable is not None or not paths.ORACLE.is_dir():
        return board
    from grader.oracle.explore import explore

    truth = explore(board.board, FOUND)
    if truth is not None:
        return replace(board, facts=Facts(*truth))
    from grader.oracle import bounded
    from grader.oracle.problem import OracleError

    try:
        fewest = bounded.fewest_pegs(board.board)
    except OracleError as error:
        return replace(board, unknown=error.message)
    return replace(board, facts=Facts(fewest == 1, fewest, False))  # forced play has fewer positions
