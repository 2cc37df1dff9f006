"""Parse a child's frames into plain data of the expected types; a malformed frame raises `FrameError`."""

import binascii
import json
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, TypeVar

from framework.board import SIZE, Board, BoardFormatError, parse_board
from framework.jumps import Jump
from grader.sandbox.child.questions import MAX_JUMPS

T = TypeVar("T")
MAX_VALUES = 20  # values of the names in a contract's condition
MAX_DEPTH = 6  # of lists and objects in each other; no honest answer has more than five
MAX_PARTS = 250_000  # values in a frame; the client's largest honest answer has about 100,000
MAX_DIGITS = 20  # of a number; a 64-bit one has 19
MAX_STATES = 1 << 40  # more than fit into memory; the sum over a class still fits into 64 bits
MAX_TEXT = 8000


@dataclass(frozen=True)
class Answer:
    """What `peg_solve` answered, well-formed but not yet verified."""

    number: int  # what it returned
    jumps: list[Jump]  # what its stack held, the top first
    states: int | None  # the size of its hash table, or None
    longest_chain: int | None  # the longest chain of that table, from a sample of its chains, or None
    board: Board  # the board after it returned


@dataclass(frozen=True)
class WinningTable:
    """What `fill_winning` put into its table."""

    size: int  # the number of keys
    keys: list[int]  # the keys, no more than MAX_KEYS of them


@dataclass(frozen=True)
class Met:
    """What `meet` answered, well-formed but not yet verified."""

    met: bool  # whether it claims to have met a board of its table
    jumps: list[Jump]  # what its stack held, the top first
    board: Board  # the board after it returned
    states: int = 0  # the size of its table of boards given up


@dataclass(frozen=True)
class Ends:
    """What `can_end_at` answered."""

    # for each board, the cells on which it allows the last peg, each as 8 * row + col
    allowed: list[list[int]]
    changed: bool  # whether it changed a board that it was given


@dataclass(frozen=True)
class Rules:
    """What the functions of peg1.py say about jumps."""

    steps: list[tuple[int, int]]  # for each direction of a jump, its step in rows and in columns
    allowed: list[list[Jump]]  # for each board, the jumps that are allowed
    # some of these jumps, each with its board's number, the jump itself, the board after it, and the board
    # with the jump taken back
    played: list[tuple[int, Jump, Board, Board]]


class CellSet(NamedTuple):
    """A cell of the board that was set: its bit, its old and its new value."""

    bit: int
    old: int
    new: int


@dataclass(frozen=True)
class Noted:
    """What a search that was run as plain Python wrote to the board."""

    number: int | None  # what the search returned; None if that was not a number
    cells: list[CellSet]  # each cell that was set, in order
    board: Board  # the board after the search
    error: "Failure | None"  # how the search failed, if it did


@dataclass(frozen=True)
class ClientAnswer:
    """What the client's functions returned."""

    made: list[int]  # the moves that were made, as integers
    moves: list[Jump]  # each move that was taken apart: row_start, col_start, row_end, col_end
    keys: list[int]  # the key of each board
    hashes: list[int]  # the hash of each key, if it was asked for


@dataclass(frozen=True)
class Failure:
    """What went wrong in the student's code, as the child reports it: for display only."""

    kind: str  # not-written, contract, compile, return, exit, import, top-level, raise, slow or slow-import
    type: str  # the exception's class; for slow, a function
    text: str  # the exception's text; for slow, how many seconds the call of that function lasts
    file: str  # the place in the student's code; empty and 0 when unknown
    line: int
    condition: str  # the condition of the violated contract
    values: list[tuple[str, str]]  # the names in that condition, or in that call, with their values
    caller: str = ""  # where another of the student's files called into that file; else empty and 0
    caller_line: int = 0


