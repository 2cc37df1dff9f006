"""By what a report was made, and what a newer Python than the course's would have run."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader import cli
from grader.catalog.tasks import registry
from grader.course.reports import class_summary
from grader.course.reports.class_numbers import class_numbers
from grader.course.reports.feedback import basis_of, report_of
from grader.course.store import ClassStore, Graded, Todo
from grader.errors import InputError
from grader.messages import python_errors
from grader.messages.catalogue import say
from grader.release.release import release_files
from grader.reports.provenance import Provenance, here
from grader.reports.report import Report, render
from support.class_store import class_by_lot, right, standings_of

MADE = Provenance("2026-10-09T23:59+02:00", "0.1.0", "12ab", "3.12.1", "0.61.2")


def test_what_made_it_is_what_is_installed() -> None:
    made = here()
    assert made.python == ".".join(map(str, sys.version_info[:3]))
    assert made.grader and made.numba
    git = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False, cwd=Path(__file__).parent
    )
    assert git.returncode or (git.stdout.startswith(made.commit.removesuffix("+changes")) and made.commit)


@pytest.mark.parametrize(
    "format", ["table", "json", "gradescope", "autolab", "github", "junit", "markdown", "html"]
)
def test_each_report_names_it(format: str) -> None:
    report = Report([registry().find("client")], right("client"), "student", time_factor=1.25, made=MADE)
    text = render(format, report).replace("\n  ", " ")
    if format in ("json", "gradescope"):
        data = json.loads(text)
        made = (data if format == "json" else data["extra_data"])["made"]
        assert made == {
            "date": "2026-10-09T23:59+02:00", "grader": "0.1.0", "commit": "12ab", "python": "3.12.1",
            "numba": "0.61.2", "tiers": [0], "time_factor": 1.25,
        }  # fmt: skip
        text = data.get("output", "")
    if format != "json":
        words = "2026-10-09 23:59|0.1.0|commit 12ab|Python 3.12.1|numba 0.61.2|tier 0|x 1.25"
        assert [word for word in words.split("|") if word not in text] == []
    without = render(format, Report([registry().find("client")], right("client"), "student"))
    assert "graded 20" not in without


def test_a_class_s_reports_name_what_graded_it(tmp_path: Path) -> None:
    with ClassStore(tmp_path, create=True) as store:
        class_by_lot(store, 3)
        rows = store.read("SELECT task, sources, setting FROM graded")
        for number, row in enumerate(rows):
            made = MADE if number else replace(MADE, date="2026-10-11T00:01+02:00", commit="34cd")
            store.keep(Graded(Todo(*row), 2, 1.0 + number / 100, right(row[0]), made))
        standings = standings_of(store)
        lines = class_numbers(standings).made
        assert len(lines) == 2
        by = r"graded 2026-10-09 by .* \(commit 12ab\), .*, tier 2, time limits x 1\.01 to 1\.\d\d"
        assert re.fullmatch(by, lines[0])
        assert lines[0] in class_summary.format_summary(standings, class_numbers(standings))
        made = report_of(basis_of(standings.students[0], standings, "x", ""), store).made
        assert made is not None and made.date[:10] in ("2026-10-09", "2026-10-11")


@pytest.mark.parametrize(
    ("line", "version", "id"),
    [
        ("type Number = int", (3, 11), "newer-python"),
        ("type Number = int", (3, 12), None),
        ("def first[T](found: list[T]) -> T:", (3, 11), "newer-python"),
        ("class Stack[T]:", (3, 11), "newer-python"),
        ('print(f"{found["a"]}")', (3, 11), "newer-python"),
        ("    except ValueError, TypeError:", (3, 13), "newer-python"),
        ('t"{found}"', (3, 13), "newer-python"),
        ("def solve(board", (3, 11), None),
        ("type = 3", (3, 11), None),
        ("type(found) = 3", (3, 11), None),
        ('print(f"{found[0]}" + "}")', (3, 11), None),
        ("except (A, B):", (3, 11), None),
        ('print(f"{found")', (3, 11), None),
        ('print(last"")', (3, 11), None),
    ],
)
def test_what_a_newer_python_reads(
    line: str, version: tuple[int, int], id: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_errors.sys, "version_info", (*version, 0))
    found = python_errors.newer_syntax(line)
    assert (found and found[0]) == id
    if found:
        assert found[1]["python"] == "{}.{}".format(*version)
        assert say(found[0], **found[1]).help


def test_a_release_may_pin_its_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here_now = "{}.{}".format(*sys.version_info[:2])
    made = {pin: release_files(pin)["pyproject.toml"] for pin in (None, here_now, "3.19")}
    monkeypatch.setattr(cli.paths, "FRAMEWORK_ROOT", tmp_path)
    cli.check_python()  # there is no pyproject.toml
    for pin in (None, here_now):
        (tmp_path / "pyproject.toml").write_text(made[pin])
        cli.check_python()
    (tmp_path / "pyproject.toml").write_text(made["3.19"])
    assert 'requires-python = "==3.19.*"' in (tmp_path / "pyproject.toml").read_text()
    said = rf"graded with Python 3\.19, found Python {re.escape(here_now)}"
    with pytest.raises(InputError, match=said) as caught:
        cli.check_python()
    assert "make PYTHON=python3.19" in caught.value.help
