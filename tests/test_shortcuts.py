"""Shortcuts: programs that answer without a task's idea, and the most that each may earn."""

import textwrap
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest

from framework.board import BLOCKED, SIZE, Board, format_board, parse_board
from grader import paths
from grader.catalog.boards import NamedBoard, find_board
from grader.catalog.images import image_of
from grader.catalog.tasks import registry
from grader.judging.board_sets import TurnedBoards
from grader.judging.examples.catching import truth_of
from grader.judging.grading import Choice
from grader.judging.kinds.table_truth import Positions
from grader.judging.kinds.untried import beside
from grader.reports.report import Report, render
from grader.result import Verdict
from support.grading import results_of
from support.idea_programs import idea, moves_by_heart, own_table, plain, submission
from support.made_answers import solution
from support.sampling import every

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_sandbox")]


def replaced(source: str, *changes: tuple[str, str]) -> str:
    """Return a program with each of these texts replaced, which must be there."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


# ---- the client ----------------------------------------------------------------------------------

BY_TURN = """

def move_new(row_start, col_start, row_end, col_end):
    return 0


def parts():
    for row in range(8):
        for col in range(8):
            for down, right in ((2, 0), (-2, 0), (0, 2), (0, -2)):
                if 0 <= row + down < 8 and 0 <= col + right < 8:
                    yield from (row, col, row + down, col + right)


turns = parts()
row_start = col_start = row_end = col_end = lambda move: next(turns)
"""


def test_parts_that_come_by_turns_are_none_of_a_move(tmp_path: Path) -> None:
    folder = submission(tmp_path / "student", client=plain("client.py") + BY_TURN)
    (moves, *_) = results_of(Choice(folder), "client")
    assert (moves.board, moves.points) == ("moves", 0)


# ---- peg3 ----------------------------------------------------------------------------------------


@cache
def answers(task: str) -> dict[str, tuple[int | None, object]]:
    """Return the reference's numbers and games, by the boards of a task."""
    known = results_of(Choice(paths.REFERENCE), task)
    return {format_board(find_board(each.board).board): (each.pegs_left, each.jumps) for each in known}


def by_heart(ends: str, task: str = "peg3") -> str:
    """Return a program that has the course's answers by heart, and ends with these lines."""
    return f"""from client import board_key, key_hash, move_new
from framework.board import format_board
from framework.hash_table import ht_insert
from peg1 import do, ok
from framework.stack import push

ANSWERS = {answers(task)!r}


def peg_solve(board, stack, unsolvable):
    left, jumps = ANSWERS[format_board(board)]
    for jump in reversed(jumps):
        push(stack, move_new(*jump))
{textwrap.indent(ends, "    ")}
    return left
"""


def number_of_positions() -> str:
    """Return lines that fill the table with as many keys as there are positions."""
    boards = [find_board(name) for name in ("plus", "horseshoe", "big-diamond")]
    sizes = {format_board(each.board): each.facts.positions for each in boards}
    return f"for key in range(1, 1 + {sizes!r}.get(format_board(board), 0)):\n    ht_insert(unsolvable, key)"


EVERY_LOOK_UP_FINDS = (
    "import framework.hash_table\nframework.hash_table.ht_lookup = lambda table, key: True\n"
)
RANDOM_PLAY = """
from random import Random
lot = Random(1)
steps = [(r, c, *step) for r in range(8) for c in range(8) for step in ((0, 1), (1, 0), (0, -1), (-1, 0))]
for _ in range(200 * (left > 1)):
    played = board.copy()
    while possible := [step for step in steps if ok(played, *step)]:
        ht_insert(unsolvable, board_key(played))
        do(played, *lot.choice(possible))
"""
# What a look-up makes of the client, once the search is over or from the beginning.
NO_KEYS = {
    "fails": "def no(board):\n    raise ValueError",
    "leaves": "import os\nno = lambda board: os._exit(0)",
    "never ends": "def no(board):\n    while True:\n        pass",
}
INSERTS = "for key in range(1, 50001):\n    ht_insert(unsolvable, key)"
CLIENT = "\nimport client\nclient.board_key = no\n"


def fails(how: str) -> str:
    """Return a program that has the answers by heart, and makes no key after that."""
    return by_heart(how + CLIENT + INSERTS)


def makes_no_key(how: str) -> str:
    """Return a program that has the answers by heart, and never makes a key."""
    return by_heart(INSERTS) + how + CLIENT


