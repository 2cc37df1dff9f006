"""Say of each answer to a question of a viva whether it is true, by running the files in another way than the viva does.

Only for programs of the course, which run in a process of its own, line by line, on the question's board or on all
boards. That process is given the folder, the boards and the questions, each a dict of `kind`, `file`, `words`, `boards`
(as 64 cells), `lines` and `answers`.
"""

import dataclasses
import itertools
import json
import re
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

if __name__ == "__main__":
    sys.modules["numba"] = None  # type: ignore[assignment]  # then nothing is compiled

import numpy as np

from framework.board import SIZE, parse_board
from framework.hash_table import HashTable, ht_lookup, ht_new
from framework.jumps import parse_jump
from framework.stack import stack_new
from grader.judging.holes import Reachable
from grader.viva import question as viva
from support.plain_runs import calls_itself, in_a_process, is_students, load

LONG_S = 3.0  # CPU time after which a search of a small board goes on forever, or far too long
Question = dict[str, Any]


def truths(folder: Path, boards: Sequence[str], questions: Sequence[viva.Question]) -> list[list[bool]]:
    """Return for each question which of its answers are true, from a process of its own."""
    asked = [
        {
            **dataclasses.asdict(each),
            "answers": [answer.shown for answer in each.answers],
            "boards": [drawn.cells for drawn in each.boards],
            "shows": "",
        }
        for each in questions
    ]
    return in_a_process(Path(__file__), "-O", given=[str(folder.resolve()), boards, asked])


def _loaded(folder: Path, file: str) -> tuple[ModuleType, ModuleType]:
    return load(str(folder), file.removesuffix(".py"))


def _run(module: ModuleType, board: Any, table: HashTable | None = None) -> Any:
    tables = [table or ht_new(1)] if module.__name__ not in ("peg1", "peg2") else []
    return module.peg_solve(board, stack_new(), *tables)


# ---- which line does what --------------------------------------------------------------------------


class _Lines:
    """The lines of a search that do something, as `sys.settrace` shows them."""

    def __init__(self, folder: Path, file: str, function: str) -> None:
        self._module, self._client = _loaded(folder, file)
        self._path = str(folder / file)
        self._function = function
        self.found: dict[str, set[int]] = {}
        self._calls: list[dict[str, Any]] = []

    def search(self, cells: str) -> None:
        """Search a board, and note the lines."""
        board = parse_board(cells)
        self._known = Reachable(board)
        self._root, self._states, self._since = board, [board.tobytes()], list[int]()
        self._last, self._table = 0, ht_new(1)
        sys.settrace(self._trace)
        try:
            _run(self._module, board, self._table)
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, what: str, value: Any) -> Any:
        if frame.f_code.co_filename != self._path:
            return None
        self._look()
        if what == "call" and frame.f_code.co_name == self._function:
            self._begin(frame)
        elif what == "return" and frame.f_code.co_name == self._function:
            self._end(frame)
        self._last = frame.f_lineno
        return self._trace

    def _look(self) -> None:
        """Note what the last line did to the board."""
        now = self._root.tobytes()
        if now == self._states[-1] and not self._since:
            return
        self._since.append(self._last)
        different = sum(one != other for one, other in zip(now, self._states[-1], strict=True))
        if different == 3:
            back = len(self._states) > 1 and now == self._states[-2]
            self.found.setdefault("back" if back else "play", set()).update(self._since)
            self._states = self._states[:-1] if back else [*self._states, now]
            self._since = []

    def _begin(self, frame: FrameType) -> None:
        values = list(frame.f_locals.values())
        board = next(each for each in values if isinstance(each, np.ndarray) and each.shape == (SIZE, SIZE))
        if self._calls:
            self._calls[-1]["children"] += 1
            above = frame.f_back
            while above is not None and above.f_code.co_filename != self._path:
                above = above.f_back
            self.found.setdefault("deeper", set()).add(above.f_lineno if above else 0)
        key = self._client.board_key(board)
        self._calls.append(
            {
                "position": sum(
                    1 << cell for cell, what in enumerate(board.reshape(-1).tolist()) if what == 1
                ),
                "known": bool(ht_lookup(self._table, key)),
                "children": 0,
            }
        )

    def _end(self, frame: FrameType) -> None:
        call = self._calls.pop()
        position = call["position"]
        if position.bit_count() == 1:
            role = "solved"
        elif call["known"]:
            role = "found"
        elif position in self._known.winning:
            role = "win"
        else:
            role = "give up"
            if not call["children"] and self._known.after[position]:
                return  # by another rule
        self.found.setdefault(role, set()).add(frame.f_lineno)


def _of_lines(folder: Path, boards: Sequence[str], question: Question) -> list[bool]:
    kept = (question["file"], calls_itself((folder / question["file"]).read_bytes()) or "peg_solve")
    if kept not in LINES:
        LINES[kept] = _Lines(folder, *kept)
        for board in boards:
            LINES[kept].search(board)
    there = LINES[kept].found.get(question["kind"].removeprefix("line: "), set())
    return [int(shown.partition(":")[0]) in there for shown in question["answers"]]


LINES: dict[tuple[str, str], _Lines] = {}


