"""What one of a pair of submissions says of a private board, and the other hears, in a class with two workers.

    python tests/bench/covert_class.py TRIES

In each try a class of two is graded on a private board of its own. Both programs are tests/covert/peg1.py: on the
private board it sends 64 bits that the board decides, by every way that it knows; on the course's boards it prints
what it receives. Then both hand in again, and the class is graded again. Printed for each way: how many of the 64
bits came over, to the other student in the same run, and to both in the next one. Chance is 0.
"""

import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from grader import paths

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from framework.board import parse_board
from test_covert import PROGRAM, bits_through, number_through

GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]
TASK = "peg2"
LISTENS_ON = "two-games"


def secret(cells: list[int]) -> list[int]:
    """Return the 64 bits to send of a board."""
    return [int(bit) for bit in format(random.Random(str(cells)).getrandbits(64), "064b")]


def program() -> str:
    """Return the program, which sends the bits of a board without blocked cells."""
    text = PROGRAM.read_text("utf-8").replace("    if -1 not in cells:\n", SEND, 1)
    assert SEND in text
    return text


SEND = """    if -1 not in cells:
        import random
        cells = [int(bit) for bit in format(random.Random(str(cells)).getrandbits(64), "064b")]
"""


def graded(folder: Path) -> None:
    """Grade the class in a folder."""
    arguments = ["class", "class", TASK, "-o", "out", "-j", "2"]
    (folder / "course.yaml").write_text("boards: [own, set]\n", "utf-8")
    subprocess.run([*GRADE, *arguments], cwd=folder, check=True, capture_output=True)


def heard(folder: Path) -> list[dict[str, Any]]:
    """Return what was received in each run that the class's results know, the last one last."""
    with sqlite3.connect(folder / "out/class.sqlite") as database:
        rows = database.execute(
            "SELECT result FROM checks WHERE board = ? ORDER BY graded", (LISTENS_ON,)
        ).fetchall()
    return [json.loads(json.loads(result)["printed"]) for (result,) in rows]


def tried(folder: Path, seed: int) -> tuple[list[int], list[dict[str, Any]]]:
    """Return the bits sent in one try, and what each program received: first in one run, then in the next."""
    made = [
        "generate",
        "set",
        *["--kind", "solvable", "--board", "square", "--pegs", "5", "--count", "1", "--seed"],
        str(seed),
    ]
    subprocess.run([*GRADE, *made], cwd=folder, check=True, capture_output=True)
    for name in ("ada", "bob"):
        (folder / "class" / name).mkdir(parents=True)
        for file in ("client.py", "peg1.py"):
            (folder / "class" / name / file).write_bytes((paths.REFERENCE / file).read_bytes())
    for run in (1, 2):
        for name in ("ada", "bob"):
            (folder / "class" / name / f"{TASK}.py").write_text(
                f"{program()}# {name} {run} {seed}\n", "utf-8"
            )
        graded(folder)
    [board] = (folder / "set").glob("*.txt")
    cells = [int(cell) for cell in parse_board(board.read_text("utf-8")).reshape(-1)]
    received = heard(folder)
    assert len(received) == 4, received
    return secret(cells), received


@click.command()
@click.argument("tries", type=int)
def main(tries: int) -> None:
    """Print how many bits came over by each way."""
    sent, numbers = [], []
    found: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for seed in range(tries):
        with tempfile.TemporaryDirectory() as folder:
            bits, received = tried(Path(folder), seed)
        sent.append("".join(map(str, bits)))
        numbers.append(sum(bit << at for at, bit in enumerate(bits[:4])))
        for where, ways in zip(("same run", "same run", "next run", "next run"), received, strict=True):
            for way, told in ways.items():
                found[way, where].append(told)
        click.echo(f"{seed + 1} of {tries}", err=True)
    rows = []
    for (way, where), all_told in sorted(found.items()):
        pairs = len(all_told) // tries
        if all(isinstance(told, str) and told for told in all_told):
            width = bits_through([each for each in sent for _ in range(pairs)], all_told)
        elif all(isinstance(told, int | float) for told in all_told):
            width = number_through([each for each in numbers for _ in range(pairs)], all_told)
        else:
            width = None
        rows.append([way, where, "refused" if width is None else f"{width:.2f}"])
    click.echo(tabulate(rows, headers=["way", "heard in the", "bits"]))


if __name__ == "__main__":
    main()