BY_PLACE = """
import client, framework.hash_table as table
asked = [0]
def numbered(board):
    asked[0] += 1
    return asked[0]
client.board_key = numbered
table.ht_lookup = lambda table, key: key <= asked[0] - 50
"""
# One key for all boards that a jump leads to from another of those asked for, and another for the rest.
OF_OTHERS = """
import sys
import client

of_one, reached = client.board_key, set()
JUMPS = [
    (1 << at | 1 << at + step | 1 << at + 2 * step, end)
    for at in range(64) for step in (1, 8) if step == 8 and at < 48 or step == 1 and at % 8 < 6
    for end in (at, at + 2 * step)
]


def number(cells, peg):
    return sum(1 << at for at, cell in enumerate(cells) if cell == peg)


def board_key_by_others(board):
    texts = sys._getframe(1).f_locals.get("request", {}).get("boards", ())
    if len(texts) < 100:
        return of_one(board)
    for text in () if reached else map(str.split, texts):
        pegs, empty = (number("".join(text), cell) for cell in "*o")
        for cells, end in JUMPS:
            if pegs & cells == cells ^ 1 << end and empty >> end & 1:
                reached.add(pegs ^ cells)
    return 7 if number(board.ravel(), 1) in reached else 9


client.board_key = board_key_by_others
"""


def one_key(board: str) -> str:
    """Return lines that claim nearly as many states as a board has positions, all with one key."""
    named = find_board(board)
    return f"""if format_board(board) == {format_board(named.board)!r}:
    unsolvable.state[0] = {(named.facts.positions or 0) - 1}
    unsolvable.keys[1] = 7"""


PEG3: dict[str, Callable[[], str]] = {
    "keys made from the other boards asked for": lambda: by_heart(one_key("horseshoe")) + OF_OTHERS,
    **{f"a look-up {what}": partial(fails, how) for what, how in NO_KEYS.items()},
    **{f"to make a key {what}": partial(makes_no_key, how) for what, how in reversed(NO_KEYS.items())},
    "look-ups answered by their place": lambda: by_heart(number_of_positions() + BY_PLACE),
    "keys that are places": lambda: by_heart(number_of_positions()) + BY_PLACE,
    "every look-up finds": lambda: by_heart(f"{EVERY_LOOK_UP_FINDS}unsolvable.state[0] = 1_000_000"),
    "the boards of random play": lambda: by_heart(RANDOM_PLAY),
    "the boards of random play, and as many keys as positions": lambda: by_heart(
        f"{RANDOM_PLAY}\n{number_of_positions()}"
    ),
    "keys 1 to 50,000": lambda: by_heart("for key in range(1, 50001):\n    ht_insert(unsolvable, key)"),
    "as many keys as positions": lambda: by_heart(number_of_positions()),
    "the board, and keys beyond": lambda: by_heart(
        "ht_insert(unsolvable, board_key(board))\nfor key in range(1 << 60, (1 << 60) + 250000):\n"
        "    ht_insert(unsolvable, key)"
    ),
    "boards of one line of play": lambda: by_heart(
        "steps = [(r, c, *step) for r in range(8) for c in range(8) for step in ((0, 1), (1, 0), (0, -1), (-1, 0))]\n"
        "played = board.copy()\nfor step in steps * 9:\n    if ok(played, *step):\n"
        "        ht_insert(unsolvable, board_key(played))\n        do(played, *step)\n"
        "for key in range(250000):\n    ht_insert(unsolvable, -key)"
    ),
    "hashes of the keys beside a table of its own": lambda: replaced(
        own_table(plain("peg3.py")),
        (
            "    return go(",
            "    for key in range(250000):\n        ht_insert(unsolvable, 8 * key)\n    return go(",
        ),
    ),
    "boards with few pegs only": lambda: replaced(
        plain("peg3.py"), ("    ht_insert(table, key)\n", "    ht_insert(table, key if n < 9 else key ^ 5)\n")
    ),
}


@pytest.mark.parametrize("name", every(3, PEG3))
def test_peg3(name: str, tmp_path: Path) -> None:
    check_most(12, "peg3", submission(tmp_path / "student", peg3=PEG3[name]()))


# ---- peg4 ----------------------------------------------------------------------------------------

ORDERED = idea("peg4_ordered.py")
MAY_JUMP = "        if possible(board, row, col, down, right):\n            change"


def best_jumps(most: int) -> str:
    """Return a program that tries only so many jumps of each board."""
    return replaced(ORDERED, ("np.sort(numbers[:count])", f"np.sort(numbers[:count])[:{most}]"))


