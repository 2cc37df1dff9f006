"""Whatever comes from a child or stands in a file, only the named errors are raised.

pytest tests/test_fuzz.py --fuzz 100000        that many frames, and as many files
pytest tests/test_fuzz.py --fuzz 100000 --fuzz-seed 7
"""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from framework.board import format_board
from grader import paths
from grader.catalog import boards
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, read_registry, registry
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.judge import Judge
from grader.judging.private_boards import PrivateBoards
from grader.reports.formats import FORMATS, IN_LOGS
from grader.reports.report import Report, for_students, render
from grader.result import Result, Verdict
from grader.sandbox.asking import End, Outcome
from grader.submissions.submission import Submission

ODD_NUMBERS = (0, -1, 2, 64, 65, 2**31, 2**63, -(2**63) - 1, 2**64, 10**19, 10**25, True, False, 1.5, 1e308)
ODD_TEXTS = (
    "", "\0", "\x1b[31mred", "\ud800", "é", "::add-mask::x", "a\n  ::error file=x::y",
    "x\r##[group]##vso[x]", "\x1b]0;peg3.py\x07", "\u202e\u2028\x85\x9b1m", "peg3.py", "peg3.py\n::x",
    "framework/stack.py", "../peg3.py", "=1+1", "<b>", "x" * 20_000, "nan", "[" * 50,
)  # fmt: skip
ODD_BYTES = (
    b"", b"{", b"[" * 100_000, b"\xff\xfe", b"1" * 5_000, b"null", b"NaN", b'{"answer": 1e999}',
    b'"' * 9,
)  # fmt: skip


