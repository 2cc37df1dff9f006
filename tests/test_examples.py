"""Students' own boards: what is true of them, which bugs they catch, and what is said about bad ones."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from framework.arrays import np
from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, format_board, parse_board
from grader import paths
from grader.catalog import example_file
from grader.catalog.boards import find_board
from grader.catalog.example_file import Claims, Example
from grader.catalog.images import image_of
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging.examples import catching
from grader.judging.examples.bugs import BUGS, FAULTLESS, Kind
from grader.judging.examples.catching import answers as answers_to
from grader.judging.examples.catching import catches, fits, judged_set, truth_of, wrong_claims
from grader.judging.examples.program import Answer, End, answer
from grader.judging.examples.rules import JumpsOf, number_of
from grader.judging.grading import Choice
from grader.making.random_boards import random_board, random_forced_board
from grader.messages.catalogue import entries, hints_for, say
from grader.result import Result, Verdict
from support.bugs_of_mutants import ALIKE, NONE, SAME
from support.grading import results_of
from support.made_styles import STYLES
from support.made_styles import program as style
from support.plain_runs import Program, answers
from support.sampling import every
from test_mutants import MUTANTS

TASK = registry().find("examples")
FILE = Path("student/examples.yaml")
CLASSIC = ("english", "french1", "french2", "french3")
OWN = parse_board("\n".join(["." * SIZE] * 3 + [".o**o..."] + ["." * SIZE] * 4))  # not one of the course


def example(board: Board, claims: Claims | None = None) -> Example:
    """Return a board of which everything true is said."""
    if claims is None:
        truth = truth_of(board)
        assert truth is not None
        claims = Claims(truth.solvable, truth.fewest, truth.forced)
    return Example("x", board, claims)


def written(*boards: Board, claims: str = "fewest: 1") -> str:
    """Return a student's file with these boards, all with the same claims."""
    entries = []
    for number, board in enumerate(boards, 1):
        rows = "".join(f"      {line}\n" for line in format_board(board).splitlines())
        entries.append(f"  b{number}:\n    board: |\n{rows}    {claims}\n")
    return "boards:\n" + "".join(entries)


def graded(text: str, place: Path) -> list[Result]:
    """Return the results of a student's file."""
    student = place / "student"
    student.mkdir(exist_ok=True)
    (student / "examples.yaml").write_text(text, "utf-8")
    return results_of(Choice(student), TASK.name)


def board_of(name: str) -> Board:
    return find_board(name).board


# ---- the simulated programs --------------------------------------------------------------------

NAMED = {bug.name: bug for bug in BUGS}


def test_every_mutant_of_a_search_has_a_bug_or_a_reason() -> None:
    tasks = ("peg1", "peg2", "peg3", "peg4", "peg5")
    tables = [*SAME, *ALIKE, *NONE]
    assert len(set(tables)) == len(tables) and set(tables) <= MUTANTS.keys()
    assert {name for name in MUTANTS if name.partition(":")[0] in tasks} <= set(tables)
    assert {*SAME.values(), *(bug for bug, _ in ALIKE.values())} <= NAMED.keys()


def fault_of(mutant: str, place: Path) -> Program:
    """Return a mutant as a program that solves any board: a fault of the rules or the client in peg2 or peg3."""
    chosen = MUTANTS[mutant]
    folder = place / mutant.replace(":", "-")
    folder.mkdir()
    for file in paths.REFERENCE.glob("*.py"):
        source = file.read_text("utf-8")
        (folder / file.name).write_text(
            chosen.mutated(source) if file.name == chosen.file else source, "utf-8"
        )
    own = {"client.py": "peg3", "peg1.py": "peg2"}.get(chosen.file, chosen.task)
    module = "peg1" if NAMED[SAME[mutant]].forced else own
    return Program(str(folder), module, module not in ("peg1", "peg2"))


def small_boards(forced: int, others: int, seed: int) -> list[Example]:
    """Return boards of a few pegs, anywhere on the 8 x 8 cells: some that never leave a choice, and others."""
    chance = Random(seed)
    found: dict[bool, list[Example]] = {True: [], False: []}
    while len(found[True]) < forced or len(found[False]) < others:
        one = example(small_board(chance))
        found[bool(one.claims.forced)].append(one)
    return found[True][:forced] + found[False][:others]


