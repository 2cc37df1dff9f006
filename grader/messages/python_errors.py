"""Messages for Python exceptions, by class and text."""

import difflib
import re
import sys

from grader.messages import contracts, sources
from grader.messages.catalogue import Message
from grader.messages.compile_errors import signature_of
from grader.messages.compile_table import Said, facts_of
from grader.messages.failure_context import Context
from grader.messages.in_source import Found, none_on_line, without_return
from grader.messages.phrases import plain_run
from grader.messages.sources import Function

MAX_LINES = 2000  # lines that are read of a source

_BOARD = r"'(?P<kind>numpy\.ndarray|CheckedBoard)' object"
# What a checked board says of a cell that is set; an unused 0 in an array of jumps is often read as 0:0.
_NO_HOLE = r"(?P<corner>board\[0, 0\] )?is blocked: it is not a hole"

# The message's identity, the exception's classes, and a pattern for its text; its groups are facts. The first
# match counts.
KNOWN: tuple[tuple[str, str, str], ...] = (
    ("unset-variable", "UnboundLocalError|NameError", r"variable '(?P<name>\w+)'"),
    ("unknown-name", "NameError", r"name '(?P<name>\w+)' is not defined(?P<module>)(?P<near>)"),
    ("attribute-of-framework-value", "AttributeError", r"'(?P<kind>Stack|HashTable)' object"),
    ("none-used", "AttributeError", r"'NoneType' object"),
    ("attribute-of-board", "AttributeError", _BOARD),
    ("none-used", "TypeError", r"NoneType"),
    ("attribute-of-board", "TypeError", _BOARD + " is not callable"),
    ("function-indexed", "TypeError", r"(function|method|Dispatcher)' object is not (?:subscript|iter)able"),
    ("float-index", "TypeError", r"indices must be integers|'float' object cannot be interpreted"),
    ("cannot-be-hashed", "TypeError", r"unhashable type: '(?P<kind>[\w.]+)'"),
    ("tuple-pushed", "TypeError", r"int\(\) argument must be .*not 'tuple'"),
    ("empty-stack", "IndexError", r"^pop: the stack is empty"),
    ("float-index", "IndexError", r"only integers, slices"),
    ("index-out-of-bounds", "IndexError", r""),
    ("board-compared", "ValueError", r"truth value of an array"),
    ("blocked-set", "ValueError", _NO_HOLE),
    ("no-cell-value", "ValueError", r"(?:invalid literal for int\(\)|BLOCKED, EMPTY or PEG)(?P<kind>)"),
    ("wrong-number-of-values", "ValueError", r"values to unpack(?P<expected>)(?P<found>)"),
    ("number-out-of-range", "OverflowError", r"int8|int64|too large|too big"),
    ("thread-started", "RuntimeError", r"can't start new thread"),
    ("not-allowed", "OSError|PermissionError", r"^\[Errno (1|13|38)\]"),  # EPERM, EACCES, ENOSYS
    ("no-such-attribute", "AttributeError", r""),
    ("division-by-zero", "ZeroDivisionError", r""),
    ("exception", "", r""),
)


def known_exception(context: Context) -> Said:
    """Return the identity and the facts of the message for an exception, however it came to be raised."""
    for id, classes, pattern in KNOWN:
        found = re.search(pattern, context.text)
        if found and (not classes or context.kind in classes.split("|")):
            facts = facts_of(found)
            return unknown_name(context, str(facts["name"])) if id == "unknown-name" else (id, facts)
    raise AssertionError("the last pattern matches")


