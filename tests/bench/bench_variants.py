"""How many points copies of this course's solution have in variants: as it is, and with its moves rewritten.

python tests/bench/bench_variants.py [SEED ...]      usually 1 2 3
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tabulate import tabulate

from grader import paths
from grader.commands import new_folder
from grader.variant import course
from grader.variant.course import draw

PROGRAMS = ("client.py", "peg1.py", "peg2.py", "peg3.py", "peg4.py", "peg5.py")


def copies(drawn_client: str) -> dict[str, dict[str, str]]:
    """Return what might be handed in, as files by name."""
    public = {name: (paths.REFERENCE / name).read_text("utf-8") for name in PROGRAMS}
    moves = {**public, "client.py": drawn_client}
    return {"as it is": public, "moves rewritten": moves}


def main() -> None:
    """Make the variants, grade the copies, and print a table."""
    rows = []
    for seed in map(int, sys.argv[1:] or ("1", "2", "3")):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made, "course")
            new_folder.write(folder, course.files_of(draw(seed), "measured"))
            course.renew(folder, f"{seed}/1")
            client = (folder / "grader/reference/client.py").read_text("utf-8")
            row: list[object] = [seed]
            for name, files in copies(client).items():
                handed_in = Path(made, name)
                new_folder.write(handed_in, files)
                row.append(course.points(folder, "--student", str(handed_in)))
            rows.append(row)
    print(tabulate(rows, headers=["seed", "as it is", "moves rewritten"]))


if __name__ == "__main__":
    main()
