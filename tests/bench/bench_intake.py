"""How long it takes to take in a class of 1,000 and read every file of it, as each platform hands it over.

    python tests/bench/bench_intake.py [STUDENTS]

The reference with a line of each student's own, in a zip as the platform makes it (but for the folder of
folders), with its roster and its times. Beside each, in turn, reading the same files from the folders with
nothing checked, which is what no intake can undercut. Everybody must have one row, and their own time.
"""

import io
import resource
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from grader import paths
from grader.catalog.tasks import registry
from grader.course.handins.intake import take_in

NAMES = sorted({file for task in registry().tasks.values() for file in task.files})
START = datetime(2026, 10, 9, 12, tzinfo=UTC)


class Person(NamedTuple):
    """A student; their time says who they are."""

    number: int

    @property
    def id(self) -> str:
        """The number at the university."""
        return f"s{self.number:04}"

    @property
    def name(self) -> str:
        """A name that nobody else has."""
        letters = "".join("abcdefghij"[int(digit)] for digit in f"{self.number:04}")
        return f"Ada {letters.title()}"

    @property
    def time(self) -> datetime:
        """When they handed in."""
        return START + timedelta(minutes=self.number)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield what they handed in."""
        for name in NAMES:
            yield name, (paths.REFERENCE / name).read_bytes() + f"# {self.id}\n".encode()


class Layout(NamedTuple):
    """What a platform hands over."""

    download: Path
    roster: str
    times: str = ""


def make(place: Path, people: list[Person]) -> dict[str, Layout]:
    """Write the class in each layout and return where."""
    registrar = "id,name,email\n" + "".join(f"{p.id},{p.name},{p.id}@x.edu\n" for p in people)
    times = "id,submitted at\n" + "".join(f"{p.id},{p.time.isoformat()}\n" for p in people)
    canvas = "Student,ID,SIS User ID,SIS Login ID,Section,peg (11)\nPoints Possible,,,,,100\n"
    moodle = (
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\n"
    )
    metadata = ""
    for p in people:
        number = 5000 + p.number
        canvas += f'"{p.name.split()[1]}, Ada",{number},{p.id},{p.id},A,\n'
        when = f"{p.time:%A, %d %B %Y, %I:%M %p}"
        moodle += f'Participant {number},{p.name},{p.id}@x.edu,Submitted,-,100.00,Yes,"{when}",-,\n'
        metadata += (
            f"submission_{number}:\n  :submitters:\n  - :name: {p.name}\n    :sid: {p.id}\n"
            f"    :email: {p.id}@x.edu\n  :created_at: {p.time:%Y-%m-%d %H:%M:%S} Z\n"
        )
        folder = place / "folders" / p.id / "student"
        folder.mkdir(parents=True)
        for name, content in p.files():
            (folder / name).write_bytes(content)
    pack(place / "canvas.zip", people, lambda p: f"{p.name.split()[1].lower()}ada_{5000 + p.number}_7_")
    pack(place / "moodle.zip", people, lambda p: f"{p.name}_{5000 + p.number}_assignsubmission_file/")
    pack(place / "gradescope.zip", people, lambda p: f"assignment_1_export/submission_{5000 + p.number}/")
    with zipfile.ZipFile(place / "gradescope.zip", "a") as export:
        export.writestr("assignment_1_export/submission_metadata.yml", metadata)
    (place / "autolab").mkdir()
    for p in people:
        with tarfile.open(
            place / "autolab" / f"{p.id}@x.edu_1_handin.tar.gz", "w:gz", compresslevel=1
        ) as packed:
            for name, content in p.files():
                member = tarfile.TarInfo(f"student/{name}")
                member.size = len(content)
                packed.addfile(member, io.BytesIO(content))
    return {
        "a folder each": Layout(place / "folders", registrar, times),
        "Canvas": Layout(place / "canvas.zip", canvas, times),
        "Moodle": Layout(place / "moodle.zip", moodle),
        "Gradescope": Layout(place / "gradescope.zip", registrar),
        "Autolab": Layout(place / "autolab", registrar, times),
    }


def pack(archive: Path, people: list[Person], place_of: Callable[[Person], str]) -> None:
    """Write a zip of everybody's files."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for person in people:
            for name, content in person.files():
                packed.writestr(place_of(person) + name, content)


def taken_in(layout: Layout, people: list[Person], place: Path) -> int:
    """Take in a class, read all of it, check who it is, and return how many files that were."""
    (place / "roster.csv").write_text(layout.roster)
    (place / "times.csv").write_text(layout.times)
    times = place / "times.csv" if layout.times else None
    intake = take_in(layout.download, place / "roster.csv", times, UTC)
    assert len(intake.students) == len(people)
    assert [each.attempt.handed_in for each in intake.handins] == [p.time for p in people]
    return sum(handin.read(name) is not None for handin in intake.handins for name in NAMES)


def main() -> None:
    """Measure and print one table."""
    people = [Person(number) for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        for name, layout in make(place, people).items():
            before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
            files = taken_in(layout, people, place)
            taken, start = time.process_time() - start, time.process_time()
            for file in (place / "folders").glob("*/student/*"):
                file.read_bytes()
            bare = time.process_time() - start
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            rows.append([name, files, f"{taken:.2f} s", f"{bare:.2f} s", f"{grown:.1f} MiB"])
    heads = [f"{len(people):,} students", "files", "CPU, taken in and read", "CPU, bare", "memory grew"]
    print(tabulate(rows, headers=heads))


if __name__ == "__main__":
    main()
