"""Make whole submissions that have a task's idea, lack it, or pretend to have it, to see what they earn.

Each is tests/students/plain with files from tests/students/ideas, or with an earlier task's program under a later
task's name. Some can be made to try directions and cells in another order.
"""

import re
import shutil
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

from framework.board import format_board
from grader.catalog.boards import find_board
from grader.result import Result
from support.made_styles import STEPS

STUDENTS = Path(__file__).resolve().parents[1] / "students"
PLAIN, IDEAS = STUDENTS / "plain", STUDENTS / "ideas"
ORDERS = tuple("".join(order) for order in permutations("DURL"))
OWN_ORDER = "RDLU"  # the order of the plain programs
LOOPS = "        for c in range(8):\n"


def in_order(source: str, directions: str, by_columns: bool = False) -> str:
    """Return a plain program that tries directions in a different order and, if asked, cells by columns."""
    steps = tuple(STEPS[each] for each in directions)
    own = str(tuple(STEPS[each] for each in OWN_ORDER))
    assert own in source
    source = source.replace(own, str(steps))
    if not by_columns:
        return source
    turned = re.sub(
        r"( +)for r in range\(8\):\n( +)for c in range\(8\):",
        r"\1for c in range(8):\n\2for r in range(8):",
        source,
    )
    assert turned != source
    return turned


def plain(name: str) -> str:
    """Return the text of a file of tests/students/plain."""
    return (PLAIN / name).read_text("utf-8")


def idea(name: str) -> str:
    """Return the text of a file of tests/students/ideas."""
    return (IDEAS / name).read_text("utf-8")


def submission(folder: Path, **files: str) -> Path:
    """Make a submission: the plain one, with the modules that `files` names replaced by its texts."""
    shutil.copytree(PLAIN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for module, source in files.items():
        (folder / f"{module}.py").write_text(source, "utf-8")
    return folder


# ---- programs with the idea ----------------------------------------------------------------------


def with_ideas(folder: Path) -> Path:
    """Make a submission whose peg4 orders jumps by distance alone, and whose peg5 searches from both ends."""
    return submission(folder, peg4=idea("peg4_ordered.py"), peg5=idea("peg5_both_ends.py"))


# ---- programs without ----------------------------------------------------------------------------


def no_memory(folder: Path, directions: str = OWN_ORDER, by_columns: bool = False) -> Path:
    """Make a submission with peg2's search handed in as peg3."""
    source = in_order(plain("peg2.py"), directions, by_columns)
    return submission(
        folder, peg3=source.replace("peg_solve(board, stack):", "peg_solve(board, stack, unsolvable):")
    )


def no_order(folder: Path, directions: str = OWN_ORDER, by_columns: bool = False) -> Path:
    """Make a submission with peg3's search handed in as peg4 and as peg5."""
    source = in_order(plain("peg3.py"), directions, by_columns)
    return submission(folder, peg4=source, peg5=source)


def one_end(folder: Path, colours: bool = False) -> Path:
    """Make a submission with peg4's search handed in as peg5; if `colours`, a test by colours comes first."""
    peg5 = idea("peg4_ordered.py")
    if colours:
        both = idea("peg5_both_ends.py")
        test = both[both.index("@compiled\ndef colours") : both.index("@compiled\ndef add_all")]
        can_end = (
            "@compiled\ndef can_end(board):\n"
            "    end = board.copy()\n    end[:, :] = 0\n"
            "    for row in range(8):\n        for col in range(8):\n            if board[row, col] != -1:\n"
            "                end[row, col] = 1\n"
            "                if colours(end) == colours(board):\n                    return True\n"
            "                end[row, col] = 0\n    return False\n\n\n"
        )
        peg5 = peg5.replace("def peg_solve", f"{test}{can_end}def peg_solve")
        peg5 = peg5.replace("    pegs = count_pegs(board)\n    return", _GIVES_UP)
    return submission(folder, peg4=idea("peg4_ordered.py"), peg5=peg5)


_GIVES_UP = "    pegs = count_pegs(board)\n    if not can_end(board):\n        return pegs\n    return"


# ---- programs that pretend -----------------------------------------------------------------------


def own_table(source: str) -> str:
    """Return a program, changed to search with a table of its own instead of the given one."""
    source = source.replace("import ht_insert, ht_lookup\n", "import ht_insert, ht_lookup, ht_new\n")
    return re.sub(r"(return (?:1 if )?\w+\(board, stack, )unsolvable", r"\1ht_new(1)", source)


def counter_set_back(source: str) -> str:
    """Return a program, changed so that it sets its table's counter back to 0 before it answers."""
    head, _, answer = source.rpartition("    return ")
    return f"{head}    answer = {answer.rstrip()}\n    unsolvable.state[0] = 0\n    return answer\n"


def moves_by_heart(known: Sequence[Result]) -> str:
    """Return a program that has memorized the jumps of these results and gives up on all other boards."""
    learned = {format_board(find_board(result.board).board): result.jumps for result in known}
    return f"""from client import move_new
from framework.board import count_pegs, format_board
from framework.stack import push

LEARNED = {learned!r}


def peg_solve(board, stack, unsolvable):
    for jump in reversed(LEARNED.get(format_board(board), ())):
        push(stack, move_new(*jump))
    return 1 if format_board(board) in LEARNED else max(2, count_pegs(board))
"""
