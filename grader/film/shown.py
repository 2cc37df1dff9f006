"""Keep a film as small data: what a page needs to draw it, and what another run needs to draw it again."""

import base64
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, is_dataclass
from html.parser import HTMLParser
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from framework.jumps import Jump
from grader.film.film import Film
from grader.film.growth import Growth
from grader.web.positions import format_cells

SCHEMA = "peg-film/v1"
STACK_LEADS_HERE = 128
MOST_STACK = STACK_LEADS_HERE - 1  # moves; a program that never pops has more
OTHER = 255  # in place of the number of a jump: the position is in `others`; as a value: nothing was returned


@dataclass(frozen=True)
class Shown:
    """A film as small data."""

    name: str  # the task and the board, such as `peg2 on lopsided`
    cells: str  # the board, as 64 cells
    jumps: list[Jump]
    # in base64, four bytes a node: the number of the jump that led to it; how many searches ended since the
    # node before it; bits 0 and 1 what became of it, 2 whether it is a call, 3 whether the table was asked, 4
    # and 5 when the table was told; what was returned
    nodes: str
    others: list[tuple[int, int]]  # to which no jump led, each as its lower and its upper 32 bits
    by_calls: bool
    numbers: list[tuple[str, int]]
    words: list[str]
    # in base64, a byte a node: how many moves were on the stack when the search came to it, and
    # STACK_LEADS_HERE if these were the jumps that led to it; empty if there never was one
    stack: str = ""
    growth: Growth | None = None


def shown(film: Film, name: str, numbers: Sequence[tuple[str, int]], words: Sequence[str]) -> Shown:
    """Return a film as small data."""
    jumps = [jump for *_, jump in film.holes.jumps]
    number_of = {jump: number for number, jump in enumerate(jumps)}
    data = bytearray()
    others: list[tuple[int, int]] = []
    depth_before = -1
    for node in film.nodes:
        jump = film.jump_to(node)
        if jump is None:
            others.append((node.position & 0xFFFFFFFF, node.position >> 32))
        value = OTHER if node.value is None else node.value
        flags = node.kind | node.is_call << 2 | node.asked << 3 | node.told << 4
        ended = depth_before + 1 - node.depth
        depth_before = node.depth
        data += bytes((OTHER if jump is None else number_of[jump], ended, flags, value))
    cells, nodes = format_cells(film.board), base64.b64encode(data).decode()
    return Shown(name, cells, jumps, nodes, others, film.by_calls, list(numbers), list(words), _stacks(film))


def _stacks(film: Film) -> str:
    if not film.by_calls or not film.recorded.pushed or not any(node.on_stack for node in film.nodes):
        return ""
    stacks = (
        min(node.on_stack, MOST_STACK) + STACK_LEADS_HERE * node.stack_leads_here for node in film.nodes
    )
    return base64.b64encode(bytes(stacks)).decode()


def to_text(film: Shown) -> str:
    """Return a film as JSON; `films_in` is the inverse for a page with it."""
    return json.dumps({"schema": SCHEMA, **asdict(film)}, separators=(",", ":"))


def films_in(page: str) -> list[Shown]:
    """Return the films in the text of such a page; raise ValueError if there is none, or it is damaged."""
    found = _Films()
    found.feed(page)
    if not found.films:
        raise ValueError("no film in it")
    try:
        return [_checked(json.loads(text)) for text in found.films]
    except RecursionError:
        raise ValueError("its film is damaged") from None


class _Films(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.films: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.films += [value for name, value in attributes if name == "data-film" and value]


def _checked(loaded: Any) -> Shown:
    if not isinstance(loaded, dict) or loaded.pop("schema", None) != SCHEMA:
        raise ValueError(f"expected a film of {SCHEMA}")
    try:
        film: Shown = _as(Shown, loaded)
        nodes, stack = (base64.b64decode(each, validate=True) for each in (film.nodes, film.stack))
    except (TypeError, ValueError):
        raise ValueError("a field of its film is missing or damaged") from None
    whole = len(nodes) % 4 == 0 and len(stack) in (0, len(nodes) // 4)
    is_board = len(film.cells) == 64 and set(film.cells) <= set("*o-")
    if (
        not whole
        or not is_board
        or not film.numbers
        or (film.growth is not None and not film.growth.is_whole)
    ):
        raise ValueError("a field of its film is damaged")
    return film


def _as(hint: Any, value: Any) -> Any:
    """Return a value of JSON, which has neither tuples nor dataclasses, as what a type says.

    Raises:
        TypeError, ValueError: it is something else.
    """
    parts = get_args(hint)
    if get_origin(hint) is UnionType:  # with None
        return None if value is None else _as(parts[0], value)
    hints = get_type_hints(hint) if is_dataclass(hint) else None
    if hints is not None:
        return hint(**{name: _as(hints.get(name), each) for name, each in value.items()})
    if parts and type(value) is not list:
        raise TypeError
    if get_origin(hint) is list:
        return [_as(parts[0], each) for each in value]
    if get_origin(hint) is tuple:
        return tuple(_as(part, each) for part, each in zip(parts, value, strict=True))
    if type(value) is not hint:
        raise TypeError
    return value