def imported(context: Context) -> Message:
    """Return the message for an exception that is raised while the student's files are imported."""
    task, text, folder = context.task, context.text, context.submission.shown_folder
    if context.kind in ("SyntaxError", "IndentationError", "TabError"):
        if newer := newer_syntax(context.source):
            return context.say(newer[0], **newer[1])
        id = "mixes-tabs" if context.kind == "TabError" else "unreadable-python"
        outside = text.endswith("outside function")
        return context.say(id, text=text, outside=outside, file=f"{folder}/{context.file or task.file}")
    missing = re.search(r"No module named '([\w.]+)'|import of ([\w.]+) halted", text)
    if missing:
        name = next(group for group in missing.groups() if group)
        if f"{name}.py" in task.files and f"{name}.py" not in context.submission.sources:
            return context.say("file-missing", file=f"{folder}/{name}.py")
        others = ", ".join(file for file in task.files if file != context.file)
        return context.say("imports-unavailable", name=name, others=others)
    unknown = re.search(r"cannot import name '(\w+)' from '(\w+(?:\.\w+)?)'", text)
    if unknown:
        return context.say("imports-unknown-name", file=unknown[2].replace(".", "/") + ".py", name=unknown[1])
    if context.kind == "TypeError" and context.source.startswith("@compiled("):
        return context.say("compiled-with-brackets")
    told = context.say("import-fails", exception=context.exception)
    if context.kind != "NameError":
        return told
    id, facts = known_exception(context)
    return context.say(id, exception=context.exception, **facts).under(told)


# What only a newer Python can run, so that it is not told as a mistake: the first version that has it, and a
# pattern for the line of code.
_NEWER: tuple[tuple[tuple[int, int], str], ...] = (
    ((3, 12), r"\s*type\s+\w+\s*(\[.*\])?\s*="),
    ((3, 12), r"\s*((async\s+)?def|class)\s+\w+\s*\["),
    ((3, 12), r""".*\b[fF][rR]?(["'])(?:(?!\1)[^{])*\{[^}"']*\1[^"'{}]*\1[^{}]*\}"""),
    ((3, 14), r"\s*except\*?\s+[\w.]+\s*,"),
    ((3, 14), r""".*(?<!\w)[tT][rR]?["']"""),
)


def newer_syntax(line: str) -> Said | None:
    """Return the message about what a line of code has that only a newer Python than this can read."""
    for version, pattern in _NEWER:
        if version > sys.version_info and re.match(pattern, line):
            since, python = ("{}.{}".format(*each) for each in (version, sys.version_info))
            return "newer-python", {"since": since, "python": python}
    return None


def raised(context: Context) -> Message:
    """Return the message for an exception that is raised while the student's code runs."""
    kind, text, task, known = context.kind, context.text, context.task, context.known
    exception, called = context.exception, sources.called_on(context.source, known)
    inside = sources.around(known, context.file, context.told.line)
    if kind == "RecursionError":
        # A search calls itself there. No jump lies between two of its calls: each would take a peg, of 64.
        is_search = inside is not None and inside in called and {"board", "stack"} <= {*inside.arguments}
        return context.say("infinite-recursion", function=inside.name if inside and is_search else "")
    if kind in ("BdbQuit", "EOFError"):
        return context.say("breakpoint" if kind == "BdbQuit" else "reads-input", exception=exception)
    if re.match(r"expected \w+, got None", text):  # by code that is compiled
        return contracts.why_none(context) or context.say("path-without-return", function="")
    missing = re.match(r"module '(\w+)' has no attribute '(\w+)'$", text)
    if missing and f"{missing[1]}.py" in task.files:
        return context.say("defines-no", module=missing[1], name=missing[2])
    if not context.place and text.endswith("object is not callable"):
        return context.say("peg-solve-no-function")
    if not context.place and kind == "TypeError":
        wanted = context.words.parameters(task)
        odd = sources.with_wrong_arguments(known, len(wanted))
        if odd is not None:
            id = "wrong-arguments-of-peg-solve" if odd.name == "peg_solve" else "wrong-arguments"
            told = {"exception": exception, "function": odd.name, "task": task.name}
            return context.say_of(id, odd, wanted=", ".join(wanted), **told)
    if kind == "IndexError" and "outside of the board" in text:
        return context.say("index-off-board", text=text, rerun=plain_run(task, context.asked.board, True))
    if re.search(r"\bht_(insert|lookup)\(", context.source) and "truth value of an array" in text:
        return context.say("board-as-key", exception=exception)
    call = context.told.caller, context.told.caller_line
    if re.search(r"\bht_\w+\(\w+, *board\)", context.submission.source_line(*call)):
        return context.say_found(Found(*call, "board-as-key", {"exception": exception}))
    wrong_call = _wrong_call(context, called)
    if wrong_call is not None:
        return context.say(wrong_call[0], exception=exception, **wrong_call[1])
    blocked = re.search(_NO_HOLE, text)
    if (kind == "IndexError" or blocked) and inside is not None and inside.file != task.file:
        at = [value for _, value in context.told.values[:2]]
        listed = at == ["0", "0"] and "zeros(" in context.submission.sources[task.file]
        corner = listed or bool(blocked and blocked["corner"])
        facts = {"exception": exception, "function": inside.name, "corner": corner}
        given = ", ".join(f"{name} {value}" for name, value in context.told.values)
        found = Found(context.told.caller, context.told.caller_line, "index-off-board-in-call", facts)
        return context.say_found(found, given=given)
    if "NoneType" in text:
        head = context.say("raised", exception=exception, rerun="", inside="")
        for found in none_on_line(context.submission.sources, context.file, context.source)[:1]:
            return context.say_found(found, compiled=False).under(head)
        cause = contracts.why_none(context) if len(without_return(context.submission.sources)) == 1 else None
        if cause is not None:
            return cause.under(head)
    return _of_exception(context, exception, [each for each in called if each.compiled])