def small_board(chance: Random) -> Board:
    board = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
    height, width = chance.randint(2, 5), chance.randint(3, 5)
    top = chance.choice([0, SIZE - height, chance.randint(0, SIZE - height)])
    left = chance.choice([0, SIZE - width, chance.randint(0, SIZE - width)])
    cells = [(top + row, left + col) for row in range(height) for col in range(width)]
    for cell in chance.sample(cells, max(4, len(cells) - 3)):
        board[cell] = EMPTY
    holes = list(zip(*(board == EMPTY).nonzero(), strict=True))
    for cell in chance.sample(holes, chance.randint(2, min(7, len(holes)))):
        board[cell] = PEG
    return parse_board(format_board(board))


def said_by(found: list[Any] | None) -> Answer:
    """Return what a real program answered, as of a simulated one."""
    if found is None:
        return Answer(End.CRASHED)
    number, jumps, board = found
    return Answer(End.ANSWERED, number, tuple(map(tuple, jumps)), number_of(parse_board(board)))


@pytest.mark.parametrize("mutant", every(9, SAME))
def test_a_simulated_program_answers_as_the_mutant_does(mutant: str, tmp_path: Path) -> None:
    """On small boards: the same number, and caught or not."""
    bug = NAMED[SAME[mutant]]
    boards = [board for board in small_boards(15, 25, seed=1) if board.claims.forced or not bug.forced]
    (found,) = answers([fault_of(mutant, tmp_path)], [format_board(board.board) for board in boards])
    different = []
    for board, real in zip(boards, map(said_by, found), strict=True):
        number = number_of(board.board)
        mine = answer(bug.program, number, JumpsOf(bug.program.rules, number))
        same = fits(mine, board, bug.exact) == fits(real, board, bug.exact)
        if bug.exact and mine.end == real.end == End.ANSWERED:
            same &= mine.number == real.number
        if not same:
            different.append(f"{mine} {real}\n{format_board(board.board)}")
    assert different == []


@pytest.mark.slow
def test_no_style_is_caught(tmp_path: Path) -> None:
    """Twenty right programs for peg1, peg2 and peg3, as different students write them."""
    names = [
        "forced-relay",
        "forced-stuck-two",
        "two-forks",
        "choice",
        "no-wrap-sides",
        "needs-four-directions",
    ]
    boards = [*map(example, map(board_of, names)), *small_boards(5, 10, seed=2)]
    for name in STYLES:
        folder = tmp_path / name
        folder.mkdir()
        for file, text in style(name).items():
            (folder / file).write_text(text, "utf-8", newline="")
    for task in ("peg1", "peg2", "peg3"):
        asked = [board for board in boards if task != "peg1" or board.claims.forced]
        programs = [Program(str(tmp_path / name), task, task == "peg3") for name in STYLES]
        texts = [format_board(board.board) for board in asked]
        for name, found in zip(STYLES, answers(programs, texts), strict=True):
            wrong = [
                format_board(board.board)
                for board, said in zip(asked, map(said_by, found), strict=True)
                if not fits(said, board, exact=True)
            ]
            assert wrong == [], (name, task)


def random_example(number: int) -> Example:
    """Return a random board, and something true of it; every other one is of the kind without a choice."""
    made = random_forced_board(7, number) if number % 4 == 0 else random_board(7, number)
    chance = Random(number)
    truth = made.truth
    claims = {"solvable": truth.solvable, "fewest": truth.fewest, "forced": truth.forced}
    said = chance.sample(sorted(claims), chance.randint(1, 3))
    return example(
        made.board, Claims(**{field: claims[field] if field in said else None for field in claims})
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "numbers",
    [range(1, 101), pytest.param(range(101, 10_001), marks=pytest.mark.whole)],
    ids=["100", "10000"],
)
def test_nothing_true_is_refused(numbers: range) -> None:
    """What the exact engine says of random boards is true, and no right program is caught."""
    for number in numbers:
        one = random_example(number)
        truth = truth_of(one.board)
        assert truth is not None, f"random board {number} is too large"
        assert wrong_claims(one.claims, truth) == [], number
        assert catches(one, FAULTLESS) == frozenset(), number


