"""The handouts agree with the tasks, the boards and the command."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from click import Context
from click.testing import CliRunner

from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.commands import COMMANDS, show
from grader.judging.kinds import client
from grader.judging.kinds.client_verdicts import FAIR, GOOD
from grader.judging.task_run import SLOW, SLOW_S
from grader.sandbox.confine.limits import OUTPUT_BYTES
from support.zoo_rows import ZOO

PAGES = sorted(paths.HANDOUTS.glob("*.md"))
TASKS = list(registry().tasks.values())
OPTIONS = {
    option for name in COMMANDS for each in cli.get_command(Context(cli), name).params for option in each.opts
}
CHECKS = {check.name for task in TASKS for check in task.checks}
WIDTH = 100
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"^ *…\n", re.MULTILINE)  # between lines of a quoted text
NO_ROW = ("caught:65: ", "stuck: still computing")  # of somebody's own boards; takes 10 CPU seconds
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def commands(text: str) -> list[list[str]]:
    """Return the words after `grade` of every command in a page: alone on a line, after $, or in backticks."""
    found = re.findall(r"^(?:\$ )?grade((?: +[\w@.,:-]+)*) *$", text, re.MULTILINE)
    found += re.findall(r"`grade((?:\s[^`]*)?)`", FENCE.sub("", text))
    found += re.findall(r"(?:again:|next:|then:) grade((?: [\w@.,:-]+)+)", text)
    return [words.split() for words in found]


def test_the_hash_page_has_the_grader_s_bounds():
    text = " ".join((paths.HANDOUTS / "client.md").read_text("utf-8").split())
    assert f"over {client.POSITIONS:,} boards" in text
    assert f"at most {GOOD} earn all points, at most {FAIR} half" in text


def test_the_first_page_says_what_may_be_imported():
    text = (paths.HANDOUTS / "start.md").read_text("utf-8")
    rows = re.findall(r"^\| (`\w+\.py`.*) \| (.*) \|$", text, re.MULTILINE)
    told = {
        file: re.findall(r"`(\w+)`", may) for files, may in rows for file in re.findall(r"`(.*?)`", files)
    }
    may = {task.files[-1]: [file.removesuffix(".py") for file in task.files[:-1]] for task in TASKS}
    assert told == {file: others for file, others in may.items() if others}


def test_a_page_has_the_limit_of_what_may_be_printed():
    text = " ".join((paths.HANDOUTS / "contracts.md").read_text("utf-8").split())
    assert f"prints more than {OUTPUT_BYTES >> 20} MiB is stopped" in text


def test_the_first_page_says_when_boards_are_left_out():
    text = " ".join((paths.HANDOUTS / "start.md").read_text("utf-8").split())
    assert (
        f"Once {SLOW} boards have run out of time, and their limits add up to {SLOW_S:g} seconds, no" in text
    )


def test_the_contract_explained_is_what_the_grader_says():
    text = (paths.HANDOUTS / "contracts.md").read_text("utf-8")
    told = text.partition("-d --board one-jump\n")[2].partition("\n```")[0]
    said = (ZOO / "take-back-forgets-a-peg-debug" / "expected.txt").read_text("utf-8")
    assert told
    assert has_in_order(said, LEFT_OUT.split(told))


@each_page
def test_a_message_is_quoted_as_students_get_it(page):
    """Each mistake is a row of the zoo, whose report the grader makes, or the README's, which test_docs holds."""
    reports = [report.read_text("utf-8") for report in ZOO.glob("*/expected.txt")]
    reports.append((paths.FRAMEWORK_ROOT / "README.md").read_text("utf-8"))
    steady = [without_times(report) for report in reports]
    for block in quoted(page.read_text("utf-8")):
        if block.startswith(NO_ROW):
            continue
        parts = [without_times(part) for part in LEFT_OUT.split(block)]
        assert any(has_in_order(report, parts) for report in steady), block


@each_page
def test_a_board_is_shown_as_the_command_shows_it(page):
    for board, block in re.findall(r"^\$ grade show (\S+)\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
        if board != "mine.txt":
            shown = CliRunner().invoke(cli, ["show", board], standalone_mode=False).output
            assert has_in_order(shown, LEFT_OUT.split(block)), f"{block}\n{shown}"


def test_a_board_whose_last_peg_may_be_anywhere_says_so(monkeypatch):
    """In a variant, boards of tasks without goals."""
    board = replace(find_board("few-bridge"), ends_anywhere=True)
    monkeypatch.setattr(show, "find_board", lambda _: board)
    assert "ends       on any hole" in CliRunner().invoke(cli, ["show", "few-bridge"]).output


def quoted(text: str) -> list[str]:
    """Return the blocks of a page that begin with a message, or have one below a command and its table."""
    blocks = [block.strip("`").partition("\n")[2] for block in FENCE.findall(text)]
    blocks = [block.partition("\n")[2] if block.startswith("$ grade") else block for block in blocks]
    return [block for block in blocks if CHECKS & {*re.findall(r"^(\S+): \S", block, re.MULTILINE)}]


def has_in_order(text: str, parts: list[str]) -> bool:
    """Return whether the parts are in a text, whole lines each, one after the other."""
    lines = [rf"^{re.escape(part.rstrip())}$" for part in parts if part.strip()]
    return re.search(r"(?ms)" + r"\n.*?".join(lines), text) is not None


def without_times(text: str) -> str:
    return re.sub(r" *\d+\.\d\d s", " … s", text)


@each_page
def test_commands_exist(page):
    text = page.read_text("utf-8")
    tasks = {*registry().tasks, "all", "TASK"}
    found = commands(text)
    for words in found:
        known = COMMANDS if words and words[0] in COMMANDS else tasks
        plain = [
            word
            for before, word in pairwise(["", *words])
            if not word.startswith("-") and before not in ("-o", "--boards")
        ]
        named = [after for before, after in pairwise(words) if before == "--board"]
        if known is tasks:
            assert all(word in {*tasks, *named} for word in plain), words
        else:
            assert COMMANDS[words[0]].short_help, words
            named += [word for word in plain[1:] if word not in tasks and words[0] != "start"]
        for board in named:
            assert board in ("mine.txt", *CHECKS) or find_board(board.partition(":")[0])
        assert all(word in {*OPTIONS, "--help"} for word in words if word.startswith("-")), words
    assert found


@each_page
def test_links_and_files_exist(page):
    text = page.read_text("utf-8")
    root = paths.HANDOUTS.parent
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (page.parent / link).is_file(), link
    for file in re.findall(r"`((?:student|framework|boards|handouts|grader)/[\w./-]*)`", text):
        assert (root / file).exists(), file


@each_page
def test_lines_are_short_and_fences_closed(page):
    text = page.read_text("utf-8")
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    assert text.startswith("# ")
    assert text.count("```") % 2 == 0
