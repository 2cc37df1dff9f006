"""`grade hint`: three hints for the first failure, one after the other; and every cause of the zoo has its own."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader import last_results, paths
from grader.catalog.tasks import registry
from grader.messages import catalogue
from grader.messages.catalogue import Entry, hints_for
from grader.release.release import release_files
from grader.release.release_check import faults
from grader.result import Result, Verdict, first_failure
from grader.submissions.cutting import solution_lines
from support.command import GRADE

TASKS = list(registry().tasks.values())


# ---- the command ---------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, private_cache: None) -> Path:
    """Return a student's folder with nothing written yet, in the current one."""
    (tmp_path / "student").mkdir()
    return tmp_path


def failed(board: str, message: str, verdict: Verdict = Verdict.WRONG_ANSWER, points: int = 0) -> Result:
    return Result("peg3", board, verdict, max_points=2, points=points, message=message)


def keep(folder: Path, *results: Result) -> None:
    last_results.keep(folder / "student", results, {})


def hint(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*GRADE, "hint", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


PLUS = replace(failed("plus", "your program answered 1 (solved), but pushed no move"), code="no-move-pushed")


@pytest.mark.slow
def test_three_levels_and_then_the_third_again(folder: Path) -> None:
    keep(folder, PLUS)
    said = [hint(folder, "peg3") for _ in range(4)]
    assert [status for status, _, _ in said] == [1, 1, 1, 1]
    texts = [text for _, text, _ in said]
    assert texts[0] == (
        "peg3 plus: wrong answer\n\n"
        "hint 1 of 3: Which jumps of your solution never reach the stack?\n\n"
        "next: try it, then: grade peg3\nanother hint: grade hint peg3\n"
    )
    assert "\nhint 2 of 3: Compare the number" in texts[1]
    assert "\nhint 3 of 3: Push a move on every path" in texts[2]
    assert texts[2].endswith("\nno more hints: see handouts/peg3.md\n")
    assert texts[3] == texts[2]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80


@pytest.mark.slow
def test_the_count_starts_anew_with_another_failure(folder: Path) -> None:
    keep(folder, PLUS)
    hint(folder, "peg3")
    assert "hint 2 of 3" in hint(folder, "peg3")[1]
    stuck = failed("stuck", "it crashed", Verdict.CRASHED)
    keep(folder, stuck)  # it comes before plus
    assert "peg3 stuck: crashed\n\nhint 1 of 3" in hint(folder, "peg3")[1]
    keep(folder, replace(stuck, message="the program exited", verdict=Verdict.EXITED))
    assert "hint 1 of 3" in hint(folder, "peg3")[1]
    keep(folder, replace(stuck, message="the program exited again", verdict=Verdict.EXITED))
    assert "hint 2 of 3" in hint(folder, "peg3")[1]  # the same cause


@pytest.mark.slow
def test_grading_keeps_the_count(folder: Path) -> None:
    keep(folder, PLUS)
    hint(folder, "peg3")
    keep(folder, PLUS, failed("english", "", Verdict.ACCEPTED, 2))
    assert "hint 2 of 3" in hint(folder, "peg3")[1]


@pytest.mark.slow
def test_points_that_are_missing_come_after_failures(folder: Path) -> None:
    part = replace(failed("plus", "right, but the table is empty", Verdict.ACCEPTED), code="table-empty")
    keep(folder, part, failed("horseshoe", "no answer", Verdict.TIMEOUT))
    assert hint(folder, "peg3")[1].startswith("peg3 horseshoe: timeout\n")
    keep(folder, failed("horseshoe", "", Verdict.ACCEPTED, 2))
    assert "peg3 plus: not all points\n\nhint 1 of 3: Which table" in hint(folder, "peg3")[1]


def test_the_hint_is_for_the_failure_that_is_told_first(folder: Path) -> None:
    slow = failed("horseshoe", "no answer", Verdict.TIMEOUT)
    keep(folder, failed("plus", "it crashed", Verdict.CRASHED), replace(slow, is_cause=True, pegs=23))
    assert hint(folder, "peg3")[1].startswith("peg3 horseshoe: timeout\n")


@pytest.mark.slow
def test_nothing_to_hint_at(folder: Path) -> None:
    assert hint(folder, "peg3") == (
        2, "", "peg3: not graded yet, so there is nothing to hint at\nhelp: grade it first: grade peg3\n"
    )  # fmt: skip
    keep(folder, failed("plus", "", Verdict.ACCEPTED, 2))
    assert hint(folder, "peg3") == (0, "peg3: no failure in the last results   next: grade peg3\n", "")
    status, text, error = hint(folder, "peg33")
    assert (status, text) == (2, "") and "did you mean peg3?" in error
    assert hint(folder, "all")[2].startswith("expected one task, found all\nhelp: tasks: client, ")
    assert hint(folder, "peg3", "--student", "nobody")[0] == 2
    assert hint(folder)[0] == 2


def test_a_folder_of_another_name_is_in_every_command(folder: Path) -> None:
    (folder / "my files").mkdir()
    last_results.keep(folder / "my files", [PLUS], {})
    text = hint(folder, "peg3", "--student", "my files")[1]
    assert text.count("--student 'my files'") == 2


def test_a_change_since_then_is_told(folder: Path) -> None:
    last_results.keep(folder / "student", [PLUS], {"peg3": "the digest of other files"})
    assert (
        "your files or the course have changed since the last full run: grade peg3" in hint(folder, "peg3")[1]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "saved",
    [
        '{"peg3": {"boards": {"plus": {}}}}', '{"peg3": {"boards": {"plus": 7}}}', '{"peg3": {"boards": []}}',
        '{"peg3": 7}', "[" * 100_000,
    ],
)  # fmt: skip
def test_results_of_another_version_are_none(saved: str, folder: Path) -> None:
    keep(folder, PLUS)
    kept = last_results._file_of(folder / "student")
    assert os.name != "posix" or kept.stat().st_mode & 0o077 == 0  # its name could be computed
    kept.write_text(saved, "utf-8")
    assert hint(folder, "peg3")[0] == 2


# ---- which hints ---------------------------------------------------------------------------------


def test_the_special_comes_first_and_then_the_tasks_own(monkeypatch: pytest.MonkeyPatch) -> None:
    topics = [
        "verdict crashed", "verdict crashed in peg3", "verdict timeout", "no-key", "no-key in peg3", "no-key 2",
        "cannot-be-compiled",
    ]  # fmt: skip
    pages = {topic: Entry([topic], "", hints=[f"of {topic}"] * 3) for topic in topics}
    monkeypatch.setattr(catalogue, "entries", lambda: pages)
    crash = replace(failed("plus", "words", Verdict.CRASHED), code="no-key")
    family = {"family": "cannot-be-compiled"}
    assert hints_for(crash)[0].levels[0] == "of no-key in peg3"
    assert hints_for(replace(crash, task="peg2"))[0].levels[0] == "of no-key"
    assert hints_for(replace(crash, facts={"kinds": [2]}))[0].levels[0] == "of no-key 2"
    assert hints_for(replace(crash, code="other", facts=family))[0].levels[0] == "of cannot-be-compiled"
    assert hints_for(replace(crash, code="other"))[0].levels[0] == "of verdict crashed in peg3"
    assert hints_for(replace(crash, code="", verdict=Verdict.TIMEOUT))[0].levels[0] == "of verdict timeout"


def test_of_a_hidden_board_the_verdict_alone_counts() -> None:
    assert not hints_for(PLUS)[0].topic.startswith("verdict ")
    assert hints_for(replace(PLUS, hidden=True))[0].topic == f"verdict {PLUS.verdict}"


def test_the_first_failure() -> None:
    right = failed("one", "", Verdict.ACCEPTED, 2)
    assert first_failure([]) is None and first_failure([right]) is None
    part, bonus = replace(right, points=1), replace(PLUS, max_points=0)
    secret = replace(PLUS, hidden=True)
    assert first_failure([right, bonus, secret, part, PLUS]) == PLUS
    assert first_failure([bonus, secret, part]) == part
    assert first_failure([bonus, secret]) == secret
    assert first_failure([bonus]) == bonus
    waits = replace(PLUS, verdict=Verdict.NOT_RUN)
    assert first_failure([waits]) == waits and first_failure([waits, bonus]) == bonus
    assert first_failure([replace(waits, is_part=True), PLUS]) == PLUS


def causes() -> Iterator[Result]:
    """Yield a result for each message of a failure in the record of `make same`."""
    record = json.loads((Path(__file__).with_name("facts") / "same.json").read_text("utf-8"))
    seen = set()
    for of_program in record.values():
        for check, said in of_program.items() if isinstance(of_program, dict) else ():
            (task, board), (verdict, _, *code) = check.split(" "), said.split(" ")
            if verdict in (Verdict.ACCEPTED, Verdict.GRADER_ERROR) or (task, said) in seen or not code:
                continue
            seen.add((task, said))
            facts = {"family": code[1]} if len(code) > 1 else {}
            yield Result(task, board, Verdict(verdict), 1, code=code[0], facts=facts)


CAUSES = list(causes())


@pytest.mark.parametrize("result", CAUSES, ids=[f"{each.task}-{each.verdict}-{each.code}" for each in CAUSES])
def test_every_cause_on_record_has_hints_of_its_own(result: Result) -> None:
    chosen = hints_for(result)[0]
    assert not chosen.topic.startswith("verdict ") or result.code in FOR_ANY


# Python says what is wrong: the verdict's hints say where to look.
FOR_ANY = {"exception", "unknown-name", "none-used"}


def test_the_record_tells_causes() -> None:
    assert {result.task for result in CAUSES} == {task.name for task in TASKS}
    assert len({result.code for result in CAUSES}) > 100


# ---- the pages -----------------------------------------------------------------------------------


def test_no_level_has_a_line_of_a_solution() -> None:
    """Not even one that is wrapped, or short: the release check looks at long lines as they stand."""
    public = "".join(path.read_text("utf-8") for path in (paths.PACKAGE.parent / "student").glob("*.py"))
    secret = {
        line.strip()
        for task in TASKS
        if task.file.endswith(".py")
        for line in solution_lines((paths.REFERENCE / task.file).read_text("utf-8"))
        if len(line.strip()) >= 12 and line.strip() not in public
    }
    assert len(secret) > 200
    for level in (level for entry in catalogue.entries().values() for level in entry.hints):
        assert [line for line in secret if line in level] == []


@pytest.mark.slow
def test_a_leak_in_the_hints_stops_the_release() -> None:
    page = "grader/messages/words/answers.md"
    leak = "left = solve(board, stack, pegs - 1)"
    assert leak in (paths.REFERENCE / "peg2.py").read_text("utf-8")
    files = release_files()
    (fault,) = faults({**files, page: files[page] + f"\n## more\n\n1. Why not {leak}?\n2. So.\n3. So.\n"})
    assert fault.message.startswith(f"{page}:") and leak in fault.message
