"""What a film says in words: on every mutant and style of peg2 to peg4 it is true, as found by other means.

tests/facts/film_words.yaml has the sentences of each mutant on each board; `pytest --update-expected` writes it anew.
Each sentence is held against the events of a profile (tests/support/plain_runs.py), which shares nothing with the recorder, or against
the table itself, in which all positions of the board are looked up.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml

from framework.board import format_board, parse_board
from framework.jumps import legal_jumps, play_jump
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.film.tell import tell
from grader.judging.check_run import answer_of
from grader.judging.kinds import table_truth
from grader.judging.kinds.solve import question
from grader.sandbox.answers import parse_client_answer, parse_kept
from grader.sandbox.asking import Load
from grader.sandbox.confine import tiers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_submission
from support.idea_programs import with_ideas
from support.made_styles import STYLES, write_style
from support.plain_runs import calls_itself, profiled
from support.sampling import every
from support.side_by_side import copy_reference
from support.zoo_rows import make_folder
from test_mutants import MUTANTS

pytestmark = pytest.mark.slow  # each program is run twice on each board, in processes of their own

TASKS = ("peg2", "peg3", "peg4")
FACTS = Path(__file__).resolve().parent / "facts" / "film_words.yaml"
THOSE = {name: mutant for name, mutant in MUTANTS.items() if mutant.task in TASKS}
BOARDS = {"peg2": ("choice", "plus"), "peg3": ("choice", "plus", "lopsided"), "peg4": ("plus", "lopsided")}
SEARCH_AGAIN = ("peg3:asks-with-another-key", "peg3:random-hash")  # too long a profile on lopsided
# another run is another film
BY_LOT = {"peg3:random-hash": "key_hash", "peg4:last-jump-is-lost": "a jump was not searched"}
SECONDS = 600.0
NTH = 8  # only every eighth program is filmed, without --whole


@cache
def known_words() -> dict[str, dict[str, list[str]]]:
    return yaml.safe_load(FACTS.read_text("utf-8")) if FACTS.exists() else {}


def mutated(name: str, place: Path) -> Path:
    """Make the folder of a mutant."""
    folder = copy_reference(place / "student")
    file = folder / THOSE[name].file
    file.write_text(THOSE[name].mutated(file.read_text("utf-8")), "utf-8")
    return folder


def said(folder: Path, task: str, board: str) -> list[str]:
    told = tell(folder, registry().find(task), find_board(board), SECONDS)
    assert told.shown is not None
    return told.shown.words


@pytest.mark.parametrize("name", every(2 * NTH, THOSE))
def test_what_is_said_of_a_mutant(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    task = THOSE[name].task
    folder = mutated(name, tmp_path)
    boards = [board for board in BOARDS[task] if board != "lopsided" or name not in SEARCH_AGAIN]
    words = {board: said(folder, task, board) for board in boards}
    for board, lines in words.items():
        check(lines, folder, task, board, "solve", name)
    if request.config.getoption("--update-expected"):
        known = known_words() | {name: words}
        FACTS.write_text(
            yaml.safe_dump({each: known[each] for each in THOSE if each in known}, width=110), "utf-8"
        )
        known_words.cache_clear()
        return
    if name in BY_LOT:
        assert all(any(BY_LOT[name] in line for line in lines) for lines in words.values())
    else:
        assert words == known_words()[name]


RIGHT = (
    r"[\d,]+ of your [\d,]+ (calls|boards) searched a board that had already been searched.*",
    r"no board was searched twice: .*",
)


@pytest.mark.parametrize("name", every(2 * NTH, STYLES))
@pytest.mark.parametrize("task", ["peg2", "peg3"])
def test_nothing_else_is_said_of_a_right_program(name: str, task: str, tmp_path: Path) -> None:
    check_right(write_style(tmp_path / "student", name), task, ("choice", "plus"))


def test_nothing_else_is_said_of_a_right_peg4(tmp_path: Path) -> None:
    for folder in (paths.REFERENCE, with_ideas(tmp_path / "student")):
        check_right(folder, "peg4", ("choice", "plus", "lopsided"))


def check_right(folder: Path, task: str, boards: Sequence[str]) -> None:
    search = calls_itself((folder / f"{task}.py").read_bytes())
    for board in boards:
        lines = said(folder, task, board)
        assert [line for line in lines if not any(re.fullmatch(right, line) for right in RIGHT)] == []
        if search is not None:  # without one, test_film compares it with another search
            check(lines, folder, task, board, search)


# ---- by other means ------------------------------------------------------------------------------


@dataclass
class Call:
    """A call of a search, as sys.setprofile saw it."""

    cells: str
    children: list["Call"] = field(default_factory=list)
    # of its own board, then of those after jumps
    lookups: list[tuple[bool, str]] = field(default_factory=list)
    inserts_before: int = 0
    value: Any = None
    left_as: str = ""

    @property
    def pegs(self) -> int:
        return self.cells.count("*")

    @property
    def wins(self) -> bool:
        return self.value in (True, 1) or self.pegs == 1 or any(each.wins for each in self.children)

    @property
    def is_found(self) -> bool:
        return (True, self.cells) in self.lookups and not self.children

    @property
    def tried(self) -> set[str]:
        """The boards to which its jumps led, also where the table knew the board right after the jump."""
        known = {cells for found, cells in self.lookups if found}
        return {each.cells for each in self.children} | (known & self.after)

    @cached_property
    def after(self) -> set[str]:
        """The boards to which its jumps lead."""
        found = set()
        for jump in legal_jumps(parse_board(self.cells)):
            board = parse_board(self.cells)
            play_jump(board, jump)
            found.add("".join(format_board(board).split()))
        return found


@dataclass
class Seen:
    """What a profile saw of a program."""

    calls: list[Call]
    events: list[list[Any]]

    @property
    def again(self) -> int:
        searched: set[str] = set()
        count = 0
        for call in self.calls:
            if not call.is_found:
                count += call.cells in searched
                searched.add(call.cells)
        return count

    @property
    def given_up(self) -> list[Call]:
        return [call for call in self.calls if not call.wins and not call.is_found and call.left_as]

    def number(self, kind: str, *value: bool) -> int:
        return sum(event[: 1 + len(value)] == [kind, *value] for event in self.events)


def seen_of(events: list[list[Any]]) -> Seen:
    """Return the calls of a profile's events, which is not to be confused with a film."""
    calls: list[Call] = []
    open_calls: list[Call] = []
    for kind, *more in events:
        if kind == "call":
            call = Call(more[0])
            if open_calls:
                open_calls[-1].children.append(call)
            calls.append(call)
            open_calls.append(call)
        elif kind == "return":
            call = open_calls.pop()
            call.value, call.left_as = more[0], more[1]
            if call.value is None:  # no search returns nothing: it was unwound by an error
                call.left_as = ""
        elif open_calls and kind == "ht_lookup":
            open_calls[-1].lookups.append((more[0], more[1]))
        elif open_calls and not open_calls[-1].children:
            open_calls[-1].inserts_before += 1
    return Seen(calls, events)


