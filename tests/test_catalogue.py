"""The catalogue of messages: its pages are in the form, and each message is said with the facts that its words take."""

import ast
from collections.abc import Iterator
from string import Formatter

import pytest

from grader import paths
from grader.errors import InputError
from grader.messages.catalogue import Entry, entries, fill, read_page
from support.said import facts_in

BARE = "## a-b, c 1\nWhat {jump!j}.\n\n> do\n> that\n$ grade {task}\n![the board]\n\n1. Why\n   so?\n2. There.\n\n3. That.\n"


def test_a_page_is_read() -> None:
    text = f"# Title\n\nFree text.\n\n## before\nOne\nline.\n\n{BARE}\n# More\n\ntext\n"
    hints = ["Why so?", "There.", "That."]
    assert read_page(text, "page") == [
        Entry(["before"], "page:5", ["One line."], captions=[], hints=hints),
        Entry(["a-b", "c 1"], "page:9", ["What {jump!j}."], "do that", "grade {task}", ["the board"], hints),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## a-b", "## A-b", "page:1: expected ## and identities such as never-tried, found A-b"),
        ("3. That.\n", "", "page:1: expected hints 1 to 3, found"),
        ("3. That.\n", "3. That.\n4. More.\n", "page:1: expected hints 1 to 3, found"),
        ("so?", "so.", "page:1: expected a question as hint 1, found Why so."),
        ("$ grade", "$ grade client\n$ grade", "page:1: expected one line with $ , found"),
    ],
)
def test_a_page_with_a_fault(old: str, new: str, said: str) -> None:
    assert old in BARE
    with pytest.raises(InputError) as caught:
        read_page(BARE.replace(old, new), "page")
    assert caught.value.message.startswith(said)


def depth(words: str) -> int:
    """Return how deep facts are nested in each other."""
    parts = Formatter().parse(words)
    return max((1 + depth(inside or "") for _, name, inside, _ in parts if name is not None), default=0)


def test_facts_are_nested_no_deeper_than_a_formatter_goes() -> None:
    for entry in entries().values():
        for words in (*entry.lines, entry.help, entry.command, *entry.captions):
            assert depth(words) <= 2, entry.place


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("{number} {one:peg}, {two:peg} {two:is|are} left", "12,345 1 peg, 2 pegs are left"),
        ("{jump!j}; {jumps!j:1}; {cells!c}", "1:2 -> 3:2; 1:2 -> 3:2 and 1 more; 1:2"),
        ("{one:?yes, {two:peg}|no}{none:?yes|}", "yes, 2 pegs"),
        ("{none:?|{bars}}", "a|b{c}"),
        ("{jumps:?{jumps!j:1}|}, {nowhere:?{nowhere!j}|none}", "1:2 -> 3:2 and 1 more, none"),
    ],
)
def test_words_take_facts(words: str, said: str) -> None:
    jump = (1, 2, 3, 2)
    facts = {
        "number": 12345,
        "one": 1,
        "two": 2,
        "none": "",
        "jump": jump,
        "jumps": [jump, jump],
        "nowhere": [],
        "bars": "a|b{c}",
    }
    assert fill(words, {**facts, "cells": [(1, 2)]}) == said


# ---- what is said --------------------------------------------------------------------------------

KEPT = ("pictures", "place", "source", "values")  # the parameters of `say` that are no facts


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield each call of a function `say` in the grader, with its place."""
    for file in sorted(paths.PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = (
                node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            )
            if isinstance(node, ast.Call) and "say" in (name, getattr(node.func, "id", "")):
                yield f"{file.relative_to(paths.PACKAGE)}:{node.lineno}", node


@pytest.mark.slow
def test_each_message_is_said_with_its_facts() -> None:
    """By an id that stands in the code: where a variable stands in its place, its facts are not held here."""
    for place, call in calls():
        if isinstance(call.args[0], ast.Constant) and not any(
            isinstance(each, ast.Constant) for each in call.args[1:]
        ):
            entry = entries()[call.args[0].value]
            given = {each.arg for each in call.keywords} - {*KEPT}
            assert None in given or given >= facts_in(entry), f"{place}: {entry.place}"


@pytest.mark.slow
def test_each_message_is_in_the_code() -> None:
    written = {
        node.value
        for file in paths.PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    }
    for topic, entry in entries().items():
        id = topic.partition(" ")[0]
        assert id in written or id == "verdict", f"{entry.place}: no message is called {id}"