def parse_frame(raw: bytes, parse: Callable[[dict[str, Any]], T]) -> T | Failure:
    """Return a frame's content: a failure, or the answer as `parse` returns it.

    How many values it has, how deep they are nested and how long its numbers are is checked before any value
    is looked at, so that looking takes neither long nor much of the stack."""
    if sum(raw.count(mark) for mark in (b"[", b"{", b",", b":")) > MAX_PARTS:
        raise FrameError("too many parts")  # each takes some 100 bytes once parsed
    try:
        loaded = json.loads(raw, parse_int=_whole_number, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FrameError("something other than a line of JSON from the grader's own runner") from None
    if not isinstance(loaded, dict):
        raise FrameError("not an object")
    nested: list[Any] = [loaded]
    for _ in range(MAX_DEPTH):
        inside = (each.values() if isinstance(each, dict) else each for each in nested)
        nested = [value for values in inside for value in values if isinstance(value, dict | list)]
    if nested:
        raise FrameError("values that are nested too deep")
    return _parse_failure(loaded) if "failure" in loaded else parse(loaded)


def _whole_number(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"more than {MAX_DIGITS} digits")
    return int(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")


def parse_answer(loaded: dict[str, Any]) -> Answer:
    """Return what `peg_solve` answered."""
    if "answer" not in loaded:
        raise FrameError("an answer that was not asked for")
    states, longest_chain = loaded.get("states"), loaded.get("longest_chain")
    return Answer(
        integer(loaded["answer"]),
        jumps(loaded),
        None if states is None else table_size(states),
        None if longest_chain is None else integer(longest_chain),
        a_board(text(loaded, "board")),
    )


def parse_winning_table(loaded: dict[str, Any]) -> WinningTable:
    """Return the size and the keys of a table of winning boards."""
    return WinningTable(table_size(loaded.get("size")), integers(loaded, "table"))


def parse_met(loaded: dict[str, Any]) -> Met:
    """Return what `meet` answered."""
    states = table_size(loaded.get("states", 0))
    return Met(integer(loaded["met"]) == 1, jumps(loaded), a_board(text(loaded, "board")), states)


def parse_ends(loaded: dict[str, Any]) -> Ends:
    """Return what `can_end_at` answered."""
    ends = [integers({"cells": each}, "cells") for each in listed(loaded, "ends")]
    for cells in ends:  # a few small numbers: of many large ones, a set could take minutes
        if len(cells) > SIZE * SIZE or any(not 0 <= cell < SIZE * SIZE for cell in cells):
            raise FrameError("cells that no board has")
    return Ends(ends, integer(loaded.get("changed")) != 0)


def parse_client_answer(loaded: dict[str, Any]) -> ClientAnswer:
    """Return what the client's functions returned."""
    if "keys" not in loaded:
        raise FrameError("an answer that was not asked for")
    return ClientAnswer(
        integers(loaded, "made"),
        [a_jump(move) for move in listed(loaded, "moves")],
        integers(loaded, "keys"),
        integers(loaded, "hashes"),
    )


def parse_rules(loaded: dict[str, Any]) -> Rules:
    """Return what the functions of peg1.py say about jumps."""
    steps = [whole_numbers(step, 2) for step in listed(loaded, "steps")]
    allowed = []
    for each in listed(loaded, "allowed"):
        if not isinstance(each, list):
            raise FrameError("jumps that are not a list")
        allowed.append([a_jump(jump) for jump in each])
    played = []
    for each in listed(loaded, "played"):
        if not isinstance(each, list) or len(each) != 4 or not 0 <= integer(each[0]) < len(allowed):
            raise FrameError("a jump that was not played on a board")
        played.append((each[0], a_jump(each[1]), a_board(each[2]), a_board(each[3])))
    return Rules([(row, col) for row, col in steps], allowed, played)


def parse_noted(loaded: dict[str, Any]) -> Noted:
    """Return what was written to a board."""
    cells = [cell_set(each) for each in integers(loaded, "noted")]
    number = loaded.get("number")
    return Noted(
        None if number is None else integer(number),
        cells,
        a_board(text(loaded, "board")),
        failure_in(loaded, "error"),
    )


def cell_set(number: int) -> CellSet:
    """Return what was set, from its number; see child/plain_run.py."""
    if not 0 <= number < 9 * SIZE * SIZE:
        raise FrameError("a cell that is not on the board")
    return CellSet(1 << number // 9, number % 9 // 3 - 1, number % 3 - 1)


def parse_kept(loaded: dict[str, Any]) -> list[int]:
    """Return the keys in a search's table, no more than the child sends."""
    try:
        return array("q", binascii.a2b_base64(loaded["kept"], strict_mode=True)).tolist()
    except (KeyError, TypeError, ValueError):
        raise FrameError("keys that are not 64 bits each in base64") from None


def failure_in(loaded: dict[str, Any], name: str) -> Failure | None:
    """Return a field that must be a failure, or null."""
    value = loaded.get(name)
    if value is not None and not isinstance(value, dict):
        raise FrameError(f"{name} is not an object")
    return None if value is None else _parse_failure(value)


def _parse_failure(loaded: dict[str, Any]) -> Failure:
    values = []
    for pair in listed(loaded, "values")[:MAX_VALUES]:
        if not isinstance(pair, list) or [type(part) for part in pair] != [str, str]:
            raise FrameError("a value that is not a name and a text")
        values.append((pair[0][:MAX_TEXT], pair[1][:MAX_TEXT]))
    return Failure(
        kind=text(loaded, "failure"),
        type=text(loaded, "type"),
        text=text(loaded, "text"),
        file=text(loaded, "file"),
        line=integer(loaded.get("line")),
        condition=text(loaded, "condition"),
        values=values,
        caller=text({"caller": "", **loaded}, "caller"),
        caller_line=integer(loaded.get("caller_line", 0)),
    )


# ---- the parts of a frame, each of the type that it must have ------------------------------------


class FrameError(Exception):
    """A malformed frame; the text says what is wrong with it."""


def listed(loaded: dict[str, Any], name: str) -> list[Any]:
    """Return a field of a frame, which must be a list."""
    value = loaded.get(name)
    if not isinstance(value, list):
        raise FrameError(f"{name} is not a list")
    return value


def text(loaded: dict[str, Any], name: str) -> str:
    """Return a field of a frame, which must be a string, cut at MAX_TEXT."""
    value = loaded.get(name)
    if not isinstance(value, str):
        raise FrameError(f"{name} is not a text")
    return value[:MAX_TEXT]


def table_size(value: object) -> int:
    """Return `value`, which must be a possible number of keys in a table."""
    size = integer(value)
    if not 0 <= size <= MAX_STATES:
        raise FrameError(f"{size} states")
    return size


def integer(value: object) -> int:
    """Return `value`, which must be a whole number."""
    if type(value) is not int:
        raise FrameError(f"{value!r:.40} is not a whole number")
    return value


def integers(loaded: dict[str, Any], name: str) -> list[int]:
    """Return a field of a frame, which must be a list of whole numbers; it may be long."""
    values = listed(loaded, name)
    if not {int}.issuperset(map(type, values)):
        raise FrameError(f"{name} are not whole numbers")
    return values


def jumps(loaded: dict[str, Any], name: str = "jumps", most: int = MAX_JUMPS) -> list[Jump]:
    """Return a field of a frame, which must be a list of at most so many jumps."""
    if len(listed(loaded, name)) > most:
        raise FrameError(f"more than {most} {name}")
    return [a_jump(jump) for jump in listed(loaded, name)]


def a_jump(value: object) -> Jump:
    """Return a value that must be the four numbers of a jump."""
    row_start, col_start, row_end, col_end = whole_numbers(value, 4)
    return row_start, col_start, row_end, col_end


def whole_numbers(value: object, count: int) -> list[int]:
    """Return a value that must be a list of so many whole numbers."""
    if not isinstance(value, list) or len(value) != count:
        raise FrameError(f"expected {count} numbers")
    return [integer(number) for number in value]


def a_board(value: object) -> Board:
    """Return a value that must be the text of a board."""
    try:
        return parse_board(value if isinstance(value, str) else "")
    except BoardFormatError:
        raise FrameError("a board that is none") from None


def is_on_board(jump: Jump) -> bool:
    """Return whether all four numbers are rows or columns of the board."""
    return all(0 <= number < SIZE for number in jump)
