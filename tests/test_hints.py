"""`grade hint`: three hints for the first failure, one after the other; and every cause of the zoo has its own."""

import ast
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader import last_results, paths
from grader.catalog.hints import EVERY_TASK, Hints, choose, hints_of, parse_hints
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.release.course_check import Course, check_course
from grader.release.release import release_files
from grader.release.release_check import faults
from grader.result import Result, Verdict, first_failure
from grader.submissions.cutting import solution_lines
from support.command import GRADE

TASKS = list(registry().tasks.values())
BARE = "## verdict wrong-answer\n\n1. What?\n2. There.\n3. That.\n"


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


def test_the_count_starts_anew_with_another_failure(folder: Path) -> None:
    keep(folder, PLUS)
    hint(folder, "peg3")
    assert "hint 2 of 3" in hint(folder, "peg3")[1]
    stuck = failed("stuck", "no answer", Verdict.TIMEOUT)
    keep(folder, stuck)  # it comes before plus
    assert "peg3 stuck: timeout\n\nhint 1 of 3" in hint(folder, "peg3")[1]
    keep(folder, replace(stuck, message="the program exited", verdict=Verdict.EXITED))
    assert "hint 1 of 3" in hint(folder, "peg3")[1]
    keep(folder, replace(stuck, message="the program exited again", verdict=Verdict.EXITED))
    assert "hint 2 of 3" in hint(folder, "peg3")[1]  # the same cause


def test_grading_keeps_the_count(folder: Path) -> None:
    keep(folder, PLUS)
    hint(folder, "peg3")
    keep(folder, PLUS, failed("english", "", Verdict.ACCEPTED, 2))
    assert "hint 2 of 3" in hint(folder, "peg3")[1]


def test_points_that_are_missing_come_after_failures(folder: Path) -> None:
    part = replace(failed("plus", "right, but the table is empty", Verdict.ACCEPTED), code="table-empty")
    keep(folder, part, failed("horseshoe", "no answer", Verdict.TIMEOUT))
    assert hint(folder, "peg3")[1].startswith("peg3 horseshoe: timeout\n")
    keep(folder, failed("horseshoe", "", Verdict.ACCEPTED, 2))
    assert "peg3 plus: not all points\n\nhint 1 of 3: Which table" in hint(folder, "peg3")[1]


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
    assert "your files have changed since the last full run" in hint(folder, "peg3")[1]


@pytest.mark.parametrize(
    "saved", ['{"peg3": {"boards": {"plus": {}}}}', '{"peg3": {"boards": {"plus": 7}}}', '{"peg3": 7}']
)
def test_results_of_another_version_are_none(saved: str, folder: Path) -> None:
    keep(folder, PLUS)
    last_results._file_of(folder / "student").write_text(saved, "utf-8")
    assert hint(folder, "peg3")[0] == 2


# ---- which hints ---------------------------------------------------------------------------------


def test_the_special_comes_first_and_then_the_tasks_own_page() -> None:
    def of(topic: str, level: str) -> Hints:
        return Hints(topic, (level,) * 3)

    found = [
        of("verdict crashed", "any crash here"),
        of("no-key", "own"),
        of("cannot-be-compiled", "of the family"),
        of("no-key", "common"),
        of("no-key 2", "of a kind"),
        of("verdict crashed", "any crash"),
        of("verdict timeout", "any timeout"),
    ]
    crash = replace(failed("plus", "words", Verdict.CRASHED), code="no-key")
    family = {"family": "cannot-be-compiled"}
    assert choose(found, crash).levels[0] == "own"
    assert choose(found, replace(crash, facts={"kinds": [2]})).levels[0] == "of a kind"
    assert choose(found, replace(crash, code="other", facts=family)).levels[0] == "of the family"
    assert choose(found, replace(crash, code="other")).levels[0] == "any crash here"
    assert choose(found, replace(crash, code="", verdict=Verdict.TIMEOUT)).levels[0] == "any timeout"


def test_of_a_hidden_board_the_verdict_alone_counts() -> None:
    found = hints_of(registry().find("peg3"))
    assert not choose(found, PLUS).topic.startswith("verdict ")
    assert choose(found, replace(PLUS, hidden=True)).topic == f"verdict {PLUS.verdict}"


def test_the_first_failure() -> None:
    right = failed("one", "", Verdict.ACCEPTED, 2)
    assert first_failure([]) is None and first_failure([right]) is None
    part, bonus = replace(right, points=1), replace(PLUS, max_points=0)
    secret = replace(PLUS, hidden=True)
    assert first_failure([right, bonus, secret, part, PLUS]) == PLUS
    assert first_failure([bonus, secret, part]) == part
    assert first_failure([bonus, secret]) == secret
    assert first_failure([bonus]) == bonus


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
    chosen = choose(hints_of(registry().find(result.task)), result)
    assert not chosen.topic.startswith("verdict ") or result.code in FOR_ANY


# Python says what is wrong: the verdict's hints say where to look.
FOR_ANY = {"exception", "unknown-name", "none-used"}