@pytest.mark.whole
def test_the_classic_boards_miss_many_bugs() -> None:
    """They are too large to be examples, but the programs can be run on them, as long as they are not slow."""
    caught = set()
    for name in CLASSIC:
        named = find_board(name)
        one = example(named.board, Claims(named.facts.solvable, named.facts.fewest, named.facts.forced))
        tried = answers_to(one, BUGS)
        caught |= {bug.name for bug, said in tried if said.end != End.SLOW and not fits(said, one, bug.exact)}
    assert len(BUGS) - len(caught) >= 15
    assert caught


@pytest.mark.slow
def test_every_bug_can_be_caught() -> None:
    """By the boards of the reference."""
    judged = judged_set((paths.REFERENCE / "examples.yaml").read_text("utf-8"), FILE)
    assert [bug.name for bug in judged.missed] == []


# ---- what is said about a file -----------------------------------------------------------------


@pytest.mark.slow
def test_the_reference_earns_all_points() -> None:
    results = results_of(Choice(paths.REFERENCE), TASK.name)
    assert [result.board for result in results if not result.full] == []
    assert results[0].answer == "7 boards, all true"


def test_the_stub_is_not_written(tmp_path: Path) -> None:
    results = graded(Path("student/examples.yaml").read_text("utf-8"), tmp_path)
    assert {result.verdict for result in results} == {Verdict.NOT_WRITTEN}


@pytest.mark.parametrize(
    ("name", "claims", "id"),
    [
        ("two-forks", "solvable: true", "board-cannot-be-solved"),
        ("choice", "solvable: false", "board-can-be-solved"),
        ("choice", "fewest: 2", "board-can-be-solved"),
        ("plus", "fewest: 5", "fewer-can-be-left"),
        ("plus", "fewest: 3", "more-are-left"),
        ("choice", "forced: true", "play-leaves-a-choice"),
        ("forced-relay", "forced: false", "play-is-forced"),
    ],
)
def test_what_is_not_true(name: str, claims: str, id: str, tmp_path: Path) -> None:
    """It is said what is true, and the board is drawn; it catches nothing."""
    first, *others = graded(written(board_of(name), claims=claims), tmp_path)
    assert first.verdict == Verdict.WRONG_ANSWER
    fewest = first.facts["fewest"]
    assert first.message == say(id, board="b1", claim=claims, fewest=fewest).message
    assert first.code == "wrong-claims" and [each.caption for each in first.pictures] == ["b1"]
    assert {result.answer for result in others} == {f"0 of {len(BUGS)} bugs"}
    assert "not true" in others[0].message


def test_boards_that_are_the_same(tmp_path: Path) -> None:
    """A board counts once; an image counts, and it is said that it is one, also if it was moved."""
    moved = parse_board(format_board(np.roll(np.asarray(OWN), 2, axis=0)))
    _, result, *_ = graded(written(OWN, OWN, image_of(OWN, "r90"), moved), tmp_path)
    lines = result.message.splitlines()
    assert "same as b1" in lines[3]
    assert result.facts["images"] == ["b3 (b1)", "b4 (b1)"]


def test_more_boards_than_count(tmp_path: Path) -> None:
    boards = [board_of(name) for name in ("one-jump", "one-jump-up", "one-jump-left", "one-jump-down")]
    text = written(*boards, *boards, board_of("german"))
    _, result, *_ = graded(text, tmp_path)
    assert "only the first 8 of 9 boards count" in result.message


def test_a_board_that_is_too_large(tmp_path: Path) -> None:
    first, result, *_ = graded(written(board_of("english")), tmp_path)
    assert (first.code, first.facts) == ("boards-too-large", {"most": 5_000, "boards": ["b1"]})
    assert "too large" in result.message.splitlines()[2]


@pytest.mark.slow
def test_a_board_that_is_too_slow(tmp_path: Path) -> None:
    """What is said of it may be true, but the programs with a bug take too long; other boards count."""
    slow = board_of("lab-15").copy()
    slow[1, 2] = EMPTY
    text = written(slow, OWN, claims="forced: false")
    first, result, *_ = graded(text, tmp_path)
    assert first.verdict == Verdict.ACCEPTED
    rows = result.message.splitlines()
    assert rows[2].split() == ["b1", "a", "choice", "too", "slow", "0", "0"]
    assert int(rows[3].split()[-1]) > 0
    assert result.facts["slow"] == ["b1"]


