"""`grade pegmark`: measure how evenly client.key_hash spreads boards over the hash table's chains."""

import math
import threading
from dataclasses import dataclass
from html import escape
from pathlib import Path

import click

from framework.board import SIZE
from grader import folders, paths
from grader.catalog.tasks import Asked, Check, registry
from grader.commands.options import PATH, STUDENT, tell_tier, writable
from grader.errors import FULL_MARKS, POINTS_LOST, InputError
from grader.judging import numbers_sent
from grader.judging.judge import Judge
from grader.judging.kinds import client
from grader.judging.kinds.client_verdicts import GOOD
from grader.judging.numbers_sent import Spread, spread
from grader.reports.content import plain_table
from grader.sandbox.asking import Load
from grader.sandbox.confine import offers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import read_submission

BOARDS = 50_000
CPU_S = 30.0


@click.command()
@STUDENT
@click.option(
    "-o", "output", type=PATH, metavar="FILE.svg", callback=writable,
    help="Also write a drawing of the chains to FILE.svg.",
)  # fmt: skip
def pegmark(student: Path, output: Path | None) -> int:
    """Measure how evenly client.key_hash spreads boards over the chains of the hash table.

    For comparison, the report also shows the course's own hash function (if it is
    here), a poor one, and the spread to expect by chance.
    """
    if output is not None and output.suffix != ".svg":
        raise InputError(f"-o {output}: expected a name that ends in .svg", f"-o {output.stem}.svg")
    tier = tell_tier()
    columns: list[Chains] = []
    if student.resolve() != paths.REFERENCE:
        found = _spread_of(student, tier)
        if isinstance(found, str):
            click.echo(found)
            return POINTS_LOST
        columns.append(measured("yours", *found))
    if paths.REFERENCE.is_dir():
        found = _spread_of(paths.REFERENCE, tier)
        if isinstance(found, str):
            raise InputError(f"the reference fails: {found}", "fix grader/reference/client.py")
        columns.append(measured("reference", *found))
    sums = spread(_sums_of_coordinates())
    columns.append(measured("sum of row + col", sums))
    columns.append(by_chance(BOARDS, sums.chains))
    click.echo(f"{table(columns, BOARDS, sums.chains)}\n\n{bars(columns)}")
    if output is not None:
        folders.write_whole(output, svg(columns, BOARDS))
        click.echo(f"{paths.shown(output)}: the same as a picture", err=True)
    good = columns[0].comparisons <= GOOD
    if not good:
        click.echo(
            "\nhelp: mix all bits of the key into the low ones; a chain is found by hash & (chains - 1)"
        )
    return FULL_MARKS if good else POINTS_LOST