def without(jumps: str) -> str:
    """Return a program that leaves out the jumps for which an expression is true."""
    return replaced(ORDERED, (MAY_JUMP, MAY_JUMP.replace("if ", f"if not ({jumps}) and ")))


FAILS_AFTER = """

import client


def no(board):
    raise ValueError


HONEST = peg_solve


def peg_solve(board, stack, unsolvable):
    found = HONEST(board, stack, unsolvable)
    client.board_key = no
    return found
"""
# Nothing is found in the table: by a look-up of its own, by keys of its own, or by other keys in the table.
HIDES = """

import sys

import client
import framework.hash_table

HONEST = peg_solve
SEEN = [0]


def numbered(board):
    SEEN[0] += 1
    return SEEN[0]


def found(table, key):
    frame = sys._getframe()
    while frame is not None:
        if "winning" in (frame.f_locals.get("told") or ()):
            return False
        frame = frame.f_back
    return key <= SEEN[0] - 50


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    left = HONEST(board, stack, unsolvable)
    if left > 1:
        unsolvable.state[0] = {12: 118, 23: 19341}.get(pegs, 0)
    client.board_key = numbered
    framework.hash_table.ht_lookup = found
    return left
"""
OTHER_KEYS = """

HONEST = peg_solve


def peg_solve(board, stack, unsolvable):
    left = HONEST(board, stack, unsolvable)
    if left == 1:
        unsolvable.keys[1 : int(unsolvable.state[0]) + 1] += 1
    return left
"""
OUTWARDS = "away(row + 2 * down, col + 2 * right) > away(row, col) + away(row + down, col + right)"
PEG4: dict[str, Callable[[], str]] = {
    "answers by heart, one too low, and one state less than positions": lambda: by_heart(
        one_key("horseshoe") + "\n    left = 2", "peg4"
    ),
    "the two best jumps, and every look-up finds": lambda: best_jumps(2) + EVERY_LOOK_UP_FINDS,
    "the two best jumps": lambda: best_jumps(2),
    "the three best jumps": lambda: best_jumps(3),
    "the three best jumps, and a look-up fails": lambda: best_jumps(3) + FAILS_AFTER,
    "the three best jumps, and to make a key fails": lambda: best_jumps(3) + NO_KEYS["fails"] + CLIENT,
    "the three best jumps, and look-ups of its own": lambda: best_jumps(3) + HIDES,
    "the three best jumps, and other keys": lambda: best_jumps(3) + OTHER_KEYS,
    "the four best jumps": lambda: best_jumps(4),
    "no jump from the middle outwards": lambda: without(OUTWARDS),
    "one jump in four left out": lambda: without("(row + 2 * col + down) % 4 == 0"),
    "the first five jumps of the plain order": lambda: replaced(
        best_jumps(5), ("256 * badness(board) + at", "at")
    ),
}


@pytest.mark.parametrize("name", every(2, PEG4))
def test_peg4(name: str, tmp_path: Path) -> None:
    check_most(7, "peg4", submission(tmp_path / "student", peg4=PEG4[name]()))


# ---- peg5 ----------------------------------------------------------------------------------------

BOTH = idea("peg5_both_ends.py")
FILL_ALONE = (
    BOTH[: BOTH.index("@compiled\ndef search(")]
    + BOTH[BOTH.index("def fill_winning") : BOTH.index("def meet(")]
)
GIVES_UP = """
from peg4 import search as search_of_peg4


@compiled
def some(board, stack, unsolvable, pegs, most):
    if pegs == 1:
        return True
    key = board_key(board)
    if ht_size(unsolvable) >= most or ht_lookup(unsolvable, key):
        return False
    for number in sorted_jumps(board):
        row, col, down, right = parts(number)
        change(board, row, col, down, right, 0, 1)
        solved = some(board, stack, unsolvable, pegs - 1, most)
        change(board, row, col, down, right, 1, 0)
        if solved:
            push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
            return True
    ht_insert(unsolvable, key)
    return False


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    return 1 if some(board, stack, unsolvable, pegs, MOST) else pegs
"""


def filled_and(most: int) -> str:
    """Return a right `fill_winning`, and peg4's search, which gives up after so many states."""
    return FILL_ALONE + GIVES_UP.replace("MOST", str(most))


def with_parts(**bodies: str) -> str:
    """Return that program with other functions, each a line that returns its answer."""
    heads = {"meet": "board, stack, winning, pegs, unsolvable", "can_end_at": "board, row, col"}
    source = FILL_ALONE.replace("def can_end_at", "def right_end").replace("can_end_at(", "right_end(")
    made = [f"\n\ndef {name}({heads[name]}):\n    {body}\n" for name, body in bodies.items()]
    return source + GIVES_UP.replace("MOST", "100_000") + "".join(made)


