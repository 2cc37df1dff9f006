"""The made class is what its docstring says, and what it expects is what the grader gives."""

import ast
import contextlib
import csv
import threading
from collections import Counter
from pathlib import Path

import pytest
import yaml

from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging.grading import Choice, Grading
from grader.result import Verdict
from grader.sandbox.confine import tiers
from grader.sandbox.parent.sandbox import Sandbox
from support.made_class import ABSENT, FILES, TASKS, MadeClass, attacks, make_class, measured, mutants
from support.made_styles import STYLES, program
from support.side_by_side import a_place_to_grade
from support.zoo_rows import read_row

pytestmark = pytest.mark.slow

FULL = {"client": 10, "peg1": 15, "peg2": 20}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the regular files below a folder, but for those that are made to be too large."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    small = [path for path in files if path.stat().st_size < 1 << 20]
    return {str(path.relative_to(folder)): path.read_bytes() for path in small}


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> MadeClass:
    return make_class(tmp_path_factory.mktemp("thousand"), 1000, seed=1)


def test_the_mix_of_a_thousand(thousand: MadeClass) -> None:
    kinds = Counter(made.kind for made in thousand.made)
    assert (kinds["correct"], kinds["mutant"], kinds["attack"]) == (547, 200, 50)
    assert {kinds[kind] for kind in kinds if kind not in ("correct", "mutant", "attack")} == {29}
    assert len(kinds) == 10
    made_from = Counter(made.of for made in thousand.made if made.kind in ("correct", "mutant", "attack"))
    assert made_from.keys() >= STYLES.keys() | mutants().keys()
    assert min(made_from[style] for style in STYLES) >= 27
    assert {path.name for path in thousand.submissions.iterdir()} == {made.student for made in thousand.made}
    with thousand.roster.open(encoding="utf-8", newline="") as lines:
        listed = [row["id"] for row in csv.DictReader(lines)]
    assert listed == sorted(thousand.expected)
    assert len(listed) == 1000 + ABSENT


def test_no_two_are_the_same_but_the_duplicates(thousand: MadeClass) -> None:
    of = {made.student: made for made in thousand.made}
    owners: dict[tuple[str, bytes], list[str]] = {}
    for student in of:
        for name, text in contents(thousand.submissions / student).items():
            if name in FILES and text:
                owners.setdefault((name, text), []).append(student)
    for first, *more in owners.values():
        originals = {of[each].of if of[each].kind == "duplicate" else each for each in (first, *more)}
        assert len(originals) == 1
    copied = [made for made in thousand.made if made.kind == "duplicate"]
    for made in copied:
        assert contents(thousand.submissions / made.student) == contents(thousand.submissions / made.of)


def test_the_same_arguments_give_the_same_files(tmp_path: Path) -> None:
    seeds = {"a": 7, "b": 7, "c": 8}
    first, second, other = (make_class(tmp_path / name, 30, seed) for name, seed in seeds.items())
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert (first.made, first.expected) == (second.made, second.expected)
    assert first.made != other.made


def test_points_follow_from_the_files(thousand: MadeClass) -> None:
    """All points for a task whose files are all there, are Python and are no stubs; else none."""
    for made in thousand.made:
        if made.kind not in ("mutant", "attack", "duplicate"):
            folder = thousand.submissions / made.student
            for task in TASKS:
                written = all(is_written(folder / name) for name in registry().find(task).files)
                assert thousand.expected[made.student][task] == (FULL[task] if written else 0), made


def is_written(file: Path) -> bool:
    if not file.exists():
        return False
    text = file.read_text("utf-8-sig")
    with contextlib.suppress(SyntaxError):
        ast.parse(text)
        return "TODO(" not in text
    return False


@pytest.mark.parametrize("name", STYLES)
def test_style_is_python(name: str) -> None:
    sources = program(name)
    assert sources.keys() >= {*FILES, "peg3.py"}
    for file, text in sources.items():
        compile(text.removeprefix("\ufeff"), file, "exec")


def test_styles_are_different() -> None:
    peg1 = {program(name)["peg1.py"] for name in STYLES}
    assert len(peg1) == len(STYLES) == 20


def test_measured_points_agree_with_what_is_known_of_single_boards() -> None:
    """A fault loses at least the boards that are said to catch it, an attack those where it is not accepted."""
    rows = measured()
    assert rows["mutants"].keys() == mutants().keys()
    assert rows["attacks"].keys() == set(attacks())
    for name, points in rows["mutants"].items():
        task, _, short = name.partition(":")
        caught = yaml.safe_load((Path(__file__).parent / "mutants" / f"{task}.yaml").read_text("utf-8"))
        check_bounds(task, points[task], caught[short]["caught_on"])
        for earlier in TASKS[: TASKS.index(task)]:
            assert points[earlier] == FULL[earlier], name
    for name, points in rows["attacks"].items():
        row = read_row(name)
        check_bounds(row["task"], points[row["task"]], row["expect"])
    assert any(0 < points["peg2"] < FULL["peg2"] for points in rows["mutants"].values())


def check_bounds(task: str, points: int, verdicts: dict[str, str]) -> None:
    checks = {check.name: check.points for check in registry().find(task).checks}
    failed = [board for board, verdict in verdicts.items() if verdict != Verdict.ACCEPTED]
    lost = (1 if verdicts[board] == "points lost" else checks.get(board, 0) for board in failed)
    assert 0 <= points <= FULL[task] - sum(lost)


def test_the_grader_gives_what_is_expected(
    tmp_path: Path, private_cache: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = make_class(tmp_path, 11, seed=1, tasks=["peg1"])
    assert len({each.kind for each in made.made}) == 10
    task = registry().find("peg1")
    found = {}
    with (
        a_place_to_grade(tmp_path, tmp_path_factory.mktemp("tmp")),
        Sandbox(min(2, tiers.best()), False, threading.Event(), many=True) as sandbox,
    ):
        if sandbox.forks:
            sandbox.zygote()  # it ends with the thread that starts it
        for each in made.made:
            choice = Choice(made.submissions / each.student, tier=sandbox.tier)
            try:
                results = Grading(choice, registry(), lambda *_: None, sandbox).results([task])
            except InputError:  # no file of it can be read
                results = []
            found[each.student] = {"peg1": sum(result.points for result in results)}
    absent = {student: {"peg1": 0} for student in made.expected if student not in found}
    assert len(absent) == ABSENT
    assert found | absent == made.expected
