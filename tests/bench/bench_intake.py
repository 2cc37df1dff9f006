"""How long it takes to take in a class of 1,000 and read every file of it.

    python tests/bench/bench_intake.py [STUDENTS]

The reference with a line of each student's own, as folders, as one .zip of them, as an archive a student. Beside
each, in turn, reading the same files from the folders with nothing checked, which is what no intake can undercut.
"""

import io
import resource
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from grader import paths
from grader.catalog.tasks import registry
from grader.course.handins.intake import take_in

NAMES = sorted({file for task in registry().tasks.values() for file in task.files})


def make(place: Path, students: int) -> dict[str, Path]:
    """Write the class in each layout and return where."""
    places = {
        "folders": place / "folders",
        "one .zip": place / "all.zip",
        "a .zip each": place / "zips",
        "a .tar.gz each": place / "tars",
    }
    for folder in ("folders", "zips", "tars"):
        (place / folder).mkdir()
    with zipfile.ZipFile(places["one .zip"], "w", zipfile.ZIP_DEFLATED) as whole:
        for index in range(students):
            id = f"s{index:04}"
            folder = places["folders"] / id / "student"
            folder.mkdir(parents=True)
            with (
                zipfile.ZipFile(place / "zips" / f"{id}.zip", "w", zipfile.ZIP_DEFLATED) as packed,
                tarfile.open(place / "tars" / f"{id}@x.edu_1_handin.tar.gz", "w:gz", compresslevel=1) as tar,
            ):
                for name in NAMES:
                    content = (paths.REFERENCE / name).read_bytes() + f"# {id}\n".encode()
                    (folder / name).write_bytes(content)
                    whole.writestr(f"class/{id}/student/{name}", content)
                    packed.writestr(f"student/{name}", content)
                    member = tarfile.TarInfo(f"student/{name}")
                    member.size = len(content)
                    tar.addfile(member, io.BytesIO(content))
    return places


def read_class(place: Path) -> int:
    """Take in a class, read all of it, and return how many files that were."""
    handins = take_in(place).handins
    return sum(handin.read(name) is not None for handin in handins for name in NAMES)


def read_bare(folder: Path) -> int:
    """Read the files in a folder."""
    return sum(len(file.read_bytes()) > 0 for file in folder.glob("*/student/*.py"))


def seconds(read: Callable[[Path], int], place: Path) -> tuple[float, int]:
    """Return the CPU seconds that reading a class takes, and how many files were read."""
    start = time.process_time()
    files = read(place)
    return time.process_time() - start, files


def main() -> None:
    """Measure and print one table."""
    students = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for layout, place in make(Path(scratch), students).items():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            taken, files = seconds(read_class, place)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            bare, _ = seconds(read_bare, Path(scratch) / "folders")
            rows.append([layout, files, f"{taken:.2f} s", f"{bare:.2f} s", f"{grown:.1f} MiB"])
    print(
        tabulate(
            rows,
            headers=[f"{students:,} students", "files", "CPU, taken in and read", "CPU, bare", "memory grew"],
        )
    )


if __name__ == "__main__":
    main()