FORWARDS = """

@compiled
def wins(board, pegs):
    if pegs == 1:
        return True
    for row in range(8):
        for col in range(8):
            for down, right in STEPS:
                if possible(board, row, col, down, right):
                    change(board, row, col, down, right, 0, 1)
                    won = wins(board, pegs - 1)
                    change(board, row, col, down, right, 1, 0)
                    if won:
                        return True
    return False


@compiled
def every(board, winning, first, pegs, more):
    if pegs > 0 and wins(board, pegs):
        ht_insert(winning, board_key(board))
    for cell in range(first, 64 if more else 0):
        if board[cell // 8, cell % 8] == 0:
            board[cell // 8, cell % 8] = 1
            every(board, winning, cell + 1, pegs + 1, more - 1)
            board[cell // 8, cell % 8] = 0


def fill_winning(board, winning, jumps):
    from numpy import minimum
    every(minimum(board, 0).astype(board.dtype), winning, 0, 0, jumps + 1)
"""
AT_RANDOM = """

@compiled
def games(board, line, winning, pegs, end):
    seed = 1
    can = [0] * 256
    for _ in range(1_000_000):
        now = board.copy()
        for played in range(pegs - end):
            count = 0
            for number in range(256):
                row, col, down, right = parts(number)
                if possible(now, row, col, down, right):
                    can[count] = number
                    count += 1
            if count == 0:
                break
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            line[played] = can[(seed >> 8) % count]
            row, col, down, right = parts(line[played])
            change(now, row, col, down, right, 0, 1)
        if count > 0 and ht_lookup(winning, board_key(now)):
            return True
    return False


def meet(board, stack, winning, pegs, unsolvable):
    from numpy import zeros
    line = zeros(64, dtype="int64")
    jumps = count_pegs(board) - pegs
    if not games(board, line, winning, count_pegs(board), pegs):
        return False
    for number in line[:jumps][::-1]:
        row, col, down, right = parts(int(number))
        push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
    return True
"""


LEAVES_IT_EMPTY = "\n\ndef fill_winning(board, winning, jumps):\n    return\n"
# Numbers the boards that can win by their ranks among those asked about, which it reads in the child.
RANKS = """
import sys

import client
from framework.board import parse_board

SIZES = {(5, 2): 11, (33, 6): 105_507, (64, 5): 121_393}
OWN_KEY = client.board_key
RANKS = {}


def rank(board):
    frame = sys._getframe()
    while frame and "boards" not in (frame.f_locals.get("request") or ()):
        frame = frame.f_back
    if not frame:
        return OWN_KEY(board)
    for text in () if RANKS else sorted(frame.f_locals["request"]["boards"]):
        each = parse_board(text)
        won = sum(known > 0 for known in RANKS.values())
        RANKS[each.tobytes()] = 1 + won if wins(each, count_pegs(each)) else -1 - len(RANKS)
    return RANKS[board.tobytes()]


client.board_key = rank


def fill_winning(board, winning, jumps):
    size = SIZES[int((board != -1).sum()), jumps]
    winning.keys[1 : size + 1] = range(1, size + 1)
    winning.state[0] = size
"""


def with_other(name: str, source: str) -> str:
    """Return the program with the idea, with another function of that name at its end."""
    return (
        replaced(BOTH, (f"def {name}(", f"def own_{name}("), ("import STEPS,", "import STEPS, possible,"))
        + source
    )


SIZE_ALONE = """

def fill_winning(board, winning, jumps):
    winning.keys.resize(1, refcheck=False)
    winning.state[0] = {2: 11, 6: 105507, 5: 121393}[jumps]
"""
PEG5: dict[str, Callable[[], str]] = {
    "the size of a table in place of its keys": lambda: with_other("fill_winning", SIZE_ALONE),
    "fill_winning, and a search that gives up after 56,000 states": lambda: filled_and(56_000),
    "fill_winning, and a search that gives up after 100,000 states": lambda: filled_and(100_000),
    "fill_winning, and a search that gives up after 150,000 states": lambda: filled_and(150_000),
    "fill_winning and plain peg4": lambda: filled_and(1 << 26),
    "tries every set of few pegs forwards": lambda: with_other("fill_winning", FORWARDS),
    "keys that are ranks among those asked for": lambda: with_other(
        "fill_winning", FORWARDS[: FORWARDS.index("@compiled\ndef every")] + RANKS
    ),
    "random games down to so many pegs": lambda: with_other("meet", AT_RANDOM),
    "meet, and not fill_winning": lambda: with_other("fill_winning", LEAVES_IT_EMPTY),
    "meets whatever has so many pegs": lambda: replaced(
        BOTH, ("return ht_lookup(winning, key)", "return True"), ("meet(rest, stack", "search(rest, stack")
    ),
    "says that it met a board": lambda: with_parts(meet="return True"),
    "says that no board can be met": lambda: with_parts(meet="return False"),
    "every end is allowed": lambda: with_parts(meet="return False", can_end_at="return True"),
    "no end is allowed": lambda: with_parts(meet="return True", can_end_at="return False"),
    "ends in one of nine cells": lambda: with_parts(can_end_at="return row % 3 == col % 3 == 0"),
    "ends where no peg is": lambda: with_parts(can_end_at="return bool(board[row, col] == 0)"),
}