class Fuzz:
    """Makes things that are nearly right, from a seed."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))

    def odd(self, depth: int = 0) -> Any:
        """Return some value of JSON, rarely the one that was expected."""
        kinds = 7 if depth < 4 else 4
        match self.random.randrange(kinds):
            case 0:
                return self.random.choice(ODD_NUMBERS)
            case 1:
                return self.random.choice(ODD_TEXTS)
            case 2:
                return None
            case 3:
                return self.random.randrange(-10, 70)
            case 4:
                return [self.odd(depth + 1) for _ in range(self.random.randrange(5))]
            case 5:
                return {self.random.choice(ODD_TEXTS): self.odd(depth + 1) for _ in range(3)}
            case _:
                deep: Any = []
                for _ in range(self.random.choice((10, 100, 400))):
                    deep = [deep]
                return deep

    def changed(self, value: Any) -> Any:
        """Return a copy of some JSON in which about one thing is odd."""
        if self.random.random() < 0.1:
            return self.odd()
        if isinstance(value, dict) and value:
            key = self.random.choice(list(value))
            copy = {**value, key: self.changed(value[key])}
            if self.random.random() < 0.1:
                del copy[key]
            if self.random.random() < 0.1:
                copy[self.random.choice(ODD_TEXTS)] = self.odd()
            return copy
        if isinstance(value, list) and value:
            copy_of = list(value)
            place = self.random.randrange(len(value))
            copy_of[place] = self.changed(value[place])
            if self.random.random() < 0.2:
                copy_of *= self.random.choice((0, 2, 30))
            return copy_of
        return self.odd() if self.random.random() < 0.5 else value

    def spoilt(self, data: bytes) -> bytes:
        """Return a copy of some bytes that is cut, or in which some are others."""
        made = bytearray(data)
        for _ in range(self.random.choice((0, 1, 1, 2, 20))):
            place = self.random.randrange(len(made) + 1)
            match self.random.randrange(5):
                case 0:
                    del made[place:]
                case 1:
                    made[place:place] = self.random.choice(ODD_BYTES)
                case 2:
                    made[place:place] = self.random.randbytes(3)
                case 3:
                    del made[place : place + self.random.randrange(30)]
                case _ if place < len(made):
                    made[place] = self.random.randrange(256)
        return bytes(made)


@pytest.fixture
def count(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--fuzz"))


@pytest.fixture
def fuzz(request: pytest.FixtureRequest) -> Fuzz:
    return Fuzz(request.config.getoption("--fuzz-seed"))


# ---- frames ------------------------------------------------------------------------------------

BOARD = find_board("choice")
FRAMES: tuple[dict[str, Any], ...] = (
    {
        "answer": 1,
        "jumps": [[3, 2, 3, 4], [1, 2, 3, 2], [2, 2, 2, 4]],
        "states": 12,
        "longest_chain": 3,
        "board": format_board(BOARD.board),
    },
    {"answer": 3, "jumps": [], "states": None, "longest_chain": None, "board": format_board(BOARD.board)},
    {"made": [1, 2, 3], "moves": [[3, 2, 3, 4]] * 3, "keys": [1, 2, 3], "hashes": [7, 8, 9]},
    *(
        {
            "failure": kind,
            "type": "ValueError",
            "text": "some text",
            "file": "peg3.py",
            "line": 2,
            "condition": "board is not None",
            "values": [["board", "x"], ["n", "3"]],
        }
        for kind in ("raise", "contract", "compile", "import", "return", "exit", "not-written", "top-level")
    ),
    {
        "failure": "slow", "type": "solve", "text": "1.5", "file": "peg3.py", "line": 1, "condition": "",
        "values": [["n", "3"]],
    },
    {
        "searches": [{"moves": [[1, 2, 3]], "size": 3, "capacity": 8, "probes": 4, "asked": 3, "kept": [3, 6, 0]}],
        "rounds": [{"said": ["0110", "1", "3"], "capacity": 8, "kept": [3, 6, 0]}] * 2, "first": [1, 2], "second": [1, 3],
    },
)  # fmt: skip


@pytest.mark.slow
def test_frames_raise_nothing(count: int, fuzz: Fuzz) -> None:
    """Nothing that a frame says breaks a report; of a hidden board a student reads what the verdict says."""
    tasks = [task for task in registry().tasks.values() if kinds.of(task).runs_programs]
    told: dict[tuple[object, ...], Result] = {}
    texts: dict[tuple[object, ...], str] = {}
    again = 0
    for number in range(count):
        frame = fuzz.changed(fuzz.random.choice(FRAMES))
        raw = json.dumps(frame).encode() if number % 3 else fuzz.spoilt(json.dumps(frame).encode())
        if number % 50 == 0:
            raw = fuzz.random.choice((fuzz.random.randbytes(200), *ODD_BYTES))
        task = fuzz.random.choice(tasks)
        judge = Judge(task, Submission("student", {"peg3.py": "one\ntwo\n"}), 2)
        check = replace(fuzz.random.choice(task.checks), points=3)
        board = BOARD if kinds.of(task).has_board(check) else None
        used_s = fuzz.random.random()
        outcome = Outcome(
            End.ANSWERED, raw, head=b"\x1b[31m\n::x\xff", cpu_s=used_s, wall_s=used_s, peak_mib=99 * used_s
        )
        result = judge.judge(Asked(check, board, task, bool(number % 2)), outcome)
        assert result.points == 0 or result.verdict == Verdict.ACCEPTED
        report = Report([task], [replace(result, hidden=True)], "student", verbose=True)
        shown = for_students(report)
        key = (task.name, result.verdict, result.points)
        assert told.setdefault(key, shown.results[0]) == shown.results[0]
        if number % 20 == 0:
            for format in FORMATS:
                check_is_safe(format, render(format, replace(report, results=[result])))
                text = render(format, shown)
                again += (key, format) in texts
                assert texts.setdefault((key, format), text) == text
    assert again > len(texts)


def check_is_safe(format: str, text: str) -> None:
    assert text.encode()
    assert all(character.isprintable() or character == "\n" for character in text)
    lines = text.splitlines()
    if format == "github":  # one result makes one command at most
        lines = lines[lines[0].startswith(("::error file=", "::notice file=")) :]
    if format != "html":  # which has style
        assert not any(
            line.lstrip().startswith(("::", "##")) and line[:3] not in ("## ", "###") for line in lines
        )
    if format in IN_LOGS:
        assert "##[" not in text and "##vso[" not in text
    if format in ("json", "gradescope", "classroom50"):
        decoded: list[str] = []
        json.loads(text, object_hook=lambda data: decoded.extend(map(str, data.values())))
        assert all(character.isprintable() or character == "\n" for each in decoded for character in each)


# ---- files -------------------------------------------------------------------------------------

INDEX = """schema: peg-boards/v1
boards:
  mine: {teaches: "x", solvable: true, fewest: 1, points: 2, cpu_s: 1.5, tasks: [peg2, peg3]}
  other: {solvable: true, pegs: 5}
