"""`grade variant`: its edits fit the course, what is drawn is what the pages say, and a variant holds its promise."""

import os
import re
import subprocess
import sys

import pytest

from framework.board import SIZE
from grader import paths
from grader.commands.variant import MOST
from grader.errors import InputError
from grader.judging.holes import possible_jumps
from grader.messages.illegal_jumps import PARTS
from grader.variant import course
from grader.variant.course import draw
from support.command import grade

WIDTH = 100  # of a line of a handout
SEEDS = range(100)
SCRIPT = "grader/web/static/position.js"
PROVE = """
from grader.catalog.boards import ANYWHERE, course_boards, find_board
from grader.judging.holes import Reachable
from framework.rules import fewest_of
import yaml
index = yaml.safe_load(open("boards/index.yaml"))["boards"]
wrong = []
small = [name for name, entry in index.items() if (entry["positions"] or 1e9) < 4000 and entry.get("ends") != ANYWHERE]
for name in small:
    known = Reachable(find_board(name).board)
    wins = known.start in known.winning
    fewest = fewest_of(min(map(int.bit_count, known.after)), wins)
    truth = {"solvable": wins, "fewest": fewest, "pegs": known.start.bit_count(), "positions": len(known.after)}
    wrong += [(name, field) for field, value in truth.items() if index[name][field] != value]
print(len(small))
print(wrong)
"""  # in plain Python, by the judge's own enumeration and not by the engine that wrote the index


@pytest.fixture(scope="module")
def files():
    made = course.files_of(draw(1), "autumn")
    return {name: text for name, text in made.items() if isinstance(text, str)}


def test_every_name_is_replaced_and_no_line_gets_too_long(files):
    """The pages are held to the width of the course's own."""
    here = course.EDITS.relative_to(paths.FRAMEWORK_ROOT).parent.as_posix()
    names = "|".join([*draw(1).texts(), "english_back"])
    assert not [
        name for name, text in files.items() if re.search(f"<<({names})>>", text) and here not in name
    ]
    for name, text in files.items():
        page = re.fullmatch(r"handouts/[\w-]+\.md", name)
        assert not page or [line for line in text.splitlines() if len(line) > WIDTH] == [], name


def test_an_edit_whose_old_text_is_gone_is_an_error(files):
    """Whoever changes a page must change its edit, too."""
    old = {name: (paths.FRAMEWORK_ROOT / name).read_text("utf-8") for name in files if name != "README.md"}
    old["handouts/notation.md"] = old["handouts/notation.md"].replace("no matter where", "anywhere")
    with pytest.raises(InputError, match=r"edit \d+, of handouts/notation.md: expected its old text 1 times"):
        course.edited(old, {**draw(1).texts(), "english_back": ""})


def test_a_seed_draws_moves_that_differ_and_goals_that_do_not_turn():
    """The public packing gives no integer of a variant for 1 jump in 10, and the map has all eight images."""
    jumps = possible_jumps()
    for seed in SEEDS:
        drawn = draw(seed)
        numbers = [drawn.integer(*jump) for jump in jumps]
        public = [((jump[0] * 8 + jump[1]) * 8 + jump[2]) * 8 + jump[3] for jump in jumps]
        assert len(set(numbers)) == len(jumps)
        assert sum(one == other for one, other in zip(numbers, public, strict=True)) * 10 < len(jumps)
        assert sorted(drawn.order) == sorted(PARTS)
        turned = {(col, SIZE - 1 - row) for row, col in drawn.goals}
        mirrored = {(row, SIZE - 1 - col) for row, col in drawn.goals}
        assert drawn.goals == turned == mirrored
        assert draw(seed) == drawn


def test_the_page_s_scripts_have_the_framework_s_goals(files):
    """The map is written in two languages."""
    for rules, script in (
        (files["framework/rules.py"], files[SCRIPT]),
        [(paths.FRAMEWORK_ROOT / name).read_text("utf-8") for name in ("framework/rules.py", SCRIPT)],
    ):
        goals, drawn = (re.search(r"GOALS = (?:\"\"\"|`)\n([*. \n]+)", text)[1] for text in (rules, script))
        assert goals == drawn


def test_a_variant_of_a_variant_is_refused(monkeypatch):
    """The edits fit this course only."""
    monkeypatch.setattr(course, "MOVE_ORDER", PARTS)
    with pytest.raises(InputError, match="this course is a variant itself"):
        course.files_of(draw(1), "autumn")


@pytest.mark.whole
def test_variants_hold_their_promise(tmp_path, request):
    """The command tries both solutions itself: its word is read here, and the facts of small boards are proved."""
    for seed in range(1, 1 + request.config.getoption("--variants")):
        folder = tmp_path / f"autumn{seed}"
        done = grade("variant", str(folder), "--seed", str(seed))
        assert done.returncode == 0, done.stderr
        said = re.search(r"reference has (\d+) of 100 points, the public solution (\d+)\n", done.stdout)
        assert said and said[1] == "100" and int(said[2]) <= MOST
        proved = subprocess.run(
            [sys.executable, "-c", PROVE], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        counted, wrong = proved.stdout.splitlines()
        assert int(counted) > 40
        assert wrong == "[]"