def test_the_record_tells_causes() -> None:
    assert {result.task for result in CAUSES} == {task.name for task in TASKS}
    assert len({result.code for result in CAUSES}) > 100


# ---- the pages -----------------------------------------------------------------------------------


def test_a_page_is_read() -> None:
    text = (
        "# Hints\n\nFree text.\n\n## a-b, c 1\n## verdict timeout\n\n1. Why\n   so?\n2. There.\n\n3. That.\n"
    )
    levels = ("Why so?", "There.", "That.")
    topics = ("a-b", "c 1", "verdict timeout")
    assert list(parse_hints(text, "page")) == [Hints(topic, levels) for topic in topics]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("wrong-answer", "wrong", "page:1: expected ## verdict and one of accepted, wrong-answer, "),
        ("verdict ", "Verdict: ", "page:1: expected ## and topics such as never-tried"),
        ("3. That.\n", "", "page:4: expected 3 items up to here, found 2"),
        ("3. That.\n", "3. That.\n4. More.\n", "page:6: expected 3 items up to here, found 4"),
        ("2. ", "3. ", "page:4: expected item 2, or an item's next line, indented, found 3. There."),
        ("1. ", "  1. ", "page:3: expected item 1, "),
        ("What?", "What.", "page:5: expected a question as item 1, found What."),
        (
            "2. There.",
            "2. There\nmore",
            "page:5: expected item 3, or an item's next line, indented, found more",
        ),
        ("1. What?\n2. There.\n3. That.\n", "", "page:2: expected 3 items up to here, found 0"),
    ],
)
def test_a_page_with_a_fault(old: str, new: str, said: str) -> None:
    assert old in BARE
    with pytest.raises(InputError) as caught:
        list(parse_hints(BARE.replace(old, new), "page"))
    assert caught.value.message.startswith(said)


def test_the_courses_check_reads_every_page(tmp_path: Path) -> None:
    def copied(name: str, text: str) -> None:
        (tmp_path / "hints" / name).write_text(text, "utf-8")

    (tmp_path / "hints").mkdir()
    for page in (paths.HANDOUTS / "hints").iterdir():
        copied(page.name, page.read_text("utf-8"))
    for page in paths.HANDOUTS.glob("*.md"):
        (tmp_path / page.name).write_text(page.read_text("utf-8"), "utf-8")
    course = Course(handouts=tmp_path, student=paths.PACKAGE.parent / "student")
    assert check_course(course).faults == []
    peg2 = tmp_path / "hints/peg2.md"
    text = peg2.read_text("utf-8")
    peg2.unlink()
    (fault,) = check_course(course).faults
    assert fault.message.endswith("hints/peg2.md: cannot be read: No such file or directory")
    copied("peg2.md", text.replace("1. ", "2. ", 1))
    (fault,) = check_course(course).faults
    assert "hints/peg2.md:" in fault.message
    copied("peg2.md", text)
    common = (tmp_path / "hints" / EVERY_TASK).read_text("utf-8")
    copied(EVERY_TASK, common[: common.index("## verdict grader-error")])
    lacking = check_course(course).faults
    assert len(lacking) == len(TASKS)
    assert all("expected ## verdict grader-error, found none" in fault.message for fault in lacking)


def test_no_page_has_a_topic_twice() -> None:
    for page in (paths.HANDOUTS / "hints").glob("*.md"):
        topics = [hints.topic for hints in parse_hints(page.read_text("utf-8"), page.name)]
        assert len(topics) == len(set(topics)), page.name


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
    for task in TASKS:
        for level in (level for hints in hints_of(task) for level in hints.levels):
            assert [line for line in secret if line in level] == []


def test_a_leak_in_the_hints_stops_the_release() -> None:
    page = "handouts/hints/peg2.md"
    leak = "left = solve(board, stack, pegs - 1)"
    assert leak in (paths.REFERENCE / "peg2.py").read_text("utf-8")
    files = release_files()
    (fault,) = faults(
        {**files, page: files[page] + f"\n## verdict timeout\n\n1. Why not {leak}?\n2. So.\n3. So.\n"}
    )
    assert fault.message.startswith(f"{page}:") and leak in fault.message


def test_every_topic_is_one_that_a_message_may_have() -> None:
    sources = [file for folder in ("messages", "judging") for file in (paths.PACKAGE / folder).rglob("*.py")]
    trees = [ast.parse(file.read_text("utf-8")) for file in sources]
    written = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    written |= {"play-sets-cells-wrongly", "take-back-sets-cells-wrongly"}  # put together
    for page in sorted((paths.HANDOUTS / "hints").glob("*.md")):
        for hints in parse_hints(page.read_text("utf-8"), page.name):
            topic = hints.topic.partition(" ")[0]
            assert topic in written or topic == "verdict", f"{page.name}: no message is called {topic}"


def test_hints_are_released() -> None:
    files = release_files()
    assert {f"handouts/hints/{task.name}.md" for task in TASKS} <= set(files)
    assert f"handouts/hints/{EVERY_TASK}" in files
    page = files[f"handouts/hints/{TASKS[0].name}.md"]
    assert hints_of(TASKS[0])[0].levels[2] in " ".join(page.split())