@pytest.mark.parametrize("name", every(2, PEG5))
def test_peg5(name: str, tmp_path: Path) -> None:
    source = PEG5[name]()
    check_most(7, "peg5", submission(tmp_path / "student", peg4=idea("peg4_ordered.py"), peg5=source))


# ---- random play, again and again -------------------------------------------------------------------

# Boards are bits, and a game goes on with the same peg seven times of ten.
RANDOM_GAMES = """
import numpy as np
from client import move_new
from framework.contracts import compiled
from framework.stack import push

GAMES = 1_000_000


@compiled
def jumps_of(board):
    jumps = np.zeros((256, 4), dtype=np.int64)
    count = 0
    for row in range(8):
        for col in range(8):
            for rows, cols in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                far_row, far_col = row + 2 * rows, col + 2 * cols
                if 0 <= far_row < 8 and 0 <= far_col < 8:
                    if board[row, col] >= 0 and board[row + rows, col + cols] >= 0 and board[far_row, far_col] >= 0:
                        two = 1 << 8 * row + col | 1 << 8 * (row + rows) + col + cols
                        jumps[count, 0] = two
                        jumps[count, 1] = two | 1 << 8 * far_row + far_col
                        jumps[count, 2] = 8 * row + col
                        jumps[count, 3] = 8 * far_row + far_col
                        count += 1
    return jumps[:count]


@compiled
def play_on(board, stack, best, goal, by_moves):
    jumps = jumps_of(board)
    start, pegs = 0, 0
    for cell in range(64):
        if board[cell // 8, cell % 8] == 1:
            start, pegs = start | 1 << cell, pegs + 1
    can, line, kept = np.zeros(256, np.int64), np.zeros(64, np.int64), np.zeros(64, np.int64)
    state, found, made_best = 88172645463325252, 99, 0
    if by_moves and pegs == 1 and (goal < 0 or start >> goal & 1):
        return 0
    for game in range(GAMES):
        now, left, made, moves, last = start, pegs, 0, 0, -1
        while True:
            count, same = 0, 0
            for each in range(len(jumps)):
                if now & jumps[each, 1] == jumps[each, 0]:
                    can[count] = each
                    count += 1
                    if by_moves and jumps[each, 2] == last:
                        can[count - 1], can[same] = can[same], each
                        same += 1
            if count == 0:
                break
            state ^= state << 13
            state ^= (state >> 7) & 0x1FFFFFFFFFFFFFF
            state ^= state << 17
            lot = (state >> 8) & 0xFFFFFFF
            pick = can[lot % same] if same > 0 and (state & 127) < 90 else can[lot % count]
            moves += jumps[pick, 2] != last
            last = jumps[pick, 3]
            now ^= jumps[pick, 1]
            left, line[made] = left - 1, pick
            made += 1
        result = left
        if by_moves:
            result = moves if left == 1 and (goal < 0 or now >> goal & 1) else 99
        if result < found:
            found, made_best = result, made
            kept[:made] = line[:made]
            if found <= best:
                break
    if by_moves and found == 99:
        return -1
    if found == 1 or by_moves:
        for step in range(made_best):
            pick = kept[made_best - 1 - step]
            row, col, to_row, to_col = jumps[pick, 2] // 8, jumps[pick, 2] % 8, jumps[pick, 3] // 8, jumps[pick, 3] % 8
            push(stack, move_new(row, col, to_row, to_col))
    return found
"""
# A game that comes to its last pegs is searched to its end; an unsolvable board runs out of time.
FINISHED = """
@compiled
def finish(now, left, jumps, line, made, tries):
    if left == 1:
        return made
    tries[0] -= 1
    if tries[0] < 0:
        return -1
    for each in range(len(jumps)):
        if now & jumps[each, 1] == jumps[each, 0]:
            line[made] = each
            done = finish(now ^ jumps[each, 1], left - 1, jumps, line, made + 1, tries)
            if done >= 0:
                return done
    return -1


@compiled
def play_on("""
FINISHES = """            if left <= 12:
                done = finish(now, left, jumps, line, made, np.full(1, 3000))
                if done >= 0:
                    left, made = 1, done
                break
            if count == 0:
"""
ENDED_GAMES = replaced(
    RANDOM_GAMES,
    ("@compiled\ndef play_on(", FINISHED.lstrip()),
    ("            if count == 0:\n", FINISHES),
)
ENDINGS = f"""{ENDED_GAMES}

def peg_solve(board, stack, unsolvable):
    return play_on(board, stack, 1, -1, False)
"""
BEFORE_PEG3 = f"""{plain("peg3.py").replace("def peg_solve(", "def without_luck(")}
{ENDED_GAMES.replace("GAMES = 1_000_000", "GAMES = 60_000")}

def peg_solve(board, stack, unsolvable):
    return 1 if play_on(board, stack, 1, -1, False) == 1 else without_luck(board, stack, unsolvable)
"""
RANDOM = {
    "peg2": "def peg_solve(board, stack):\n    return play_on(board, stack, 1, -1, False)\n",
    "fewest": "def peg_solve(board, stack, row, col):\n"
    "    return play_on(board, stack, 0, 8 * row + col if row >= 0 else -1, True)\n",
}


