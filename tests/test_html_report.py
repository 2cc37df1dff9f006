"""The HTML report: what is in it, that no text breaks out of it, and how it opens in a browser."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from framework.board import format_board
from framework.verify import verify
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.messages import illegal_jumps
from grader.messages.catalogue import picture
from grader.reports import html_report
from grader.reports.json_report import card
from grader.reports.provenance import Provenance
from grader.reports.report import Report, render
from grader.result import Result, Verdict
from grader.web import html_page
from grader.web.positions import parse_jumps
from support.browsing import Visits, accessibility_faults, axe_source
from support.hostile import ATTACKS, Seen, is_plain

SOLUTION = parse_jumps(
    "1333.2123.0222.0402.2321.2022.2404.2624.3212.0222.3032.3212.3414.0424.3634.3414.5232.4042.4222.1232."
    "3234.4424.1434.4644.4345.6444.3454.6264.6444.4543.4363"
)
ILLEGAL = [(1, 3, 3, 3), (2, 1, 2, 3), (2, 0, 2, 2)]
PHONE = {"width": 360, "height": 740}


def mixed_report() -> Report:
    """Return a report with a solution, an illegal jump, a wrong number, and checks without a board."""
    english, told = find_board("english"), Verdict.ILLEGAL_MOVE
    illegal = illegal_jumps.illegal_jump(english.board, ILLEGAL, verify(english.board, ILLEGAL))
    results = [
        Result("client", "keys", Verdict.ACCEPTED, 3, answer="12,145 keys", points=3),
        Result("client", "hash", Verdict.GRADER_ERROR, 4, message="the grader failed", help="send the file"),
        Result("peg3", "english", Verdict.ACCEPTED, 3, 32, "solvable", "solved, 31 jumps", 1, SOLUTION, 10813,
               points=3),
        Result(
            "peg3", "stuck", Verdict.WRONG_ANSWER, 1, 3, "3 left", "2 left", 2, unsolvable=1,
            message="expected 3, found 2", help="count the pegs", printed="looking at 2:0\nand on",
        ),
        Result("peg4", "english", told, 2, 32, "solvable", "illegal move", 1, ILLEGAL, 0, **illegal.fields),
        Result("peg4", "french1", Verdict.NOT_RUN, 3, 36, "solvable", message="not run: needs english"),
    ]  # fmt: skip
    tasks = [registry().find(name) for name in ("client", "peg3", "peg4")]
    return Report(tasks, results, "student")


hostile = st.lists(st.one_of(st.sampled_from(ATTACKS), st.text(max_size=10)), min_size=1, max_size=4).map(
    lambda parts: "x" + "".join(parts)
)


def attacked(verdict: Verdict, texts: list[str]) -> Report:
    """Return a report of one check with these texts in every field that is a text."""
    board, truth, answer, message, help, place, printed, title, figure, folder, options, *more = texts
    command, source, name, value, caption = more
    result = Result(
        "peg3", board, verdict, 3, 32, truth, answer, jumps=SOLUTION[:2], message=message, help=help,
        place=place, printed=printed, figures=((title, figure),), hidden=True, command=command, source=source,
        values=((name, value),), pictures=(picture(find_board("stuck").board, caption=caption),),
    )  # fmt: skip
    return Report(
        [registry().find("peg3")], [result], folder, boards=options, options=options, board_set=options
    )


@pytest.mark.slow
@given(st.sampled_from(list(Verdict)), st.lists(hostile, min_size=16, max_size=16))
@example(Verdict.WRONG_ANSWER, ["x`"] * 16)
def test_no_text_breaks_out(verdict: Verdict, texts: list[str]) -> None:
    report = attacked(verdict, texts)
    text, told = render("html", report), report.results[0].harmless()
    seen, plain = Seen(text), Seen(render("html", attacked(verdict, ["x"] * 16)))
    one, other = ([tag for tag in each.tags if tag != ("code",)] for each in (seen, plain))
    assert one == other  # but for what stands between backticks
    assert seen.lines == told.message.splitlines()
    assert is_plain(text)
    assert told.help in "".join(seen.texts)
    text.encode()


def test_a_private_board_is_drawn_only_where_its_message_draws_it() -> None:
    report = mixed_report()
    assert render("html", report).count("<figure") == 2  # of the two that failed on a board
    private = [replace(result, hidden=True) for result in report.results]
    assert render("html", replace(report, results=private)).count("<figure") == 0
    turned = replace(report.results[3], board="english+r90", jumps=[])
    report = replace(report, results=[turned], board_set=" --boards turned:7")
    assert render("html", report).count("<figure") == 1


def test_a_failure_on_another_board_is_shown_on_that_one() -> None:
    task, start = registry().find("peg4"), find_board("spread-8+r90").board
    failed = Result("peg4", "spread-8", Verdict.WRONG_ANSWER, 2, message="b", facts={"asked": "spread-8+r90"})
    report = Report([task], [failed], "student")
    assert format_board(html_report._board(task, failed, report)) == format_board(start)
    late = replace(failed, verdict=Verdict.TIMEOUT)
    assert format_board(html_report._board(task, late, report)) == format_board(start)
    illegal = replace(failed, verdict=Verdict.ILLEGAL_MOVE, pictures=(picture(start, caption="before"),))
    text = render("html", replace(report, results=[illegal]))
    assert (text.count('<figure class="picture"'), text.count("<figure")) == (1, 1)
    assert "grade peg4 --board spread-8+r90" in text


def test_alike_failures_are_folded_below_the_first_and_checks_below_all() -> None:
    def failed(board: str, verdict: Verdict = Verdict.CRASHED) -> Result:
        return Result(
            "peg3", board, verdict, 1, message="IndexError", help="look at the line", place="peg3.py:7"
        )

    passed = Result("peg3", "plus", Verdict.ACCEPTED, 1, answer="solved, 1 jump", points=1)
    results = [passed, *map(failed, ("english", "stuck", "one-jump")), failed("choice", Verdict.WRONG_ANSWER)]
    tasks, by = [registry().find("peg3")], Provenance("2026-11-23T13:40+00:00", "0.1.0", python="3.12.1")
    text = render("html", replace(mixed_report(), results=results, tasks=tasks, made=by))
    made = text.index("graded 2026-11-23 13:40 UTC by peg-solitaire 0.1.0, Python 3.12.1, tier 0, time")
    assert text.count('class="card"') == 2 and text.count("IndexError") == 2
    told = "the same on: stuck, one-jump; 1 more check without full marks: choice"
    first, folded, second, below = (text.index(part) for part in ('id="t0-1"', told, 'id="t0-4"', ">plus<"))
    assert first < folded < second < below < made
    assert text.count("<details") - text.count('class="game-text"') == 2 and "<details open" not in text


def test_a_cause_in_several_tasks_has_one_card_and_the_third_is_folded() -> None:
    """The heading is a name, and what is not written yet has no card that is open."""

    def failed(task: str, board: str, code: str, verdict: Verdict = Verdict.CRASHED) -> Result:
        return Result(task, board, verdict, 1, message=f"told {code}", code=code, place="client.py:7")

    results = [
        failed("client", "keys", "one"), failed("client", "hash", "two"), failed("peg3", "stuck", "one"),
        failed("peg4", "english", "three"), failed("peg5", "english", "later", Verdict.NOT_WRITTEN),
    ]  # fmt: skip
    tasks = [registry().find(name) for name in ("client", "peg3", "peg4", "peg5")]
    text = render("html", replace(mixed_report(), results=results, tasks=tasks, name="Ada", total=("3", "5")))
    assert "<h1>Ada</h1>" in text and "<strong>3 / 5</strong>" in text and "not written, 0 / 1" in text
    assert text.count('class="card"') == 4 and "the same on: peg3 stuck" in text
    parts = ("told one", "told two", "1 more cause: peg4 english", "told three", "peg5: ", "told later")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_failures_of_two_tasks_without_a_place_have_a_card_each() -> None:
    results = [
        Result(task, "english", Verdict.TIMEOUT, 1, message=f"{task} stopped", code="slow")
        for task in ("peg3", "peg4")
    ]
    tasks = [registry().find(name) for name in ("peg3", "peg4")]
    text = render("html", replace(mixed_report(), results=results, tasks=tasks))
    assert text.count('class="card"') == 2 and "peg4 stopped" in text


def test_a_slip_for_which_nothing_could_be_graded_comes_first() -> None:
    absent = Result("peg1", "one-peg", Verdict.NOT_WRITTEN, 1, message="no such file", code="cannot-be-read")
    slip = "hand in client.py: peg1.py needs it"
    tasks = [registry().find("peg1")]
    text = render("html", replace(mixed_report(), results=[absent], tasks=tasks, packed=[slip]))
    assert f"next: pack your files again: {slip}" in text
    assert text.index("Nothing could be graded") < text.index("no such file")


def test_a_board_that_is_gone_is_left_out() -> None:
    report = mixed_report()
    gone = replace(report.results[2], board="gone/board.txt", verdict=Verdict.WRONG_ANSWER, message="no")
    text = render("html", replace(report, results=[gone]))
    assert "<figure" not in text
    assert ">1:3 -&gt; 3:3,<" in text and ">4:3 -&gt; 6:3<" in text


def test_full_marks_are_of_the_visible_checks() -> None:
    report = mixed_report()
    full = replace(report, results=[report.results[0], report.results[2]])
    assert "all visible checks passed" in render("html", full)
    assert "all visible checks passed" not in render("html", report)


def test_without_jinja2_the_command_says_what_to_install(tmp_path: Path) -> None:
    without = "import sys; sys.modules['jinja2'] = None; from grader.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", without, "client", "--format", "html", "-o", "report.html"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("--format html needs jinja2, which is not installed\nhelp: pip install jinja2\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_release_makes_the_report_too(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    cli.main(["release", str(folder)], standalone_mode=False)
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); from grader.cli import main; main()",
         "client", "--format", "html", "-o", "report.html"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "report.html: 0 / 10\n")
    assert "0 / 10" in (folder / "report.html").read_text("utf-8")


# ---- in a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render("html", mixed_report()), "utf-8")
    return path.as_uri()


def pegs(figure: Any) -> int:
    return figure.locator(".peg.there").count()


def test_a_game_is_stepped_through_from_its_end(visits: Visits, tmp_path: Path) -> None:
    report = mixed_report()
    lost = replace(report.results[2], verdict=Verdict.WRONG_ANSWER, message="the 31 jumps leave 1", points=0)
    path = tmp_path / "game.html"
    path.write_text(render("html", replace(report, results=[*report.results[:2], lost])), "utf-8")
    file = path.as_uri()
    page = visits.window()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file)
    figure = page.locator("#t1-0 figure")
    assert pegs(figure) == 1  # what the message speaks of
    figure.locator("input").fill("0")
    assert pegs(figure) == 32
    figure.locator(".next").click()
    assert pegs(figure) == 31
    figure.locator(".back").click()
    assert pegs(figure) == 32
    figure.locator(".back").press("Enter")  # there is nothing before the beginning
    assert pegs(figure) == 32
    figure.locator("input").fill("20")
    assert pegs(figure) == 12
    figure.locator("input").press("End")
    assert pegs(figure) == 1
    assert figure.locator(".status").inner_text() == "Jump 31 of 31: 4:3 → 6:3. 1 peg left."
    assert requests == [file]
    parts = html_page.inside(html_report.STYLES, html_report.SCRIPTS)
    assert len(parts["script"]) < 30_000  # each report of a class has it


def test_an_illegal_jump_stops_the_replay(visits: Visits, file: str) -> None:
    page = visits.window()
    page.goto(f"{file}#t2-0")  # unfolds it
    figure = page.locator("#t2-0 figure")
    assert pegs(figure) == 30  # it begins where it went wrong
    figure.locator(".back").press("Enter")
    assert figure.locator(".arrow.illegal").count() == 0
    for _ in range(2):  # once too often
        figure.locator(".next").press("Enter")
    assert pegs(figure) == 30
    assert figure.locator(".status").inner_text() == (
        "Jump 3, 2:0 → 2:2, is illegal: it jumps over 2:1, which is empty."
    )
    assert figure.locator(".arrow.illegal").count() == 1


def test_a_value_that_is_a_board_is_drawn_once() -> None:
    text = format_board(find_board("stuck").board)
    result = Result("peg2", "stuck", Verdict.CONTRACT, 1, values=(("board", text), ("pegs", "3")))
    said = card(result)
    assert said["values"] == [("pegs", "3")]
    (drawn,) = said["pictures"]
    assert (drawn["caption"], drawn["cells"]) == ("`board`", "".join(text.split()))
    said = card(replace(result, pictures=(picture(find_board("stuck").board, caption="as it is left"),)))
    assert [each["caption"] for each in said["pictures"]] == ["as it is left"]


@pytest.mark.parametrize("width", [1366, 1024])
def test_what_failed_first_is_seen_without_scrolling(visits: Visits, tmp_path: Path, width: int) -> None:
    about = [f"style: remark {number}, which is about as long as such remarks are" for number in range(12)]
    (tmp_path / "long.html").write_text(render("html", replace(mixed_report(), about=about)), "utf-8")
    page = visits.window(viewport={"width": width, "height": 768})
    page.goto((tmp_path / "long.html").as_uri())
    help = page.locator(".card .help").first.bounding_box()
    assert page.locator(".card .headline").first.bounding_box()["y"] < help["y"]
    assert help["y"] + help["height"] <= 768


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_easy_to_use_on_a_phone(visits: Visits, file: str, scheme: str) -> None:
    axe = axe_source()
    page = visits.window(viewport=PHONE, color_scheme=scheme)
    page.goto(file)
    for folded in page.locator("summary").all():
        folded.click()
    page.locator("#t2-0 .back").click()
    assert page.locator("article.card").count() == 3
    assert accessibility_faults(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 384) == (scheme == "dark")


def test_on_paper_all_boards_and_jumps_are_there_and_no_controls(visits: Visits, file: str) -> None:
    page = visits.window(color_scheme="dark")
    page.goto(file)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert [svg.is_visible() for svg in page.locator("figure svg").all()] == [True] * 2
    assert page.locator("button:visible, input:visible").count() == 0
    assert page.locator("#t2-0").get_by_text("1:3 -> 3:3").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


def test_it_can_be_read_without_javascript(visits: Visits, file: str) -> None:
    page = visits.window(java_script_enabled=False)
    page.goto(file)
    page.locator("details.part summary").first.click()
    assert page.locator("figure svg:visible").count() == 2
    assert page.locator("button:visible, input:visible").count() == 0
    assert page.get_attribute("#t2-0 svg", "aria-label") == "board with 32 pegs"


SAID = {
    "head": "stuck",
    "word": "FAIL",
    "headline": "`f` leaves <b>3</b>, ` and one",
    "help": "look at `f` and `g`, and 2:0 -> 2:2 -> 2:4, -> 1:1",
    "command": "grade peg3 -d",
    "place": "student/peg3.py:7",
    "source": "    return  pegs",
    "more": ["first `x`", "  then y"],
    "values": [["board", "[[1 0]\n [0 1]]"], ["<i>", "&amp;"]],
    "pictures": [
        {
            "cells": "**o" + "." * 61,
            "marks": [["from", 0, 0], ["over", 0, 1], ["to", 0, 2]],
            "caption": "`a`",
        },
        {"cells": "*oo" + "." * 61, "marks": [["from", 0, 0], ["no-peg", 0, 1], ["to", 0, 2]], "caption": ""},
    ],
}
EVERY_ELEMENT = """root => [...root.querySelectorAll("*")].map((each) => [
    each.tagName, ...each.getAttributeNames().filter((name) => name !== "id" && !each.getAttribute(name).includes("#"))
        .sort().map((name) => `${name}=${each.getAttribute(name).replace(/,\\s*/g, ",")}`),
    each.children.length > 0 ? "" : each.textContent.trim(),
].join(" "))"""


@pytest.mark.parametrize("fields", [SAID.keys(), ("headline", "more", "values", "pictures")])
def test_the_script_makes_the_card_of_the_template(
    visits: Visits, tmp_path: Path, fields: Iterable[str]
) -> None:
    bare = {**dict.fromkeys(SAID, ""), "more": [], "values": [], "pictures": []}
    said = {**bare, **{name: SAID[name] for name in fields}}
    (tmp_path / "own.js").write_text(
        f"document.querySelectorAll('svg').forEach(drawPicture); document.body.append(card({json.dumps(said)}));"
    )
    names = ("position", "drawing", "drag", "elements", "board", "card")
    scripts = [*(html_page.STATIC / f"{name}.js" for name in names), tmp_path / "own.js"]
    template = html_page.environment(html_page.TEMPLATES).get_template("card.html").module
    script = html_page.inside([], scripts)["script"]
    (tmp_path / "page.html").write_text(
        f"<!doctype html><article>{template.card(said)}</article><script>{script}</script>", "utf-8"
    )
    page = visits.window()
    page.goto((tmp_path / "page.html").as_uri())
    there, made = (each.evaluate(EVERY_ELEMENT) for each in page.locator("article").all())
    assert there == made and len(made) > 3