def _sums_of_coordinates() -> list[int]:
    """Return a poor hash for each board, the first to come to mind: the sum of row + column over its pegs."""
    return [
        sum(cell // SIZE + cell % SIZE for cell, character in enumerate(text) if character == "*")
        for text in client.board_texts("hash", BOARDS)
    ]


def _spread_of(folder: Path, tier: int) -> tuple[Spread, float] | str:
    """Return the spread of the hashes and the CPU seconds, or an error message."""
    task = registry().find("client")
    try:
        submission = read_submission(folder, task.files)
    except SubmissionFault as fault:
        return f"{fault.message}\nhelp: {fault.help}"
    request = client.question([], client.board_texts("hash", BOARDS), True)
    load = Load(submission.clean_folder(), task.module, task.memory_mib, client.Client.answer_bytes)
    debug = not offers.compiles()
    with Sandbox(tier, debug, threading.Event()) as sandbox, Runner(load, sandbox) as runner:
        if not runner.has_compiled_code:
            runner.compile(client.Client().compiling(task, registry()))
        outcome = runner.run(request, CPU_S)
    asked = Asked(Check("hash", 0, CPU_S), None, task, debug)
    result, answer = Judge(task, submission, tier).said(asked, outcome)
    if answer is None:
        result = result.harmless()
        return f"{result.message}\nhelp: {result.help}"
    return spread(answer.hashes), outcome.cpu_s


# ---- the chains of several hash tables: as a table, as bars for the terminal, as an SVG ----------

MOST = 10  # keys on a chain; chains of MOST or more are counted together
BAR = 15  # characters of a bar for all boards
EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class Chains:
    """The chains of one hash table."""

    name: str
    # how many chains have 0, 1, 2, ... keys; the last number is for chains of MOST keys or more. From
    # `by_chance`, they are expected numbers.
    counts: list[float]
    # the share of all keys on chains of 1, 2, ... keys; the last is for chains of MOST or more.
    shares: list[float]
    comparisons: float
    longest: int | None = None  # the length of the longest chain; None from `by_chance`
    cpu_s: float | None = None  # CPU seconds to compute the hashes; None if not timed


def measured(name: str, spread: Spread, cpu_s: float | None = None) -> Chains:
    """Return the chain lengths that a hash function gives, from its measured spread of keys."""
    counts = [float(spread.lengths[size]) for size in range(MOST)]
    counts.append(sum(count for size, count in spread.lengths.items() if size >= MOST))
    keys = sum(size * count for size, count in spread.lengths.items())
    shares = [size * count / keys for size, count in enumerate(counts)][1:MOST]
    return Chains(name, counts, [*shares, 1 - sum(shares)], spread.comparisons, spread.longest, cpu_s)


def by_chance(keys: int, chains: int) -> Chains:
    """Return the chains to expect if each key goes to a random chain: a Poisson distribution."""
    load = keys / chains
    counts = [chains * math.exp(-load) * load**size / math.factorial(size) for size in range(MOST)]
    shares = [size * count / keys for size, count in enumerate(counts)][1:]
    rest = [max(0.0, chains - sum(counts))], [max(0.0, 1 - sum(shares))]
    return Chains("by chance", counts + rest[0], shares + rest[1], numbers_sent.by_chance(keys, chains))


def table(columns: list[Chains], keys: int, chains: int) -> str:
    """Return a table: chains of each length, longest chain, keys compared per lookup, and CPU time."""
    rows = [
        [f"chains of size {_size(size)}", *(f"{column.counts[size]:,.0f}" for column in columns)]
        for size in range(MOST + 1)
    ]
    rows.append(["longest chain", *(_or_blank(column.longest, ",") for column in columns)])
    rows.append(["keys compared per lookup", *(f"{column.comparisons:,.2f}" for column in columns)])
    rows.append(["CPU", *(_or_blank(column.cpu_s, ".2f", " s") for column in columns)])
    head = [f"{keys:,} boards, {chains:,} chains", *(column.name for column in columns)]
    aligned = ["left"] + ["right"] * len(columns)
    return plain_table(rows, head, aligned)


def bars(columns: list[Chains]) -> str:
    """Return a bar chart as text, 80 columns wide at most: the share of boards on chains of each length."""
    width = BAR + 3
    lines = ["percent of the boards, by the length of their chain:", ""]
    lines.append("        " + "".join(f"{column.name:<{width}}" for column in columns).rstrip())
    for place in range(MOST):
        drawn = "".join(f"{_bar(column.shares[place]):<{width}}" for column in columns)
        lines.append(f"  {_size(place + 1):>3} │ {drawn}".rstrip())
    return "\n".join(lines)


def _bar(share: float) -> str:
    """Return a bar, drawn in eighths of a character, followed by its percentage."""
    eighths = round((BAR - 3) * 8 * share)
    whole, rest = divmod(eighths, 8)
    drawn = EIGHTHS[8] * whole + EIGHTHS[rest].strip()
    return f"{drawn or '▏'} {100 * share:.0f}" if share >= 0.005 else ""


def _size(size: int) -> str:
    return f"{size}{'+' if size == MOST else ''}"


def _or_blank(value: float | None, format: str, unit: str = "") -> str:
    return "" if value is None else f"{value:{format}}{unit}"


WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 84, 16, 104, 56  # margins around the plot
GAP = 0.2  # between two groups of bars, as a share of a group's width
# The colour of each series in light and in dark mode; colour-blind readers can tell these colours apart.
SERIES = (("#0072b2", "#56b4e9"), ("#009e73", "#2fd3a2"), ("#d55e00", "#ff8b3d"), ("#767676", "#a8a8a8"))

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d">
<title id="t">{title}</title>
<desc id="d">{description}</desc>
<style>
  svg {{ background: #fff; font: 14px system-ui, sans-serif; }}
  text {{ fill: #1b1b1b; }}
  .title {{ font-size: 18px; font-weight: 600; }}
  .grid {{ stroke: #d8d8d8; }}
  .axis {{ stroke: #1b1b1b; }}
{light}
  @media (prefers-color-scheme: dark) {{
    svg {{ background: #16181c; }}
    text {{ fill: #ececec; }}
    .grid {{ stroke: #3a3d42; }}
    .axis {{ stroke: #ececec; }}
{dark}
  }}
</style>
"""
TITLE = "How a hash function spreads boards over chains"


def svg(columns: list[Chains], keys: int) -> str:
    """Return a bar chart of the share of boards by chain length, one colour per hash function."""
    description = "; ".join(
        f"{column.name}: a lookup compares {column.comparisons:,.2f} keys" for column in columns
    )
    parts = [
        HEAD.format(
            width=WIDTH,
            height=HEIGHT,
            title=TITLE,
            description=escape(description),
            light="\n".join(f"  .s{number} {{ fill: {pair[0]}; }}" for number, pair in enumerate(SERIES)),
            dark="\n".join(f"    .s{number} {{ fill: {pair[1]}; }}" for number, pair in enumerate(SERIES)),
        ),
        _text(16, 30, TITLE, "title"),
        *_legend(columns),
        *_axes(keys),
    ]
    group = (WIDTH - LEFT - RIGHT) / MOST
    bar = group * (1 - GAP) / len(columns)
    for number, column in enumerate(columns):
        for place, share in enumerate(column.shares):
            left = LEFT + group * (place + GAP / 2) + bar * number
            what = f"{column.name}: {share:.1%} of the boards, chains of {_length(place)}"
            parts.append(
                f'<rect class="s{number}" x="{left:.1f}" y="{_height_at(share):.1f}" width="{bar - 1:.1f}" '
                f'height="{_height_at(0) - _height_at(share):.1f}"><title>{escape(what)}</title></rect>'
            )
    return "\n".join([*parts, "</svg>", ""])


def _legend(columns: list[Chains]) -> list[str]:
    """Return the name and colour of each series, with the number of keys that a lookup compares."""
    step = (WIDTH - 16 - RIGHT) / len(columns)
    parts = []
    for number, column in enumerate(columns):
        left = 16 + step * number
        parts.append(f'<rect class="s{number}" x="{left:.0f}" y="48" width="14" height="14"/>')
        parts.append(_text(left + 20, 60, column.name))
        parts.append(_text(left + 20, 78, f"{column.comparisons:,.2f} keys a lookup"))
    return parts


def _axes(keys: int) -> list[str]:
    """Return the grid lines at 0, 25, ... 100 %, and the labels of both axes."""
    parts = []
    for percent in range(0, 101, 25):
        y = _height_at(percent / 100)
        kind = "grid" if percent else "axis"
        parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(LEFT - 8, y + 5, f"{percent} %", anchor="end"))
    group = (WIDTH - LEFT - RIGHT) / MOST
    for place in range(MOST):
        middle = LEFT + group * (place + 0.5)
        parts.append(_text(middle, HEIGHT - BOTTOM + 20, _length(place), anchor="middle"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 12, "length of the chain", anchor="middle"))
    up = f"share of {keys:,} boards on such chains"
    middle = (_height_at(0) + _height_at(1)) / 2
    parts.append(f'<text transform="translate(22 {middle:.0f}) rotate(-90)" text-anchor="middle">{up}</text>')
    return parts


def _height_at(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _length(place: int) -> str:
    return f"{place + 1}{'+' if place == MOST - 1 else ''}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'
