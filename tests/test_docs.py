"""The documents as a site: built strictly, searched in Chromium without a network; and the README's first example."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.browsing import ROOT, Visits, accessibility_faults, axe_source, missing

BUILD = [sys.executable, "-m", "mkdocs", "build", "--strict"]
TOP = ("README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "mkdocs.yml")


def build(root: Path, site: Path) -> str:
    """Build the site of a folder and return what is complained of."""
    try:
        import mkdocs  # noqa: F401
    except ImportError:
        missing("mkdocs", "pip install --editable '.[docs]'")
    done = subprocess.run(
        [*BUILD, "--site-dir", str(site)], cwd=root, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    assert build(ROOT, made) == ""
    return made


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a folder with the same documents, to change one of them."""
    for name in TOP:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for room in ("docs", "handouts"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for room in ("framework", "grader"):
        (tmp_path / room).symlink_to(ROOT / room)
    return tmp_path


@pytest.mark.slow
def test_broken_links_and_missing_pages_are_named(copied: Path) -> None:
    faults = (
        ("README.md", "\n[gone](docs/gone.md)\n", "README.md' contains a link 'docs/gone.md'"),
        ("SECURITY.md", "\n[no such part](docs/design.md#gone)\n", "contains a link 'docs/design.md#gone'"),
        ("mkdocs.yml", "      - docs/lost.md\n", "docs/lost.md"),
        ("docs/new.md", "# A page that no menu has\n", "docs/new.md"),
    )
    for page, added, _ in faults:
        with (copied / page).open("a") as file:
            file.write(added)
    complaints = build(copied, copied / "site")
    assert [said for _, _, said in faults if said not in complaints] == []


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere_and_the_search_has_a_name(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"?([^\"\s>]+)", page.read_text("utf-8")
        )
        assert loaded
        assert 'role="dialog" aria-label="Search"' in page.read_text("utf-8"), page
        assert [each for each in loaded if ":" in each and not each.startswith("data:")] == [], page


@pytest.mark.slow
def test_the_search_needs_no_network_and_no_server(site: Path, visits: Visits) -> None:
    page = visits.window(offline=True)
    page.goto((site / "index.html").as_uri())
    page.locator(".md-search__input").focus()  # opens it
    for words, title in (
        ("iterative deepening", "fewest: solve it in the fewest moves"),
        ("namespaces", "What the sandbox promises, by what it is kept, and what is open"),
        ("ht_lookup", "The framework"),
        ("class_allows", "The oracle's questions"),
    ):
        page.locator(".md-search__input").fill("")
        page.locator(".md-search__input").press_sequentially(words)
        page.locator(".md-search-result h1", has_text=title).first.wait_for()
    page.locator(".md-search-result h1", has_text="The oracle's questions").first.click()
    page.wait_for_url("**/docs/api/oracle.html**")
    assert page.locator("h1").first.inner_text().startswith("The oracle's questions")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_a_page_without_scrolling_sideways(site: Path, visits: Visits, scheme: str) -> None:
    """Neither the page nor a table or a block of code in it; and axe-core finds nothing, colours included."""
    axe = axe_source()
    page = visits.window(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    for name in (
        "index",
        "docs/api/framework",
        "handouts/start",
        "handouts/peg5",
        "handouts/instructor/class",
    ):
        page.goto((site / f"{name}.html").as_uri())
        wide = page.evaluate(
            "[document.documentElement, ...document.querySelectorAll('pre > code, .md-typeset__scrollwrap')]"
            ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"
        )
        assert (wide, accessibility_faults(page, axe, preload=False)) == ([], []), name


@pytest.mark.slow
def test_code_fits_beside_the_menu(site: Path, visits: Visits) -> None:
    page = visits.window(viewport={"width": 1366, "height": 768})
    for path in site.rglob("[!4]*.html"):  # 404.html is for a server
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        wide = "each => each.scrollWidth > each.clientWidth"
        assert (
            page.locator("pre").evaluate_all(f"all => all.filter({wide}).map(each => each.innerText)") == []
        )


def test_the_picture_is_small() -> None:
    for path in (ROOT / "docs" / "images").iterdir():
        assert path.stat().st_size < 150_000


# ---- the README ----------------------------------------------------------------------------------


def test_the_readme_is_a_page() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120


@pytest.mark.slow
def test_the_readme_shows_what_grade_prints(tmp_path: Path) -> None:
    """Its peg3 calls each board solved that is in the table."""
    shown = (ROOT / "README.md").read_text("utf-8").split("```output\n")[1].partition("```")[0].splitlines()
    student = tmp_path / "student"
    student.mkdir()
    for name in ("client", "peg1", "peg3"):
        text = (ROOT / "grader" / "reference" / f"{name}.py").read_text("utf-8")
        (student / f"{name}.py").write_text(
            text.replace("unsolvable, key):\n        return pegs", "unsolvable, key):\n        return 1")
        )
    command: Any = [sys.executable, "-c", "from grader.cli import main; main()", *shown[0].split()[2:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    printed = [without_times(line) for line in done.stdout.splitlines()]
    for line in shown[1:]:
        if line != "…":
            assert without_times(line) in printed, done.stdout
            printed = printed[printed.index(without_times(line)) + 1 :]


def without_times(line: str) -> str:
    return re.sub(r" *\d+\.\d\d s", " … s", line)