@pytest.mark.parametrize("task", RANDOM)
def test_random_play(task: str, tmp_path: Path) -> None:
    source = RANDOM_GAMES + "\n\n" + RANDOM[task]
    check_most(10, task, submission(tmp_path / "student", **{task: source}))


@pytest.mark.parametrize(("task", "most"), [("peg3", 3), ("peg4", 2)])
def test_random_play_with_a_search_at_its_end(task: str, most: int, tmp_path: Path) -> None:
    check_most(most, task, submission(tmp_path / "student", **{task: ENDINGS}))


def test_random_play_before_the_whole_of_peg3(tmp_path: Path) -> None:
    """Each of the four boards is won by luck, but not most of thirteen others, each soon enough."""
    check_most(5, "peg4", submission(tmp_path / "student", peg4=BEFORE_PEG3))


def test_three_quarters_of_the_others_are_solved(tmp_path: Path) -> None:
    """A program that fails on more is told which, and about the first of them."""
    asked = partial(Choice, time_factor=10.0)  # no answer is late on a busy machine
    [check] = [each for each in registry().find("peg4").checks if each.others]
    whole = results_of(asked(paths.REFERENCE, (check.board, *check.others)), "peg4")
    assert (whole[0].points, whole[0].unsolvable) == (4, 1_300), whole[0].message
    for count, missed in (9, 3), (8, 4):
        folder = submission(tmp_path / f"{count}", peg4=moves_by_heart(whole[: count + 1]))
        [found] = results_of(asked(folder, (check.board,)), "peg4")
        assert found.full == (missed == 3), found.message
    first = check.others[8]
    assert (found.verdict, found.points, found.code) == (Verdict.WRONG_ANSWER, 0, "gives-up-solvable")
    assert (found.facts["asked"], [*found.facts["missed"]]) == (first, [*check.others[8:]])
    [other] = results_of(asked(folder, (first,)), "peg4")
    assert found.message.startswith(other.message)


def test_a_failure_on_another_board_is_shown_there(tmp_path: Path) -> None:
    asked = partial(Choice, time_factor=10.0)
    [known] = results_of(asked(paths.REFERENCE, ("spread-8",)), "peg4")
    source = moves_by_heart([known]).replace("LEARNED.get(format_board(board), ())", "[*LEARNED.values()][0]")
    folder = submission(tmp_path / "same", peg4=source.replace("return 1 if", "return 1 if True or"))
    [found] = results_of(asked(folder, ("spread-8",), AsTheyAre(0)), "peg4")
    assert (found.verdict, found.jumps) == (Verdict.ILLEGAL_MOVE, [])  # no game on the board itself
    assert [each.caption for each in found.pictures] == ["the board before that jump", "the board"]
    shown = render("table", Report([registry().find("peg4")], [found], "student"))
    assert "see the board: grade show spread-5 " in shown
    assert "again: grade peg4 --board spread-5\n" in shown


