"""The scripts of the pages, as TypeScript and ESLint see them; `make scripts` fetches both with npm."""

import shutil
import subprocess
from pathlib import Path

import pytest

from support.browsing import missing
from support.command import ROOT

FETCHED = ROOT / ".venv" / "scripts" / "node_modules"
CONFIGURATION = ("package.json", "tsconfig.json", "eslint.config.js", "fetched.d.ts")
PAGES = {
    "film": ROOT / "grader" / "film" / "static",
    "play": ROOT / "grader" / "play" / "static",
    "web": ROOT / "grader" / "web" / "static",
    "report": ROOT / "grader" / "reports" / "templates",
    ".": ROOT / "grader" / "site" / "static",
}  # by their folders in an address, which is the site's


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Return a folder with all scripts, laid out as they are served: so each import is found."""
    if not FETCHED.is_dir() or shutil.which("node") is None:
        missing("TypeScript and ESLint", "make scripts, which needs npm (apt-get install npm)")
    for folder, source in PAGES.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        for script in source.glob("*.js"):
            shutil.copy(script, tmp_path / folder)
    for name in CONFIGURATION:
        shutil.copy(ROOT / "tests" / "scripts" / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(FETCHED)
    return tmp_path


def said_by(tool: str, *arguments: str, folder: Path) -> str:
    """Return what a tool complains of."""
    done = subprocess.run(
        [f"node_modules/.bin/{tool}", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (done.stdout.strip() == ""), done
    return done.stdout


@pytest.mark.parametrize(
    ("tool", "arguments", "mistake", "told"),
    [
        ("tsc", ("-p", "."), "byIdd(1);\n", "Cannot find name 'byIdd'"),
        ("eslint", (".",), "let unused = 1 == 2;\n", "no-unused-vars"),
    ],
)
def test_no_mistake_is_found(
    scripts: Path, tool: str, arguments: tuple[str, ...], mistake: str, told: str
) -> None:
    checked = [file for folder in PAGES.values() for file in folder.glob("*.js")]
    assert all(file.read_text("utf-8").startswith("// @ts-check\n") for file in checked)
    assert said_by(tool, *arguments, folder=scripts) == ""
    with (scripts / "web" / "page.js").open("a") as page:
        page.write(mistake)
    assert told in said_by(tool, *arguments, folder=scripts)
