"""Compare the chains of several hash tables, as a table of numbers and as bars for the terminal."""

import math
from dataclasses import dataclass

from tabulate import tabulate

from grader.judging import spread
from grader.judging.spread import Spread

MOST = 10  # keys on a chain; chains of MOST or more are counted together
BAR = 15  # characters of a bar for all boards
EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class Chains:
    """The chains of one hash table.

    Attributes:
        counts: how many chains have 0, 1, 2, ... keys; the last number is for chains of MOST keys or more.
            From `by_chance`, they are expected numbers.
        shares: the share of all keys on chains of 1, 2, ... keys; the last is for chains of MOST or more.
        comparisons: the average number of keys compared to find one that is in the table.
        longest: the length of the longest chain; None from `by_chance`.
        cpu_s: CPU seconds to compute the hashes; None if not timed.
    """

    name: str
    counts: list[float]
    shares: list[float]
    comparisons: float
    longest: int | None = None
    cpu_s: float | None = None


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
    return Chains("by chance", counts + rest[0], shares + rest[1], spread.by_chance(keys, chains))


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
    return tabulate(rows, head, tablefmt="plain", colalign=aligned, disable_numparse=True)


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
