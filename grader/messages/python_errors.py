"""Messages for Python exceptions, by class and text."""

import difflib
import re
from dataclasses import replace

from grader.messages import newer_python, returns, sources
from grader.messages.compile_table import BRACKETS, BY_FUNCTIONS, NAMES_ON_THE_LEFT, NO_RETURN, SPELT, WHOLE
from grader.messages.failure_context import Context
from grader.messages.message import Fact, Message
from grader.messages.missing_return import without_return
from grader.messages.phrases import TOP_LEVEL, plain_run_of
from grader.messages.sources import Function
from grader.safe_text import one_line

MAX_LINES = 2000  # lines that are read of a source
OF_THE_STUB = ("can_jump", "play", "take_back", "solve")  # functions whose names other code uses

_NO_HOLE = r"is blocked: it is not a hole"  # what a checked board says of a cell that is set

# The message's identity, the exception's classes, a pattern for its text, the help. The first match counts.
_HELP: tuple[tuple[str, str, str, str], ...] = (
    ("unset-variable", "UnboundLocalError", r"", "give the name a value before the loop or the if"),
    ("unknown-name", "NameError", r"", SPELT),
    ("attribute-of-framework-value", "AttributeError", r"'(Stack|HashTable)' object", BY_FUNCTIONS),
    ("none-used", "AttributeError", r"'NoneType' object", NO_RETURN),
    (
        "attribute-of-board",
        "AttributeError",
        r"'(numpy\.ndarray|CheckedBoard)' object",
        "a board is an array: its cells are board[row, col]",
    ),
    ("none-used", "TypeError", r"'NoneType' object|NoneType", NO_RETURN),
    ("board-called", "TypeError", r"'(numpy\.ndarray|CheckedBoard)' object is not callable", BRACKETS),
    (
        "function-indexed",
        "TypeError",
        r"'(function|builtin_function_or_method|CPUDispatcher)' object is not (subscriptable|iterable)",
        "to call the function, write () after its name",
    ),
    (
        "float-index",
        "TypeError",
        r"indices must be integers|'float' object cannot be interpreted as an integer",
        WHOLE,
    ),
    (
        "cannot-be-hashed",
        "TypeError",
        r"unhashable type",
        "turn it into a number or a tuple: board_key(board)",
    ),
    (
        "tuple-pushed",
        "TypeError",
        r"int\(\) argument must be .*not 'tuple'",
        "push takes one integer: make it out of the four numbers with move_new(...)",
    ),
    ("empty-stack", "IndexError", r"^pop: the stack is empty", "check stack_empty before each pop"),
    ("float-index", "IndexError", r"only integers, slices", WHOLE),
    (
        "board-compared",
        "ValueError",
        r"truth value of an array",
        "compare one cell, board[row, col], not the whole board at once",
    ),
    (
        "blocked-set",
        "ValueError",
        _NO_HOLE,
        "a jump goes over a PEG and ends on EMPTY: does can_jump check both?",
    ),
    (
        "no-cell-value",
        "ValueError",
        r"invalid literal for int\(\)|BLOCKED, EMPTY or PEG",
        "a cell is one of the numbers BLOCKED, EMPTY and PEG of framework/board.py",
    ),
    ("wrong-number-of-values", "ValueError", r"values to unpack", NAMES_ON_THE_LEFT),
    (
        "number-too-large",
        "OverflowError",
        r"int8|int64|too large|too big",
        "a cell is an int8 and a key is an int64: keep numbers within those ranges",
    ),
    (
        "file-opened",
        "FileNotFoundError|PermissionError|IsADirectoryError",
        r"",
        "a solution needs no files: take out the code that opens one",
    ),
    (
        "thread-started",
        "RuntimeError",
        r"can't start new thread",
        "a check runs in one thread: do without threads",
    ),
    ("key-missing", "KeyError", r"", "check with `in` that the key is there before you look it up"),
)


# ---- importing ---------------------------------------------------------------------------------


