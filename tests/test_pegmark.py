"""`grade pegmark`: the table, the bars and the plot say what the spread is, and fit where they are shown."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.commands import pegmark
from grader.commands.pegmark import Chains
from grader.judging.numbers_sent import spread
from support.command import ROOT, grade

SVG = "{http://www.w3.org/2000/svg}"


def columns() -> list[Chains]:
    good = spread([*range(600), *range(300), *range(100)])  # 300 alone, 200 pairs, 100 triples
    poor = spread([7] * 990 + [8] * 10)
    return [
        pegmark.measured("yours", good, 0.25),
        pegmark.measured("sum of row + col", poor),
        pegmark.by_chance(1000, good.chains),
    ]


def test_the_bars() -> None:
    assert (
        pegmark.bars(columns())
        == """\
percent of the boards, by the length of their chain:

        yours             sum of row + col  by chance
    1 │ ███▋ 30                             ████▌ 38
    2 │ ████▊ 40                            ████▍ 37
    3 │ ███▋ 30                             ██▏ 18
    4 │                                     ▊ 6
    5 │                                     ▏ 1
    6 │
    7 │
    8 │
    9 │
  10+ │                   ████████████ 100"""
    )


def test_the_table() -> None:
    lines = pegmark.table(columns(), 1000, 1024).splitlines()
    assert lines[0] == "1,000 boards, 1,024 chains      yours    sum of row + col    by chance"
    assert lines[1:5] == [
        "chains of size 0                  424               1,022          386",
        "chains of size 1                  300                   0          377",
        "chains of size 2                  200                   0          184",
        "chains of size 3                  100                   0           60",
    ]
    assert lines[11:] == [
        "chains of size 10+                  0                   2            0",
        "longest chain                       3                 990",
        "keys compared per lookup         1.50              490.60         1.49",
        "CPU                            0.25 s",
    ]


def test_what_chance_gives_is_all_there_is() -> None:
    chance = pegmark.by_chance(50_000, 65_536)
    assert sum(chance.counts) == pytest.approx(65_536)
    assert sum(chance.shares) == pytest.approx(1)
    assert chance.comparisons == pytest.approx(1.38, abs=0.01)


def test_the_plot_has_a_bar_for_every_number_and_needs_nothing_else() -> None:
    text = pegmark.svg([*columns(), columns()[0]], 1000)
    root = ElementTree.fromstring(text)
    shares = [share for column in [*columns(), columns()[0]] for share in column.shares]
    bars = [each for each in root.iter(f"{SVG}rect") if each.find(f"{SVG}title") is not None]
    full = max(float(bar.attrib["height"]) for bar in bars) / max(shares)
    assert [float(bar.attrib["height"]) for bar in bars] == pytest.approx(
        [full * share for share in shares], abs=0.06
    )
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for each in root.iter(f"{SVG}rect"):
        left, top = float(each.attrib["x"]), float(each.attrib["y"])
        assert 0 <= left <= left + float(each.attrib["width"]) <= width
        assert 0 <= top <= top + float(each.attrib["height"]) <= height
    said = {each.text for each in root.iter(f"{SVG}text")}
    assert {"yours", "sum of row + col", "by chance", "length of the chain"} <= said
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and "<script" not in text


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "chains.svg"
    done = grade("pegmark", "--student", "tests/students/plain", "-o", str(picture))
    assert done.returncode == 0
    assert done.stderr == f"{picture}: the same as a picture\n"
    lines = done.stdout.splitlines()
    assert lines[0].split("  ")[0] == "50,000 boards, 65,536 chains"
    assert all(len(line) <= 80 for line in lines[14:]), "the bars fit into 80 columns"
    assert lines[0].endswith("sum of row + col    by chance")
    page = (ROOT / "handouts" / "performance-debugging.md").read_text("utf-8")
    told = page.partition("$ grade pegmark\n")[2].splitlines()  # by the reference, in a folder without it
    assert [line.split()[-3:] for line in told[1:12]] == [line.split()[-3:] for line in lines[1:12]]
    assert told[12].split()[-2:] == lines[12].split()[-2:]
    assert ElementTree.parse(picture).getroot().tag == f"{SVG}svg"


def test_another_suffix_is_told_before_the_work(tmp_path: Path) -> None:
    done = grade("pegmark", "--student", "tests/students/plain", "-o", str(tmp_path / "chains.png"))
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert done.stderr.startswith(f"-o {tmp_path}/chains.png: expected a name that ends in .svg\n")
    assert done.stderr.endswith("help: -o chains.svg\n")
