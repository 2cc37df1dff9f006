"""Check client.py: moves must unpack to what was packed, keys must be distinct, and hashes must spread.

Questions are made here and verdicts in client_verdicts.py, on the judge's side; the child only runs the
functions.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from framework.board import SIZE
from framework.jumps import Jump
from grader.catalog.boards import NamedBoard, course_boards
from grader.catalog.tasks import Asked, Registry, Task
from grader.judging.holes import Holes, possible_jumps
from grader.judging.kinds.client_verdicts import judge_hashes, judge_integers, judge_keys, judge_moves
from grader.judging.kinds.kind import Kind, chance_order, depends_on_more, in_own_order, ruled
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import ClientAnswer

# Where play begins, after the seed of its random jumps. No variant moves these: it keeps the pages' figures.
HASH_BOARDS = {"english": "english", "french1": "french1", "french2": "french@0,2", "french3": "french@1,3"}
POSITIONS = 20_000  # boards of a check, for compiled code
AGAIN = 7  # every 7th board is asked about again
LARGER = 200  # boards of 64 holes that are hashed too, but not in the lookups that are counted
DEBUG_POSITIONS = 300  # boards of a check, for plain Python


class Client(Kind):
    """The checks of client.py; none of them uses a board of a task."""

    takes_boards = False
    is_search = False
    asks_other_functions = True
    answer_bytes = 4 << 20  # the keys and hashes of 50,000 boards

    def request(self, asked: Asked) -> dict[str, Any]:
        """Ask for moves, for keys, or for keys and their hashes."""
        name = asked.check.board
        if name == "moves":
            jumps = possible_jumps()
            return question([jumps[each] for each in _order(asked, len(jumps))], [], False)
        texts = _texts(asked)
        return question([], [texts[each] for each in _order(asked, len(texts))], name == "hash")

    def more_requests(self, asked: Asked, answer: ClientAnswer) -> list[dict[str, Any]]:
        """Ask to unpack the moves that were made, or for the keys of some boards again in another order."""
        if asked.check.board == "moves":
            made = in_own_order(answer.made, _order(asked, len(answer.made)))
            return [question([], [], False, [made[each] for each in _order(asked, len(made), "unpack")])]
        texts = _texts(asked)[::AGAIN]
        again = [texts[each] for each in chance_order(len(texts), "again")]
        hashed = asked.check.board == "hash"
        # Their keys have the highest bit, the sign; a loop over the bits of a key may never end.
        larger = board_texts("keys", 0)[-LARGER:] if hashed else []
        return [question([], again + larger, hashed)]

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        """Ask for every move, and for the keys and hashes of a few boards."""
        return question(possible_jumps(), board_texts("hash", DEBUG_POSITIONS), True)

    def parse(self, loaded: dict[str, Any]) -> ClientAnswer:
        return answers.parse_client_answer(loaded)

    def judge(self, asked: Asked, answer: ClientAnswer, result: Result) -> Result:
        name = asked.check.board
        if name == "moves":
            return result  # judged once they are unpacked
        texts = _texts(asked)
        if len(answer.keys) != len(texts) or (name == "hash" and len(answer.hashes) != len(texts)):
            return ruled(result, Verdict.BAD_RETURN, say("other-question", function="board_key"))
        if name == "keys":
            return judge_keys(texts, in_own_order(answer.keys, _order(asked, len(texts))), result)
        return judge_hashes(answer.hashes, result)

    def tried(
        self, asked: Asked, answer: ClientAnswer, more: Sequence[ClientAnswer], result: Result
    ) -> Result:
        """Compare each move with its unpacked copy, or both answers for each board asked about twice."""
        (second,) = more
        if asked.check.board == "moves":
            made = in_own_order(answer.made, _order(asked, len(answer.made)))
            unpacked = in_own_order(second.moves, _order(asked, len(second.moves), "unpack"))
            return judge_integers(made, judge_moves(unpacked, result, made))
        if result.verdict != Verdict.ACCEPTED:
            return result
        for what, first, again in (
            ("board_key", answer.keys, second.keys),
            ("key_hash", answer.hashes, second.hashes),
        ):
            first = in_own_order(first, _order(asked, len(first)))[::AGAIN]
            if [first[each] for each in chance_order(len(first), "again")] != again[: len(first)]:
                return depends_on_more(what, result)
        return result

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Report a failed check `hash` as not run if keys collide, since equal keys always share a chain."""
        collide = any(each.board == "keys" and each.verdict == Verdict.WRONG_ANSWER for each in results)
        told = say("needs", needs="keys", write=False)
        return [
            ruled(replace(each, answer=told.message), Verdict.NOT_RUN, told)
            if collide and each.board == "hash" and each.verdict == Verdict.WRONG_ANSWER
            else each
            for each in results
        ]

    def slow(self, asked: Asked) -> Message:
        return self.loop_help(asked.task)

    def loop_help(self, task: Task) -> Message:
        return say("client-slow")


def question(made: list[Jump], boards: list[str], hashed: bool, moves: Sequence[int] = ()) -> dict[str, Any]:
    """Return the question that makes moves, keys of boards and perhaps their hashes, and unpacks `moves`."""
    return {"kind": "client", "made": made, "moves": moves, "boards": boards, "hash": hashed}


def _texts(asked: Asked) -> list[str]:
    """Return the boards of a check."""
    return board_texts(asked.check.board, DEBUG_POSITIONS if asked.debug else POSITIONS)


def _order(asked: Asked, count: int, what: str = "") -> Sequence[int]:
    """Return an order of `count` questions; in plain Python it is fixed, so each run shows the same fault."""
    return range(count) if asked.debug else chance_order(count, what or asked.check.board)


@cache
def board_texts(name: str, count: int) -> list[str]:
    """Return the boards of the check called `name`, no two alike, in an order that does not matter.

    The check `hash` has positions from random play on four boards of the course. The check `keys` has half as
    many of those, then 8 x 8 boards that are full, lack one peg or two, or have just one. These expose a
    key that ignores a cell.
    """
    each = count // len(HASH_BOARDS)
    texts = [text for seed, board in HASH_BOARDS.items() for text in _positions_in_play(board, each, seed)]
    if name == "hash":
        return texts
    cells = range(SIZE * SIZE)
    full = ["*"] * len(cells)
    almost_full = [full]
    for first in cells:
        for second in range(first, SIZE * SIZE):
            board = full.copy()
            board[first] = board[second] = "o"
            almost_full.append(board)
    one_peg = [["*" if cell == peg else "o" for cell in cells] for peg in cells]
    return texts[: count // 2] + ["".join(board) for board in almost_full + one_peg]


def _positions_in_play(name: str, count: int, seed: str) -> list[str]:
    """Return `count` different positions from random play on a board, always the same ones."""
    named = course_boards().find(name)
    assert named is not None
    holes = Holes(named.board)
    rng = random.Random(seed)
    positions: dict[int, None] = {}
    while len(positions) < count:
        board = holes.start
        while legal := [cells for cells, pegs, _ in holes.jumps if board & cells == pegs]:
            board ^= rng.choice(legal)
            positions[board] = None
    return [holes.text(board) for board in list(positions)[:count]]