def imported(context: Context) -> Message:
    """Return the message for an exception that is raised while the student's files are imported."""
    task, text = context.task, context.text
    if context.kind in ("SyntaxError", "IndentationError", "TabError"):
        newer = newer_python.syntax(context.source)
        if newer:
            return context.say("newer-python", f"the file has {newer[0]}", newer[1])
        folder = context.submission.shown_folder
        if context.kind == "TabError":
            help = "the file mixes tabs and spaces: begin each line with spaces alone, four for each level"
            return context.say("mixes-tabs", f"python cannot read the file: {text}", help)
        return context.say(
            "unreadable-python",
            f"python cannot read the file: {text}",
            "fix that line; to see whether it can be read: "
            f"python -m py_compile {folder}/{context.file or task.file}",
        )
    missing = re.search(r"No module named '([\w.]+)'|import of ([\w.]+) halted", text)
    if missing:
        name = next(group for group in missing.groups() if group)
        if name.startswith("framework."):
            return context.say(
                "imports-judge",
                f"the file imports {name}, which belongs to the judge",
                "write the rules of a jump yourself: that is what peg1 is about",
            )
        if f"{name}.py" in task.files and f"{name}.py" not in context.submission.sources:
            lost = f"{context.submission.shown_folder}/{name}.py"
            return context.say(
                "file-missing", f"{lost} is missing", "put it back; for a fresh stub: grade start ."
            )
        others = [file for file in task.files if file != context.file]
        return context.say(
            "imports-unavailable",
            f"the file imports {name}, which is not available during grading",
            f"use only Python, numpy, the framework and {', '.join(others)}",
        )
    unknown = re.search(r"cannot import name '(\w+)' from '(\w+(?:\.\w+)?)'", text)
    newer = newer_python.name(unknown[2], unknown[1]) if unknown else None
    if newer:
        return context.say("newer-python", *newer)
    if unknown:
        where = unknown[2].replace(".", "/") + ".py"
        help = f"look for the name in {where}: is it spelled as in this import?"
        return context.say("imports-unknown-name", f"{where} has no {unknown[1]}", help)
    if context.kind == "TypeError" and context.source.startswith("@compiled("):
        return context.say(
            "compiled-with-brackets",
            "@compiled takes no ()",
            "write @compiled alone on the line above the function",
        )
    head = f"importing the file fails with {context.kind}" + (f": {text}" if text else "")
    return context.say("import-fails", head, near_name(context) or TOP_LEVEL)


# ---- exceptions --------------------------------------------------------------------------------


def raised(context: Context) -> Message:
    """Return the message for an exception that is raised while the student's code runs."""
    kind, text, task = context.kind, context.text, context.task
    head = f"{kind}: {text}" if text else kind
    arguments = context.words.parameters(task)
    if kind == "RecursionError":
        return context.say(
            "infinite-recursion",
            "infinite recursion",
            "a search ends because each jump takes a peg away: does every call search a board with fewer "
            "pegs?",
        )
    if kind == "BdbQuit":
        return context.say(
            "breakpoint", head, "take out breakpoint(); handouts/contracts.md says how to use a debugger"
        )
    if re.match(r"expected \w+, got None", text):
        known = returns.returned_none(context)
        return known or context.say(
            "path-without-return", "a @compiled function has a path without a return", returns.EVERY_PATH
        )
    if kind == "EOFError":
        return context.say("reads-input", head, "take out input(): nobody types while the program is graded")
    missing = re.match(r"module '(\w+)' has no attribute '(\w+)'$", text)
    if missing and f"{missing[1]}.py" in task.files:
        return context.say(
            "defines-no", f"{missing[1]}.py defines no {missing[2]}", "keep the stub's names and arguments"
        )
    if not context.place and text.endswith("object is not callable"):
        return context.say(
            "peg-solve-no-function",
            "peg_solve is not a function",
            "is its name used for something else further down?",
        )
    if not context.place and kind == "TypeError":
        odd = sources.with_wrong_arguments(context.known, len(arguments))
        if odd is not None and odd.name == "peg_solve":
            return context.say_of(
                "wrong-arguments", odd, head, f"peg_solve of {task.name} takes {', '.join(arguments)}"
            )
        if odd is not None:
            return context.say_of(
                "wrong-arguments", odd, head, f"keep the arguments that {odd.name} has in the stub"
            )
    if kind == "IndexError" and "outside of the board" in text:
        help = (
            "an index is below 0 or above 7, which only plain Python checks; "
            f"to see the line: {plain_run_of(task, context.asked.board)}"
        )
        return context.say("index-off-board", text, help)
    if re.search(r"\bht_(insert|lookup)\(", context.source) and "truth value of an array" in text:
        return context.say("board-as-key", head, KEY_OF_BOARD)
    called = sources.called_on(context.source, context.known)
    lacks = re.search(r"argument\(s\) of the contract condition have not been set: \['(\w+)'", text)
    if lacks and called:
        return context.say(
            "argument-missing",
            f"{called[-1].name} is called without its argument {lacks[1]}",
            f"call it as {called[-1].call}",
        )
    if (
        re.search(r"(not enough|too many) arguments: expected|^missing argument|unexpected keyword", text)
        and called
    ):
        return context.say("wrong-call", head, f"call it as {called[-1].call}")
    inside = sources.last_above(context.known, context.file, context.told.line)
    off_the_board = kind == "IndexError" or re.search(_NO_HOLE, text)
    if off_the_board and inside is not None and inside.file != task.file and context.told.values:
        given = ", ".join(one_line(f"{name} {value}", 40) for name, value in context.told.values)
        return context.say(
            "index-off-board",
            f"{kind} in {inside.name}, called with {given}: {text}",
            f"is {inside.name} called with its arguments in the right order? {inside.call}"
            + ("; is it called only where can_jump allows the jump?" if inside.name == "play" else ""),
        )
    lacking = without_return(context.submission.sources) if "NoneType" in text else []
    if kind == "TypeError" and len(lacking) == 1:
        name, file, line = lacking[0]
        said = f"{head}\n{name} has a path without a return, so it returns None"
        return context.say_at("none-returned", file, line, said, "every path needs a return")
    return _of_exception(context, head, [each for each in called if each.compiled])


