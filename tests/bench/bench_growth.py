"""How time and memory of the exact engine grow with holes and with pegs, as points and as a picture.

    python tests/bench/bench_growth.py [--counted FOLDER]...           measure, write growth.csv, draw
    python tests/bench/bench_growth.py --draw [--counted FOLDER]...    measure nothing, draw growth.csv

By holes: a problem with one vacancy and one last hole, its solutions counted and its fewest moves proved, levels
in files (`grader.research.counts`), for each board the first problem with the fewest symmetries. Boards beyond
33 holes are not computed here: of those in the FOLDER of a run of that command, the one that took longest. By pegs: every position that
can be reached from random positions of the English board, the median of ROUNDS. Each board is a process of its own.
"""

import argparse
import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from grader.commands.chain_plot import HEAD, SERIES
from grader.oracle.shape import Shape
from grader.research.counts import SHAPES, Watch, count_pair, pairs_of
from grader.research.level_files import load_record

HERE = Path(__file__).resolve().parent
POINTS = HERE / "growth.csv"
PICTURE = HERE.parent.parent / "docs" / "images" / "growth.svg"
ENGLISH = [(row, col) for row in range(7) for col in range(7) if 2 <= row <= 4 or 2 <= col <= 4]
MEASURED = {
    f"{rows} x {cols}": [(row, col) for row in range(rows) for col in range(cols)]
    for rows, cols in ((4, 4), (4, 5), (4, 6), (5, 5), (4, 7), (5, 6))
} | {"English": ENGLISH}
COUNTED = {"6 x 6": SHAPES["square"], "French": SHAPES["french"]}
PEGS = range(8, 33, 2)
ROUNDS = 5


class Point(NamedTuple):
    """What one board took; `positions` are those that win (by holes) or can be reached (by pegs)."""

    by: str
    board: str
    x: int
    positions: int
    cpu_s: float
    peak_mib: float


# ---- measuring -----------------------------------------------------------------------------------


def measure_holes(name: str) -> Point:
    """Count a problem of a board, after one of a small board, so that all is compiled."""
    shape = Shape(MEASURED[name])
    with tempfile.TemporaryDirectory() as folder:
        small = Shape(MEASURED["4 x 4"])
        for number, each in enumerate((small, shape)):
            row = next(count_pair(each, plainest(each), Path(folder) / str(number), Watch(1)))
    return Point("holes", name, len(shape.holes), sum(row["winning"]), row["cpu_s"], row["peak_mib"])


def plainest(shape: Shape) -> list[tuple[int, int]]:
    """The first problem that has the fewest symmetries, and its reverse."""
    return min(pairs_of(shape), key=lambda pair: len(shape.symmetries_that_keep([pair[0][0]], [pair[0][1]])))


def counted(name: str, folders: list[Path]) -> Point | None:
    """Return the problem of a large board that took longest in a run of `grader.research.counts`, if any."""
    shape = Shape(COUNTED[name])
    rows = [load_record(file) for folder in folders for file in folder.glob("*.json")]
    own = [row for row in rows if row and row["holes"] == str(shape.holes)]
    if not own:
        return None
    row = max(own, key=lambda each: float(each["cpu_s"]))
    return Point("holes", name, len(shape.holes), sum(row["winning"]), row["cpu_s"], row["peak_mib"])


def measure_pegs(pegs: int) -> Point:
    """Count what can be reached from some random positions."""
    from grader import oracle
    from grader.oracle.analysis import peak_mib

    shape = Shape(ENGLISH)
    chance = Random(pegs)
    oracle.reachable(shape.board(0b111))
    found = []
    for _ in range(ROUNDS):
        board = shape.board(sum(1 << hole for hole in chance.sample(range(33), pegs)))
        began = time.process_time()
        positions = sum(oracle.reachable(board).raw)
        found.append((positions, time.process_time() - began))
    positions, cpu_s = (statistics.median(each) for each in zip(*found, strict=True))
    return Point("pegs", "English", pegs, int(positions), cpu_s, peak_mib())


def measured(by: str, which: str) -> Point:
    """Measure in a process of its own, so that the memory is that of this board alone."""
    run = [sys.executable, __file__, "--measure", by, which]
    values = json.loads(subprocess.run(run, stdout=subprocess.PIPE, check=True, text=True).stdout)
    point = Point(*values)
    print(point, flush=True)
    return point


# ---- drawing -------------------------------------------------------------------------------------

WIDTH, HEIGHT = 900, 430
TITLE = "How time and memory of the exact engine grow"
PANEL, LEFT, TOP, BOTTOM = 350, 70, 100, 64


