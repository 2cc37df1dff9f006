"""Plot the chains of hash tables as a self-contained SVG, legible in light and dark mode."""

from html import escape

from grader.commands.chain_picture import MOST, Chains

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
    """Return a bar chart of the share of boards by chain length, one colour per hash function.

    Args:
        columns: the hash functions, at most four.
    """
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