# ---- what is called, and what a change does ----------------------------------------------------------


def _most_called(folder: Path, boards: Sequence[str], question: Question) -> list[bool]:
    module, _ = _loaded(folder, question["file"])
    calls = Counter[str]()

    def note(frame: FrameType, what: str, value: Any) -> None:
        if what == "call" and is_students(frame.f_code.co_filename):
            calls[frame.f_code.co_name] += 1

    sys.setprofile(note)
    _run(module, parse_board(question["boards"][0]))
    sys.setprofile(None)
    most = max(calls[shown] for shown in question["answers"])
    return [calls[shown] == most for shown in question["answers"]]


def _swapped(folder: Path, boards: Sequence[str], question: Question) -> list[bool]:
    one, two = (number for number, _ in question["lines"])
    source = (folder / question["file"]).read_bytes().decode("utf-8-sig").splitlines()
    source[one - 1], source[two - 1] = source[two - 1], source[one - 1]
    cells = question["boards"][0]
    before = _outcome(folder, question["file"], cells)
    with tempfile.TemporaryDirectory() as changed:
        for file in folder.glob("*.py"):
            (Path(changed) / file.name).write_bytes(file.read_bytes())
        (Path(changed) / question["file"]).write_text("\n".join(source), "utf-8")
        after = _outcome(Path(changed), question["file"], cells)
    return [_is_said(shown, before, after) for shown in question["answers"]]


class _Long(Exception):
    """The search goes on and on."""


def _outcome(folder: Path, file: str, cells: str) -> tuple[str, Any, bytes]:
    """Return how a search ends, what it returns, and the board after it."""

    def stop(*_: object) -> None:
        raise _Long

    board = parse_board(cells)
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONG_S)
    try:
        number = _run(_loaded(folder, file)[0], board)
    except _Long:
        return "long", None, b""
    except Exception:
        return "error", None, b""
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return "returns", number, board.tobytes()


def _is_said(shown: str, before: tuple[str, Any, bytes], after: tuple[str, Any, bytes]) -> bool:
    """Return whether a sentence is true of a changed program, read as its words are."""
    end, number, board = after
    if shown.startswith("the program fails"):
        return end == "error"
    if "forever" in shown:
        return end == "long"
    if "something else" in shown:
        return end == "returns" and number != before[1]
    said = re.search(r"returns (\d+)", shown)
    assert said
    left = board != before[2] if "another board" in shown else board == before[2] and "leaves" in shown
    return end == "returns" and number == int(said[1]) and ("leaves" not in shown or left)


# ---- the client --------------------------------------------------------------------------------------


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _of_client(folder: Path, boards: Sequence[str], question: Question) -> list[bool]:
    _, client = _loaded(folder, "client.py")
    return [CLIENT[question["kind"]](client, question, shown) for shown in question["answers"]]


def _parts(client: ModuleType, question: Question, shown: str) -> bool:
    move = int(re.findall(r"`(-?\d+)`", question["words"])[0])
    jump = parse_jump(shown)
    apart = tuple(getattr(client, part)(move) for part in ("row_start", "col_start", "row_end", "col_end"))
    return apart == jump or client.move_new(*jump) == move


def _chain(client: ModuleType, question: Question, shown: str) -> bool:
    key = int(re.findall(r"`(-?\d+)`", question["words"])[0])
    return int(shown.split()[1]) == client.key_hash(key) & 7


CLIENT: dict[str, Callable[[ModuleType, Question, str], bool]] = {
    "move_new": lambda client, question, shown: (
        client.move_new(*map(int, re.findall(r"\d", question["words"]))) == _number(shown)
    ),
    "parts of a move": _parts,
    "board_key": lambda client, question, shown: (
        client.board_key(parse_board(question["boards"][0])) == _number(shown)
    ),
    "same key": lambda client, question, shown: (
        client.board_key(parse_board(question["boards"][0])) == client.board_key(parse_board(shown))
    ),
    "chain of a key": _chain,
}


def _direction(folder: Path, boards: Sequence[str], question: Question) -> list[bool]:
    """Return which cells a jump in that direction lands on."""
    rules, _ = _loaded(folder, "peg1.py")
    row, col, number = map(int, re.findall(r"\d", question["words"]))
    board = parse_board("o" * 64)
    for cell in ((row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        board[cell] = 1
    before = board.copy()
    rules.play(board, row, col, number)
    [lands] = [f"{at[0]}:{at[1]}" for at in itertools.product(range(8), repeat=2) if board[at] > before[at]]
    return [shown == lands for shown in question["answers"]]


def _of(kind: str) -> Callable[[Path, Sequence[str], Question], list[bool]] | None:
    if kind.startswith("line: "):
        return _of_lines
    if kind in CLIENT:
        return _of_client
    return {"called most": _most_called, "lines swapped": _swapped, "direction": _direction}.get(kind)


def is_known(kind: str) -> bool:
    """Return whether the answers to a kind of question can be run here."""
    return _of(kind) is not None


def main() -> None:
    """Answer the questions."""
    folder, boards, questions = json.load(sys.stdin)
    found = []
    for question in questions:
        judge = _of(question["kind"])
        assert judge is not None
        found.append(judge(Path(folder), boards, question))
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