class Panel(NamedTuple):
    """A plot with a logarithmic axis upwards."""

    left: int
    low_x: int
    high_x: int
    low: int  # powers of ten
    high: int

    def place(self, x: float, y: float) -> tuple[float, float]:
        share = (math.log10(y) - self.low) / (self.high - self.low)
        right = self.left + PANEL * (x - self.low_x) / (self.high_x - self.low_x)
        return right, HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def frame(self, title: str, below: str, step: int) -> list[str]:
        parts = [text(self.left, TOP - 40, title)]
        for power in range(self.low, self.high + 1):
            _, y = self.place(self.low_x, 10.0**power)
            kind = "axis" if power == self.low else "grid"
            parts.append(
                f'<line class="{kind}" x1="{self.left}" x2="{self.left + PANEL}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            name = f"{10**power:,}" if 0 <= power <= 4 else f"{10.0**power:g}" if power < 0 else f"1e{power}"
            parts.append(text(self.left - 8, y + 5, name, "end"))
        for x in range(self.low_x, self.high_x + 1, step):
            right, y = self.place(x, 10.0**self.low)
            parts.append(text(right, y + 20, str(x), "middle"))
        parts.append(text(self.left + PANEL / 2, HEIGHT - 16, below, "middle"))
        return parts

    def series(self, points: list[tuple[float, float, str]], number: int, name: str) -> list[str]:
        """Draw points with a line through them; each has a title, which browsers show when pointed at."""
        at = [(*self.place(x, y), title) for x, y, title in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in at)
        parts = [f'<polyline class="l{number}" points="{path}" fill="none" stroke-width="2"/>']
        parts += [
            f'<circle class="s{number}" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{title}</title></circle>'
            for x, y, title in at
        ]
        left = self.left + 120 * number
        parts.append(f'<rect class="s{number}" x="{left}" y="{TOP - 28}" width="12" height="12"/>')
        return [*parts, text(left + 17, TOP - 17, name)]


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


def draw(points: list[Point]) -> str:
    """Draw seconds, memory and positions, by holes on the left, by pegs on the right."""
    parts = [
        HEAD.format(
            width=WIDTH,
            height=HEIGHT,
            title=TITLE,
            description="; ".join(
                f"{each.board}, {each.x} {each.by}: {each.positions:,} positions, {each.cpu_s:.2f} CPU s, "
                f"{each.peak_mib:,.0f} MiB"
                for each in points
            ),
            light="\n".join(rules(number, pair[0]) for number, pair in enumerate(SERIES)),
            dark="\n".join(rules(number, pair[1]) for number, pair in enumerate(SERIES)),
        ),
        f'<text class="title" x="16" y="30">{TITLE}</text>',
    ]
    panels = (
        ("holes", Panel(LEFT, 16, 38, -3, 10), "one problem, by the holes of the board", "holes", 2),
        (
            "pegs",
            Panel(LEFT + PANEL + 100, 8, 32, -3, 10),
            "all that can be reached, English board",
            "pegs",
            4,
        ),
    )
    for by, panel, title, below, step in panels:
        of_panel = [each for each in points if each.by == by]
        parts += panel.frame(title, below, step)
        for number, (name, values) in enumerate(
            (
                ("CPU seconds", [each.cpu_s for each in of_panel]),
                ("MiB", [each.peak_mib for each in of_panel]),
                ("positions", [float(each.positions) for each in of_panel]),
            )
        ):
            shown = [
                (each.x, max(value, 10.0**panel.low), f"{each.board}, {each.x} {by}: {value:,.3g} {name}")
                for each, value in zip(of_panel, values, strict=True)
                if value > 0
            ]
            parts += panel.series(shown, number, name)
    return "\n".join([*parts, "</svg>", ""])


def rules(number: int, colour: str) -> str:
    return f"  .s{number} {{ fill: {colour}; }} .l{number} {{ stroke: {colour}; }}"


# ---- the command ---------------------------------------------------------------------------------


def read_points() -> list[Point]:
    with POINTS.open(newline="") as stream:
        return [
            Point(by, board, int(x), int(positions), float(cpu_s), float(peak_mib))
            for by, board, x, positions, cpu_s, peak_mib in list(csv.reader(stream))[1:]
        ]


def write_points(points: list[Point]) -> None:
    with POINTS.open("w", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(Point._fields)
        table.writerows(each._replace(cpu_s=round(each.cpu_s, 4)) for each in points)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--counted", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--draw", action="store_true", help="measure nothing; take in what FOLDERs have")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        by, which = asked.measure
        print(json.dumps(measure_holes(which) if by == "holes" else measure_pegs(int(which))))
        return
    if asked.draw:
        points = read_points()
    else:
        points = [measured("holes", name) for name in MEASURED]
        points += [measured("pegs", str(pegs)) for pegs in PEGS]
    large = [point for name in COUNTED if (point := counted(name, asked.counted))]
    points = [each for each in points if each.board not in [point.board for point in large]] + large
    write_points(sorted(points, key=lambda each: (each.by, each.x)))
    PICTURE.write_text(draw(read_points()), "utf-8")


if __name__ == "__main__":
    main()
