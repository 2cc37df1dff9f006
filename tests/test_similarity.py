"""The layout for compare50, JPlag and Dolos: a folder a student, what everybody was given, and who is who elsewhere."""

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.cli import cli
from grader.commands.export import base_files, pseudonyms, similarity_files
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.release.release import release_files
from support.class_store import take_ungraded

ADA = {"client.py": "a = 1\n", "peg1.py": "b = 2\n"}


def test_a_folder_a_student_and_the_base() -> None:
    students = [("ada", ADA), ("ben", {"peg1.py": "c\n"}), ("cem", {})]
    files = similarity_files(students, {"peg1.py": "stub\n"}, {"reference": {"peg2.py": "d\n"}})
    readme = files.pop("README.md")
    assert files == {
        "submissions/ada/client.py": "a = 1\n",
        "submissions/ada/peg1.py": "b = 2\n",
        "submissions/ben/peg1.py": "c\n",
        "distro/peg1.py": "stub\n",
        "archive/reference/peg2.py": "d\n",
        "dolos-peg1.csv": "filename,full_name\nsubmissions/ada/peg1.py,ada\nsubmissions/ben/peg1.py,ben\n",
    }
    assert "\n    dolos run -f web -l python -i distro/peg3.py dolos-peg3.csv\n" in readme
    assert "\n    compare50 'submissions/*' -d 'distro/*' -a 'archive/*' -o compare50-report\n" in readme
    jplag = "java -jar jplag.jar --mode RUN -l python3 -bc distro -old archive -r jplag-report submissions"
    assert f"\n    {jplag}\n" in readme


def test_the_base_is_the_stubs_and_the_framework() -> None:
    base = base_files(release_files())
    assert {"client.py", "peg1.py", "peg5.py", "framework/board.py", "framework/stack.py"} <= set(base)
    assert not [name for name in base if name.startswith(("grader", "student"))]
    assert [name for name in base if not name.endswith(".py")] == ["examples.yaml"]
    assert 'raise NotImplementedError("peg1: solve is not written yet' in base["peg1.py"]


def test_pseudonyms_say_nothing() -> None:
    ids = [f"s{number:03}" for number in range(200)]
    names = pseudonyms(ids)
    assert sorted(names.values()) == [f"student-{number:03}" for number in range(1, 201)]
    assert [names[each] for each in ids] != sorted(names.values())  # one chance in 200! that lots fall so
    assert pseudonyms(ids) != names


# ---- the command ---------------------------------------------------------------------------------


def made_class(folder: Path, handed_in: Mapping[str, list[Mapping[str, str]]]) -> Path:
    with ClassStore(folder, create=True) as store:
        take_ungraded(store, handed_in)
    return folder


def lay_out(graded: Path, out: Path, *options: str) -> object:
    return cli.main(["export", "similarity", str(graded), str(out), *options], standalone_mode=False)


def text_of(folder: Path) -> dict[str, str]:
    """Return what is handed in, by folder and name."""
    top = folder / "submissions"
    return {str(path.relative_to(top)): path.read_text() for path in top.rglob("*.py")}


def test_the_last_attempt_with_files_is_laid_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handed_in = {"ada": [{"peg1.py": "old"}, ADA], "ben": [{"peg1.py": "b"}, {}], "cem": [{}], "dee": []}
    graded = made_class(tmp_path / "graded", handed_in)
    assert lay_out(graded, tmp_path / "out") == 0
    assert text_of(tmp_path / "out") == {
        "ada/client.py": "a = 1\n", "ada/peg1.py": "b = 2\n", "ben/peg1.py": "b"
    }  # fmt: skip
    assert (tmp_path / "out" / "distro" / "framework" / "board.py").is_file()
    assert (tmp_path / "out" / "archive" / "reference" / "peg5.py").is_file()
    assert "the files of 2 students; 2 without a file left out" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graded", "out"]


def test_an_earlier_term_is_laid_out_beside_the_class(tmp_path: Path) -> None:
    graded = made_class(tmp_path / "graded", {"ada": [ADA], "ben": [{"peg1.py": "b"}]})
    before = made_class(tmp_path / "before", {"ada": [{"peg1.py": "another Ada"}]})
    lay_out(graded, tmp_path / "out", "--earlier", str(before))
    assert sorted(text_of(tmp_path / "out")) == ["ada/client.py", "ada/peg1.py", "ben/peg1.py"]
    assert (tmp_path / "out/archive/earlier-1-ada/peg1.py").read_text() == "another Ada"
    lay_out(graded, tmp_path / "hidden", "--earlier", str(before), "--pseudonyms")
    assert not list((tmp_path / "hidden").rglob("*ada*"))
    assert "earlier-1-student-1,ada" in (tmp_path / "hidden-key.csv").read_text("utf-8")


@pytest.mark.slow
def test_who_is_who_is_written_beside_it(tmp_path: Path) -> None:
    handed_in = {each: [{"peg1.py": each}] for each in ("ada", "=1+1", "\uff1d2")}
    graded = made_class(tmp_path / "graded", handed_in)
    lay_out(graded, tmp_path / "out", "--pseudonyms")
    with (tmp_path / "out-key.csv").open() as stream:
        key = {row["pseudonym"]: row["student"].removeprefix("'") for row in csv.DictReader(stream)}
    assert sorted(key) == ["student-1", "student-2", "student-3"]
    assert text_of(tmp_path / "out") == {f"{name}/peg1.py": student for name, student in key.items()}
    assert "'=1+1" in (tmp_path / "out-key.csv").read_text("utf-8")  # a spreadsheet computes nothing
    assert "'\uff1d2" in (tmp_path / "out-key.csv").read_text("utf-8")
    assert (tmp_path / "out-key.csv").stat().st_mode & 0o077 == 0
    names = " ".join(path.name for path in (tmp_path / "out").rglob("*"))
    assert "ada" not in names and "key" not in names
    (tmp_path / "out").rename(tmp_path / "before")
    with pytest.raises(InputError, match=r"out-key\.csv: is there already"):
        lay_out(graded, tmp_path / "out", "--pseudonyms")
    (tmp_path / "out-key.csv").unlink()
    (tmp_path / "out-key.csv").symlink_to("elsewhere")  # by somebody else
    with pytest.raises(InputError, match=r"out-key\.csv: "):
        lay_out(graded, tmp_path / "out", "--pseudonyms")
    assert not (tmp_path / "elsewhere").exists()


def test_nothing_to_compare(tmp_path: Path) -> None:
    graded = made_class(tmp_path / "graded", {"ada": [ADA], "ben": []})
    with pytest.raises(InputError, match="expected the files of two students or more, found 1"):
        lay_out(graded, tmp_path / "out", "--pseudonyms")
    with pytest.raises(InputError, match=r"found no class\.sqlite in it"):
        lay_out(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out-key.csv").exists()
