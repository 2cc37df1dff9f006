"""The programs that give hints."""

import shutil
from pathlib import Path

import pytest

from grader import paths
from grader.play.programs import Programs
from grader.web import positions

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("private_cache")]

WRONG = "def peg_solve(board, stack, unsolvable):\n    return 0\n"
ON_THE_WAY = ("english", "english/1333", "english/1333.2123")


def test_a_program_is_asked_as_it_is_saved(tmp_path: Path) -> None:
    for name in ("client", "peg1", "peg3"):
        shutil.copy(paths.REFERENCE / f"{name}.py", tmp_path)
    programs = Programs(tmp_path)

    def verdict(position: str) -> object:
        cells = positions.format_cells(positions.position_of(position).board)
        return programs.answer("peg3", cells)["verdict"]

    try:
        for position in ON_THE_WAY:
            assert verdict(position) == "accepted"
        right = (tmp_path / "peg3.py").read_text()
        for written, said in ((WRONG, "bad-return"), (WRONG, "bad-return"), (right, "accepted")):
            (tmp_path / "peg3.py").write_text(written)
            assert verdict("english") == said
    finally:
        programs.close()