vacancies:
  small: {full: mine, solvable: [[0, 0], [2, 2]], unsolvable: [[1, 1]], unsolvable_fewest: 2}
"""
TASKS = """schema: peg-tasks/v1
debug: {max_positions: 200, cpu_s: 10}
compile_boards: [plus]
tasks:
  peg1:
    title: a task
    kind: exact
    files: [client.py, peg1.py]
    table: false
    cpu_s: 2
    memory_mib: 1024
    handout: handouts/peg1.md
    hint: do this
    boards:
      - {board: one-peg, points: 1, cpu_s: 1}
      - {board: plus, points: 2, cpu_s: 1.5}
"""
ODD_YAML = ("~", ".nan", "-.inf", "1e400", "[]", "{}", "*a", "&a [*a]", "!!python/object:os.system", "0x10", "- a", "'",
            "2001-01-01", "1" * 400, "!!binary aaa", "&b {<<: *b}", "true", "-1", "? x", "\t", "%YAML 9", "---", ": :")  # fmt: skip


def spoilt_yaml(fuzz: Fuzz, text: str) -> bytes:
    """Return a YAML text in which some words are odd."""
    words = text.split(" ")
    for _ in range(fuzz.random.choice((1, 1, 2, 5))):
        words[fuzz.random.randrange(len(words))] = fuzz.random.choice(ODD_YAML)
    made = " ".join(words).encode()
    return fuzz.spoilt(made) if fuzz.random.random() < 0.3 else made


def read_index(folder: Path) -> None:
    index = PrivateBoards(folder)
    for name in [*index.names, "small@0,0", "small@7,7", "small@99,1", "mine+r90"]:
        boards.find_board(name, index)
    for task in registry().tasks.values():
        index.checks(task)


@pytest.mark.slow
def test_files_raise_only_input_errors(count: int, fuzz: Fuzz, tmp_path: Path) -> None:
    board = (paths.BOARDS / "choice.txt").read_bytes()
    for name in ("mine", "other"):
        (tmp_path / f"{name}.txt").write_bytes(board)
    index, tasks, lone = tmp_path / "index.yaml", tmp_path / "tasks.yaml", tmp_path / "lone.txt"
    readers: list[tuple[Path, Callable[[], bytes], Callable[[], object]]] = [
        (index, lambda: spoilt_yaml(fuzz, INDEX), lambda: read_index(tmp_path)),
        (tasks, lambda: spoilt_yaml(fuzz, TASKS), lambda: read_registry(tasks)),
        (lone, lambda: fuzz.spoilt(board), lambda: boards.read_board_file(lone)),
    ]
    refused = 0
    for number in range(count):
        file, make, read = readers[number % len(readers)]
        file.write_bytes(make())
        error = None
        try:
            read()
        except InputError as raised:
            error = raised
        if error is not None:
            refused += 1
            assert error.help
            assert len(error.message) < 2_000
    assert refused > count // 10


def test_a_file_that_unfolds_without_end_is_refused_at_once(tmp_path: Path) -> None:
    """Nine lists of nine times the list before: 9^9 items if they were written out."""
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    (tmp_path / "index.yaml").write_text("\n".join(lines) + "\nboards: *a9\n", "utf-8")
    with pytest.raises(InputError) as told:
        PrivateBoards(tmp_path)
    assert len(told.value.message) < 2_000
    for key in ("<<", "!!merge x"):
        lines = ["a0: &a0 {x: 1}"] + [
            f"a{n}: &a{n} {{{key}: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 6)
        ]
        (tmp_path / "index.yaml").write_text("\n".join(lines) + "\nboards: {}\n", "utf-8")
        with pytest.raises(InputError, match=r"index\.yaml:1:5: expected a value without & or \*"):
            PrivateBoards(tmp_path)