def check(lines: list[str], folder: Path, task: str, board: str, search: str, name: str = "") -> None:
    """Hold each sentence of a film against what a profile of another run saw; fail for one that is not known."""
    if not lines or name in BY_LOT:
        return
    lines = [line for line in lines if not line.startswith("the program failed")]
    seen = seen_of(profiled(folder, task, board, search))
    for line in lines:
        number = [int(each.replace(",", "")) for each in re.findall(r"(?<!\w)\d[\d,]*", line)]
        if "calls searched a board that had already been searched" in line:
            assert number[:2] == [seen.again, len(seen.calls)], line
        elif line.startswith("no board was searched twice"):
            assert (seen.again, number[0]) == (0, seen.number("ht_lookup", True))
        elif line == "the table was never asked: no board was looked up":
            assert not any(kind == "ht_lookup" for kind, *_ in seen.events)
        elif line == "boards are looked up, but none is ever found":
            assert seen.number("ht_lookup", True) == 0 < seen.number("ht_lookup", False)
        elif line == "nothing was ever put into the table":
            assert seen.number("ht_insert") == 0
        elif line.startswith("no key that was looked up was ever inserted"):
            assert seen.number("ht_lookup", True) == 0 < seen.number("ht_insert")
        elif "that can win" in line or "the table is told of" in line:
            if "that can win" in line:
                assert number[-1] == winning_in_table(folder, task, board)
            if "told of" in line:
                told = [call for call in seen.calls if call.inserts_before > 0 and call.children]
                assert number[0] == len(told)
        elif "jumps are not taken back" in line:
            assert number[0] == sum(call.left_as != call.cells for call in seen.given_up)
        elif line.endswith("a jump was not searched") or line.startswith("only one jump is searched"):
            choices = [call for call in seen.given_up if len(call.after) > 1]
            if line.startswith("only one"):
                assert number == [len(choices)] and all(len(call.tried) == 1 for call in choices)
            else:
                assert number == [sum(len(call.tried) < len(call.after) for call in choices), len(choices)]
        else:
            pytest.fail(f"a sentence that nothing checks: {line}")


def winning_in_table(folder: Path, task_name: str, board_name: str) -> int:
    """Return how many positions that can win are in the table after another run, by looking all of them up."""
    task, board = registry().find(task_name), find_board(board_name)
    known = table_truth.positions(board.board)
    submission = read_submission(folder, task.files)
    load = Load(submission.clean_folder(), task.module, task.memory_mib, 1 << 22)
    of_table, *of_keys = table_truth.look_ups(
        question(board, task), [known.text(each) for each in known.after]
    )
    with Sandbox(tiers.best(), False, Event()) as sandbox, Runner(load, sandbox) as runner:
        kept = answer_of(runner.run(of_table, SECONDS), parse_kept)
        said = [answer_of(runner.run(each, SECONDS), parse_client_answer) for each in of_keys]
    keys = [each for each in said if each is not None]
    assert kept is not None
    found = table_truth.looked_up(kept, keys, len(known.after))
    assert found is not None
    return sum(
        bool(each) and position in known.winning for position, each in zip(known.after, found, strict=True)
    )


ELSEWHERE = {
    "good-plain-python": "peg3",
    "good-iterative": "peg2",
    "compiled-nested-recursion": "peg2",
    "hides-its-table": "peg3",
}


@pytest.mark.parametrize("row", ELSEWHERE)
def test_nothing_is_said_of_what_a_program_does_elsewhere(row: str, tmp_path: Path) -> None:
    """It remembers boards in a set of its own, or searches on lists of its own."""
    for line in said(make_folder(row, tmp_path), ELSEWHERE[row], "plus"):
        assert line.startswith(("the table was never asked", "no jump was seen")), line