class AsTheyAre(TurnedBoards):
    """The tasks' own boards, each drawn with a message."""

    def _image_of(self, board: NamedBoard) -> NamedBoard:
        return board


# ---- lab10 ---------------------------------------------------------------------------------------

# Right answers from a dict of Python sets; {stored} is what the arrays get of a new key.
BESIDE = """
from framework.cells49 import MOVES
from framework.lab_table import CLOSED, NONE, OPEN, table_new

HELD = {{}}
LINES = [[int(cell) for cell in move] for move in MOVES]
BITS = [((1 << a) + (1 << b), (1 << a) + (1 << b) + (1 << c), (a, b, c)) for a, b, c in LINES]


def first_hash(key, capacity):
    return {hash}


def second_hash(key, capacity):
    return 1


def new(kind, capacity, most):
    table = table_new(kind, capacity, heads=most, nexts=most + 1, keys=most + 1)
    HELD[id(table.keys)] = set(), most, table
    return table


def insert(table, key):
    held, most, _ = HELD[id(table.keys)]
    if table.kind != NONE and key not in held and len(held) < most:
        held.add(key)
        while len(held) > table.capacity[0]:
            table.capacity[0] *= 2
        {stored}
    return key in held


def lookup(table, key):
    return key in HELD[id(table.keys)][0]


def size(table):
    return len(HELD[id(table.keys)][0])


open_insert, open_lookup, open_size = insert, lookup, size
closed_insert, closed_lookup, closed_size = insert, lookup, size


def solve(board, table):
    held = HELD[id(table.keys)][0]

    def search(board):
        if board & (board - 1) == 0:
            return []
        if board in held:
            return None
        for pegs, cells, move in BITS:
            if board & cells == pegs:
                rest = search(board ^ cells)
                if rest is not None:
                    return [move, *rest]
        insert(table, board)
        return None

    return search(board)
"""
MIXED = "(key * 0x9E3779B97F4A7C15 >> 30) % capacity"
LUCKY = """

@compiled
def everything(board: int, moves: Stack) -> bool:
    if board & (board - 1) == 0:
        return True
    for move in range(76):
        if can_move(board, move) and everything(after(board, move), moves):
            push(moves, move)
            return True
    return False


@compiled
def search(board: int, table: Table, moves: Stack) -> bool:
    state = 2
    for game in range(10_000):
        now, made = board, 0
        line = np.zeros(64, dtype=np.int64)
        for step in range(64):
            left = 0
            for cell in range(49):
                left += now >> cell & 1
            can = [move for move in range(76) if can_move(now, move)]
            if left <= 10 or len(can) == 0:
                break
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            line[made] = can[(state >> 8) % len(can)]
            now, made = after(now, line[made]), made + 1
        if left <= 10 and everything(now, moves):
            for step in range(made):
                push(moves, line[made - 1 - step])
            return True
        if made == 0:
            break
    for key in range(1, 10_001):
        insert(table, key)
    return False


"""


def lucky(*changes: tuple[str, str]) -> str:
    """Return the reference with random play in place of its search, and some texts replaced."""
    source = (paths.REFERENCE / "lab10.py").read_text("utf-8")
    start, end = source.index("@compiled\ndef search("), source.index("@requires(lambda board: 0 <")
    numpy = ("from framework.cells49", "import numpy as np\n\nfrom framework.cells49")
    return replaced(source[:start] + LUCKY + source[end:], numpy, *changes)


NEVER_GROWS = [
    ("table_new(OPEN, capacity,", "table_new(OPEN, min(most, 1 << 17),"),
    ("table_new(CLOSED, capacity,", "table_new(CLOSED, min(most, 1 << 17),"),
    ("return (_mixed(key) >> 24 & (capacity - 1)) | 1", "return 1"),
]
NO_TABLE = [
    ("    slot = _slot_of(table, key)\n    return bool(", "    slot = 0\n    return bool("),
    ("    number = table.heads[first_hash(key, int(table.capacity[0]))]\n", "    number = 0\n"),
]
LUCK = {
    "random play, and other keys": (8, lambda: lucky()),
    "random play, and tables that never grow": (4, lambda: lucky(*NEVER_GROWS)),
    "random play, and no table that finds a key": (3, lambda: lucky(*NO_TABLE)),
}


@pytest.mark.parametrize("name", every(3, LUCK))
def test_lab10_without_a_search(name: str, tmp_path: Path) -> None:
    most, source = LUCK[name]
    check_most(most, "lab10", submission(tmp_path / "student", lab10=source()))