def _wrong_call(context: Context, called: list[Function]) -> Said | None:
    """Return the message for a call with other arguments than the function takes; None for another fault."""
    text, known = context.text, context.known
    takes = re.match(r"(\w+)\(\) (?:missing \d|takes |got )", text)  # as Python tells it, with the name
    function = takes[1] if takes else called[-1].name if called else ""
    call = known[function].call if function in known else signature_of(function)
    if not call:
        return None
    lacks = re.search(
        r"argument\(s\) of the contract condition have not been set: \['(\w+)'"
        r"|missing \d+ required positional arguments?: '(\w+)'|^missing argument '(\w+)'",
        text,
    )
    argument = next(filter(None, lacks.groups())) if lacks else ""
    too_few = re.search(r"not enough arguments: expected (\d{1,3}), got (\d{1,3})", text)
    if too_few and function in known and len(known[function].arguments) == int(too_few[1]) > int(too_few[2]):
        argument = known[function].arguments[int(too_few[2])]
    if argument:
        return "argument-missing", {"function": function, "argument": argument, "call": call}
    wrong = r"(not enough|too many) arguments|^missing argument|unexpected keyword|\d (was|were) given"
    return ("wrong-call", {"call": call, "function": function}) if re.search(wrong, text) else None


def _of_exception(context: Context, exception: str, compiled: list[Function]) -> Message:
    """Return the message for an exception on a line that calls `compiled` functions, or inside the last."""
    id, facts = known_exception(context)
    rerun = "" if context.asked.debug else context.rerun
    inside = compiled[-1].name if compiled and context.place and not context.asked.debug else ""
    head = context.say("raised", exception=exception, rerun=rerun, inside=inside)
    more = context.rerun if inside or not context.place else ""
    return context.say(id, exception=exception, rerun=more, **facts).under(head)


# A misspelt name is compared with at most so many names of at most so many letters: long ones take seconds.
MAX_NAME, MAX_NAMES = 40, 1000


def unknown_name(context: Context, name: str) -> Said:
    """Return the message for an undefined name, which may be one of another file, or nearly another name."""
    elsewhere = context.known.get(name)
    module = elsewhere.file.removesuffix(".py") if elsewhere and elsewhere.file != context.file else ""
    near = near_name(name, context.submission.sources.get(context.file, ""))
    return "unknown-name", {"name": name, "module": module, "near": near}


def near_name(name: str, source: str) -> str:
    """Return the name in a source that an unknown name resembles; empty if there is none."""
    others = sorted(each for each in _names(source) - {name} if len(each) <= MAX_NAME)[:MAX_NAMES]
    near = difflib.get_close_matches(name, others, n=1, cutoff=0.75) if len(name) <= MAX_NAME else []
    return "".join(near)


def _names(source: str) -> set[str]:
    """Return the names that a source defines, imports or assigns."""
    found: set[str] = set()
    for line in source.split("\n")[:MAX_LINES]:
        defines, _, value = line[:200].partition("=")
        if value or re.match(r"\s*(?:def|for|from|import) ", line):
            found |= {word for word in re.findall(r"[A-Za-z_]\w*", defines) if len(word) > 2}
    return found