@pytest.mark.parametrize(
    ("name", "known"), [("b1", True), ("english", False), ("b", False), ("../b1", False), ("claims", False)]
)
def test_a_board_by_its_name(name: str, known: bool, tmp_path: Path) -> None:
    """A name of the course's means the course's; any other name stays as it is."""
    graded(written(board_of("one-jump")), tmp_path)
    student = tmp_path / "student"
    found = example_file.full_name(name, student, ["english", "claims"])
    assert found == (f"{student}/examples.yaml/{name}" if known else name)
    if known:
        assert (find_board(found).board == board_of("one-jump")).all()
        with pytest.raises(InputError, match="no board 'b2'"):
            find_board(f"{student}/examples.yaml/b2")


ONE = written(board_of("one-jump"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("boards: [", "student/examples.yaml:2:1: "),
        ("- 1\n", "student/examples.yaml: expected a mapping, found list"),
        (ONE + "more: 1\n", "student/examples.yaml:13: more: expected nothing beside boards"),
        ("boards: 3\n", "student/examples.yaml:1: boards: expected a mapping, found 3"),
        ("boards:\n  no: {solvable: true}\n", "student/examples.yaml:2: boards.False: expected a name, found False"),
        ("boards:\n  a b: {solvable: true}\n", "student/examples.yaml:2: boards.'a b': expected a name, found 'a b'"),
        ("boards:\n  a: {solvable: true}\n", "student/examples.yaml:2: boards.a.board: expected a text, found nothing"),
        (ONE.replace("fewest: 1", "fewest: two"), "student/examples.yaml:12: boards.b1.fewest: expected a whole number"),
        (ONE.replace("fewest: 1", "fewst: 1"), "student/examples.yaml:12: boards.b1.fewst: no field 'fewst'"),
        (ONE.replace("    fewest: 1\n", ""), "student/examples.yaml:2: boards.b1: expected something that you say"),
        (ONE.replace("* *", "* x"), "student/examples.yaml:3: boards.b1.board: line 4, column 7 of the board: expected"),
        (ONE.replace("*", "o"), "student/examples.yaml:3: boards.b1.board: the board has no peg"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nboards: {x: *b}\n", "student/examples.yaml:1:4: expected a value without & or *"),
        (ONE.replace("fewest: 1", "fewest: !!timestamp x"), "student/examples.yaml:12:13: expected a value without !"),
        (ONE.replace("fewest: 1", "fewest: 2001-01-01"), "student/examples.yaml:12: boards.b1.fewest: expected a whole number, found '2001-01-01'"),
        ("[" * 60, "student/examples.yaml:1:51: more than 50 levels deep"),
        ("[" * 2000, "student/examples.yaml"),  # or, since PyYAML 6.0.4, by its own limit
        ("boards:\n  a: 1\n  a: 2\n", "student/examples.yaml:3:3: 'a' appears twice"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(text: str, said: str, tmp_path: Path) -> None:
    """All checks say where, and what was expected; there is a hint."""
    results = graded(text, tmp_path)
    assert {result.answer for result in results} == {"cannot be read"}
    assert results[0].message.removeprefix(f"{tmp_path}/").startswith(said)
    assert results[0].help
    assert hints_for(results[0])[0].levels


# ---- hints -------------------------------------------------------------------------------------


def test_every_kind_of_bug_has_hints() -> None:
    topics = set(entries())
    assert {f"bugs-missed {kind}" for kind in Kind} <= topics
    assert {bug.kind for bug in BUGS} == set(Kind)


def test_the_hints_fit_the_bugs_that_are_missed(tmp_path: Path) -> None:
    result = graded(written(OWN), tmp_path)[1]
    judged = judged_set(written(OWN), FILE)
    missed = sorted({bug.kind for bug in judged.missed})
    assert len(missed) > 5
    given = hints_for(result)
    assert [hints.topic for hints in given] == [f"bugs-missed {kind}" for kind in missed]
    assert hints_for(result)[0] == given[0]


def test_a_file_that_is_not_in_the_form_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    real = catching.read_examples
    monkeypatch.setattr(catching, "read_examples", lambda *given: reads.append(given) or real(*given))
    for _ in range(3):
        with pytest.raises(InputError):
            judged_set("bords: once\n", FILE)
    assert len(reads) == 1