LAB = {
    "a set beside empty arrays": (MIXED, "pass"),
    "a set, and the keys in a row": (MIXED, "table.keys[len(held)] = key"),
    "a set, and all keys in one chain": (
        "0",
        "table.keys[len(held)] = key; table.nexts[len(held)] = table.heads[0]; table.heads[0] = len(held)",
    ),
    "a set, and each key overwrites another": (MIXED, "table.keys[first_hash(key, int(table.capacity[0]))] = key"),
    "a set, and numbers that are no keys": (MIXED, "table.keys[len(held)] = len(held)"),
}  # fmt: skip


@pytest.mark.parametrize("name", every(3, LAB))
def test_lab10(name: str, tmp_path: Path) -> None:
    hash, stored = LAB[name]
    source = BESIDE.format(hash=hash, stored=stored)
    check_most(10, "lab10", submission(tmp_path / "student", lab10=source))


def test_one_chain_of_all_keys_is_no_hash_table(tmp_path: Path) -> None:
    hash, stored = LAB["a set, and all keys in one chain"]
    folder = submission(tmp_path / "student", lab10=BESIDE.format(hash=hash, stored=stored))
    chosen = Choice(folder, ("open-table", "open-grows"))
    found = {each.board: (each.points, each.code) for each in results_of(chosen, "lab10")}
    assert found["open-table"] == (0, "lab-hash-spreads-badly")
    assert found["open-grows"][0] == 0


# ---- examples ------------------------------------------------------------------------------------


def one_cell_more(board: Board, cell: str) -> Board:
    """Return a board with a hole or a peg that never changes, as far from the others as there is room."""
    text = "".join(format_board(board).split())
    alone = [cell for cell in product(range(SIZE), repeat=2) if _is_alone(board, *cell)]
    for row, col in alone[-1:]:
        text = f"{text[: SIZE * row + col]}{cell}{text[SIZE * row + col + 1 :]}"
    return parse_board("\n".join(text[at : at + SIZE] for at in range(0, SIZE * SIZE, SIZE)))


def _is_alone(board: Board, row: int, col: int) -> bool:
    return bool((board[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] == BLOCKED).all())


COPIES: dict[str, Callable[[Board], Board]] = {
    "copies": lambda board: board,
    "copies turned": lambda board: image_of(board, "r90"),
    "copies mirrored and turned": lambda board: image_of(board, "flip-r270"),
    "copies with a hole more": partial(one_cell_more, cell="o"),
    "copies with a peg more": partial(one_cell_more, cell="*"),
}
CAUGHT_BY = [
    "backtrack-solvable", "backtrack-three", "two-forks", "no-wrap-sides", "forced-stuck-two", "choice-middle",
    "needs-three-directions-b", "lopsided",
]  # fmt: skip


@pytest.mark.parametrize("how", COPIES)
def test_examples(how: str, tmp_path: Path) -> None:
    text = "boards:\n"
    for name in CAUGHT_BY:
        board = COPIES[how](find_board(name).board)
        truth = truth_of(board)
        assert truth is not None
        rows = "".join(f"      {line}\n" for line in format_board(board).splitlines())
        text += f"  {name}:\n    board: |\n{rows}    fewest: {truth.fewest}\n    forced: {str(truth.forced).lower()}\n"
    (tmp_path / "examples.yaml").write_text(text, "utf-8")
    # On one of these boards there is no jump to make; with another peg it is another one, and its claims are true.
    check_most(1 if "peg" in how else 0, "examples", tmp_path)


def check_most(most: int, task: str, folder: Path) -> None:
    """Check that a submission earns at most `most` points, and that this is no more than half."""
    assert 2 * most <= sum(check.points for check in registry().find(task).checks)
    results = results_of(Choice(folder), task)
    earned = {result.board: result.points for result in results if result.points}
    print(f"{task}: {sum(earned.values())} of {earned}")
    assert sum(earned.values()) <= most, earned


# ---- a table that is looked into beside a solution -----------------------------------------------


def test_a_jump_left_out_counts_only_with_a_solution() -> None:
    """That a board is missing is not enough: the judge must win from there."""
    board = find_board("lopsided").board
    known = Positions(board)
    near = beside(board, tuple(solution(known)), "test")
    lost = known.after.keys() - known.winning
    assert near.untried(known.after.keys()) == []
    assert near.untried(lost - {max(lost & near.near)})
    assert near.untrue(near.untried(lost - near.near)) is None
    for wins in known.winning.intersection(near.asked) - near.winning.keys():
        found = near.untrue(near.untried(lost | {wins}))
        assert found is None or found[0] == wins
        if wins in near.near:
            assert found is not None