KEY_OF_BOARD = "the table holds keys: pass board_key(board)"


def _of_exception(context: Context, head: str, compiled: list[Function]) -> Message:
    """Return the message for an exception: what to do about it, and how to find out more about it.

    Args:
        context: the failure.
        head: the exception, in words.
        compiled: the compiled functions that the failing line calls; the error may be inside of the last.
    """
    id, known = help_for(context.kind, context.text)
    known = near_name(context) or known
    inside: dict[str, Fact] = {}
    if context.asked.debug or (known and context.place and not compiled):
        help = known or "go to that line"
    else:
        if not context.place:
            more = f"to run it as plain Python, which names the line: {context.rerun}"
        elif compiled:
            inside = {"inside": compiled[-1].name}
            more = f"the error may be inside {compiled[-1].name}, which is compiled; to see the line: "
            more += context.rerun
        else:
            more = f"go to that line; to check the contracts on the way: {context.rerun}"
        help = f"{known}; {more}" if known else more
    return replace(context.say(id, head, help), facts=inside)


def near_name(context: Context) -> str:
    """Return `did you mean NAME?` when an undefined name resembles one in the same file."""
    unknown = re.search(r"name '(\w+)' is not defined", context.text)
    if unknown is None:
        return ""
    elsewhere = context.known.get(unknown[1])
    if elsewhere is not None and elsewhere.file != context.file:
        return f"import it: from {elsewhere.file.removesuffix('.py')} import {unknown[1]}"
    if unknown[1] in OF_THE_STUB:
        return f"the stub has a function {unknown[1]}: keep its name"
    return did_you_mean(context.text, context.submission.sources.get(context.file, ""))


_BY_CLASS = {
    "AttributeError": "no-such-attribute",
    "IndexError": "index-out-of-bounds",
    "ZeroDivisionError": "division-by-zero",
}


def help_for(kind: str, text: str) -> tuple[str, str]:
    """Return a message's identity, and what to do about an exception; empty if its text says enough."""
    for id, classes, pattern, help in _HELP:
        if kind in classes.split("|") and re.search(pattern, text):
            return id, help
    return _BY_CLASS.get(kind, "exception"), ""


# A misspelt name is compared with at most so many names of at most so many letters: long ones take seconds.
MAX_NAME, MAX_NAMES = 40, 1000


def did_you_mean(text: str, source: str) -> str:
    """Return `did you mean NAME?` when an unknown name resembles one in the source."""
    unknown = re.search(r"(?:name|variable) '(\w+)'|has no attribute '(\w+)'", text)
    if unknown is None:
        return ""
    name = unknown[1] or unknown[2]
    others = sorted(each for each in _names(source) - {name} if len(each) <= MAX_NAME)[:MAX_NAMES]
    near = difflib.get_close_matches(name, others, n=1, cutoff=0.75) if len(name) <= MAX_NAME else []
    return f"did you mean {near[0]}?" if near else ""


def _names(source: str) -> set[str]:
    """Return the names that a source defines, imports or assigns."""
    found: set[str] = set()
    for line in source.split("\n")[:MAX_LINES]:
        defines, _, value = line[:200].partition("=")
        if value or re.match(r"\s*(?:def|for|from|import) ", line):
            found |= {word for word in re.findall(r"[A-Za-z_]\w*", defines) if len(word) > 2}
    return found
