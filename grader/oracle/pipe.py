"""Answer the web page of `grade play` from a separate process, which can be stopped at any time.

A request is a line of 64 cells (`*`, `o`, `-`). An answer is a line of JSON that says which jumps
can still win.
"""

import json
import signal
import sys
from typing import Any

from framework.board import Board, count_pegs, parse_board
from framework.jumps import legal_jumps
from grader.oracle.errors import OracleError


def answer(board: Board) -> dict[str, Any]:
    """Return for each legal jump whether the board can still be solved after it."""
    from grader.oracle.questions import successors

    try:
        after = successors(board)
    except OracleError as error:
        unknown = [{"jump": jump, "wins": None} for jump in legal_jumps(board)]
        help = "ask one of your programs, or play on: with fewer pegs there is less to look at"
        return {"solvable": None, "jumps": unknown, "message": error.message, "help": help}
    return {
        "solvable": count_pegs(board) == 1 or any(wins for _, wins in after),
        "jumps": [{"jump": jump, "wins": wins} for jump, wins in after],
        "message": "",
        "help": "",
    }


def main() -> None:
    """Answer each request on standard input until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the process that asks
    for line in sys.stdin:
        print(json.dumps(answer(parse_board(line.replace("-", ".")))), flush=True)


if __name__ == "__main__":
    main()
