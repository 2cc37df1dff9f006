"""The store of a class: what is kept comes back, whatever happens in between."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.course.records import Attempt, Student, format_result, parse_result
from grader.course.store import NAME, SCHEMA, ClassStore, Graded, Setting, Sources, Todo
from grader.errors import InputError
from grader.result import Result, Verdict

ADA = Student("ada", "Ada L.", "ada@example.org", "A")
BOB = Student("bob", "Bob", on_roster=False)
SETTING = Setting("peg1", {"boards": "1", "framework": "2"})
FILES = Sources({"client.py": "a = 1\n", "peg1.py": "b = 2\n"})
RESULT = Result(
    "peg1", "german", Verdict.ACCEPTED, 2, pegs=3, truth="solvable", answer="solved", pegs_left=1,
    jumps=[(1, 2, 1, 4)], unsolvable=7, cpu_s=0.125, points=2, tier=2, figures=(("load", "0.5"),),
)  # fmt: skip
TODO = Todo("peg1", FILES.digest, SETTING.digest)
FAILED = Result("peg1", "english", Verdict.GRADER_ERROR, 3, message="no memory\nat all")


def _filled(folder: Path, *graded: Result) -> ClassStore:
    """Make a store of two students with the same files, which have these results in tier 2, if any."""
    store = ClassStore(folder, create=True)
    when = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    attempts = [
        (Attempt("ada", 1, when, "a.zip"), {"peg1": FILES}),
        (Attempt("bob", 1, None, "b"), {"peg1": FILES}),
    ]
    store.take_class([ADA, BOB], attempts, [SETTING])
    if graded:
        store.keep(Graded(TODO, 2, 1.0, graded))
    return store


def test_a_result_comes_back_whole() -> None:
    for result in (RESULT, FAILED):
        assert parse_result(format_result(result)) == result


def test_the_same_files_are_graded_once(tmp_path: Path) -> None:
    with _filled(tmp_path) as store:
        assert store.todo({"ada": [1], "bob": [1]}, 2) == [[TODO]]
        store.keep(Graded(TODO, 2, 1.0, [RESULT]))
        assert store.todo({"ada": [1], "bob": [1]}, 2) == []
        assert store.results("bob", 1, "peg1") == [RESULT]
        assert store.points("ada") == {1: {"peg1": (2, 2)}}
        assert store.graded_by("bob", 1, "peg1") == (2, 1.0, None)
        assert store.sources("ada", 1) == FILES.files
        assert store.sources_called(FILES.digest) == FILES


def test_students_and_attempts_come_back(tmp_path: Path) -> None:
    _filled(tmp_path).close()
    with ClassStore(tmp_path) as store:
        assert store.students() == [ADA, BOB]
        assert store.attempts("ada") == [Attempt("ada", 1, datetime(2026, 11, 20, 12, tzinfo=UTC), "a.zip")]
        assert store.tasks == ["peg1"]
        assert store.settings() == {"peg1": SETTING.parts}
        assert store.points("ada") == {}


def test_a_fault_of_the_grader_is_to_be_graded_again(tmp_path: Path) -> None:
    with _filled(tmp_path, FAILED) as store:
        assert store.todo({"ada": [1]}, 2) == [[TODO]]
        store.keep(Graded(TODO, 2, 1.0, [RESULT]))
        assert store.todo({"ada": [1]}, 2) == []
        assert store.results("ada", 1, "peg1") == [RESULT]


def test_a_result_of_a_lower_tier_is_no_result(tmp_path: Path) -> None:
    with _filled(tmp_path) as store:
        store.keep(Graded(TODO, 1, 1.0, [RESULT]))
        assert store.todo({"ada": [1]}, 1) == []
        assert store.todo({"ada": [1]}, 2) == [[TODO]]
        store.keep(Graded(TODO, 3, 1.0, [RESULT]))
        assert store.todo({"ada": [1]}, 2) == []


def test_what_is_wanted_again_stays_until_it_is_replaced(tmp_path: Path) -> None:
    with _filled(tmp_path, RESULT) as store:
        assert store.want_again(["ada"], ["peg1", "peg2"]) == 1
        assert store.todo({"ada": [1]}, 2) == [[TODO]]
        assert store.points("ada") == {1: {"peg1": (2, 2)}}


def test_results_of_visible_checks_are_kept_until_those_of_hidden_ones_are_there(tmp_path: Path) -> None:
    """An earlier grading stays the one that counts; what was begun in a lower tier is begun again."""
    old, hidden = replace(RESULT, message="as before"), replace(FAILED, verdict=Verdict.TIMEOUT, hidden=True)
    with _filled(tmp_path, old) as store:
        assert store.begun(TODO, 2) is None
        store.want_again(["ada"], ["peg1"])
        store.keep(Graded(TODO, 2, 1.0, [FAILED], begun=True))
        store.keep(Graded(TODO, 2, 1.0, [RESULT], begun=True))  # a job that was done twice
    with ClassStore(tmp_path, create=True) as store:
        assert store.begun(TODO, 2) == [RESULT] and store.begun(TODO, 3) is None
        assert store.results("ada", 1, "peg1") == [old]
        assert store.todo({"ada": [1]}, 2) == [[TODO]]
        store.keep(Graded(TODO, 2, 1.0, [hidden, RESULT]))
        assert store.begun(TODO, 2) is None
        assert store.results("ada", 1, "peg1") == [hidden, RESULT]
        assert store.todo({"ada": [1]}, 2) == []


def test_another_setting_asks_for_another_grading(tmp_path: Path) -> None:
    with _filled(tmp_path, RESULT) as store:
        attempts = [(Attempt("ada", 1, None, "a.zip"), {"peg1": FILES})]
        store.take_class([ADA], attempts, [Setting("peg1", {"boards": "other", "framework": "2"})])
        assert len(store.todo({"ada": [1]}, 2)) == 1
        store.take_class([ADA], attempts, [SETTING])
        assert store.todo({"ada": [1]}, 2) == []


def test_a_second_run_is_kept_out_until_the_first_is_dead(tmp_path: Path) -> None:
    holds = "import sys, pathlib; from grader.course.store import ClassStore; s = ClassStore(pathlib.Path(sys.argv[1]), True); print('has it', flush=True); input()"
    first = subprocess.Popen(
        [sys.executable, "-c", holds, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with first:
        assert first.stdout is not None
        assert first.stdout.readline() == "has it\n"
        with pytest.raises(InputError, match=f"at work there \\(process {first.pid}\\)"):
            ClassStore(tmp_path, create=True)
        with ClassStore(tmp_path) as reader:  # to look is allowed
            assert reader.students() == []
        first.kill()
    ClassStore(tmp_path, create=True).close()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("a text")
    (tmp_path / f".{NAME}.lock").symlink_to("other.txt")
    with pytest.raises(InputError, match=NAME):
        ClassStore(tmp_path, create=True)
    assert (tmp_path / "other.txt").read_text() == "a text"


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root makes files of another user")
def test_the_store_of_another_user_is_refused(tmp_path: Path) -> None:
    """Who owns it may have written points into it."""
    ClassStore(tmp_path, create=True).close()
    os.chown(tmp_path / NAME, 65534, -1)
    with pytest.raises(InputError, match="somebody else's file"):
        ClassStore(tmp_path, create=True)


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    with _filled(tmp_path) as store:
        twice = [(Attempt("bob", 7, None, "a"), {}), (Attempt("bob", 7, None, "a"), {})]
        with pytest.raises(InputError, match="UNIQUE"):
            store.take_class([BOB], twice, [SETTING])
        assert store.students() == [ADA, BOB]


def test_damage_that_is_found_late_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="malformed"), _filled(tmp_path):
        raise sqlite3.DatabaseError("database disk image is malformed")  # as SQLite does from any read
    with pytest.raises(sqlite3.OperationalError), _filled(tmp_path) as store:  # a mistake of ours stays one
        store.read("SELECT nothing")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"no store at all" * 100), "not a database"),
        (lambda file: sqlite3.connect(file).execute(f"PRAGMA user_version = {SCHEMA + 1}"), "newer grader"),
        (lambda file: sqlite3.connect(file).execute(f"PRAGMA user_version = {SCHEMA - 1}"), "older grader"),
    ],
)
def test_what_is_no_store_of_ours_is_left_alone(tmp_path: Path, spoil, said: str) -> None:
    file = tmp_path / NAME
    _filled(tmp_path).close()
    for beside in tmp_path.glob(f"{NAME}-*"):
        beside.unlink()
    spoil(file)
    before = file.read_bytes()
    for create in (False, True):
        with pytest.raises(InputError) as caught:
            ClassStore(tmp_path, create)
        assert said in f"{caught.value.message} {caught.value.help}"
    assert file.read_bytes() == before
    os.unlink(file)
    with pytest.raises(InputError, match="expected a folder that `grade class` made"):
        ClassStore(tmp_path)


def test_a_text_is_kept_once_and_packed(tmp_path: Path) -> None:
    """Whoever hands it in, as whichever file, for however many tasks."""
    large = "\x01" * (256 << 10)
    by_task = {
        f"peg{task}": Sources({"client.py": large, f"peg{task}.py": f"{large}\ud800"}) for task in (1, 2, 3)
    }
    attempts = [(Attempt("ada", number, None, "a.zip"), by_task) for number in range(1, 9)]
    with ClassStore(tmp_path, create=True) as store:
        store.take_class([ADA], attempts, [Setting(task, {}) for task in by_task])
        assert store.read("SELECT count(*) FROM texts") == [(2,)]
        for sources in by_task.values():
            assert store.sources_called(sources.digest) == sources
        assert store.sources("ada", 8).keys() == {"client.py", "peg1.py", "peg2.py", "peg3.py"}
    assert (tmp_path / NAME).stat().st_size < 256 << 10
