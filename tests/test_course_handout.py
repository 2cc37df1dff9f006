"""The instructor's handout "Set up a course in ten minutes", followed to the letter, from an empty folder."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ROOT

PAGE = ROOT / "handouts" / "instructor" / "course.md"


@pytest.mark.slow
def test_from_an_empty_folder_to_a_gradebook(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    script = tmp_path / "script.sh"
    text = "\n".join(blocks)
    compare = "grade compare before submissions-graded\n"
    assert compare in text
    script.write_text(
        "set -eux\n" + text.replace(compare, f"{compare.strip()} || [ $? = 1 ] && echo different\n")
    )
    place = tmp_path / "empty"
    place.mkdir()
    own = {"COURSE": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", script], cwd=place, env={**os.environ, **own}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    assert "1 student with differences" in done.stdout
    graded = place / "submissions-graded"
    with (graded / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == {"ada", "ben", "cleo"}
    assert rows["ada"]["total"] == rows["ada"]["of"] != "0"
    assert (rows["ben"]["client"], rows["ben"]["peg1"]) == ("10", "0")
    assert rows["cleo"]["name"] == "Cleo Absent"
    table = PAGE.read_text("utf-8").partition("The results are in")[2].partition("Type the same")[0]
    named = re.findall(r"`([a-z.]+)/?`", table)
    assert {name.rstrip("/") for name in named if "." in name or name == "feedback"} <= {
        path.name for path in graded.iterdir()
    }
    assert (place / "peg-solitaire.zip").is_file()


def test_every_page_is_linked() -> None:
    """From the first page every other one can be reached, and no link leads nowhere."""
    seen, to_see = set(), [PAGE]
    while to_see:
        page = to_see.pop()
        seen.add(page)
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            target = (page.parent / link).resolve()
            assert target.exists(), f"{page.name}: {link}"
            if target.suffix == ".md" and target not in seen:
                to_see.append(target)
    assert set(PAGE.parent.glob("*.md")) <= seen
