"""What to say when the student's code fails: which line, what is wrong with it in their terms, what to do."""

import re
from dataclasses import dataclass

from grader.cutting import STUB
from grader.frames import Failure
from grader.messages import Told
from grader.result import Verdict
from grader.safe_text import one_line, safe
from grader.submission import Submission
from grader.tasks import Task

MAX_LINES = 60  # of a contract's values


@dataclass(frozen=True)
class _Context:
    """What a message is made of.

    Attributes:
        told: what the child says.
        task, submission: what was run.
        debug: whether it ran as plain Python.
        place: `folder/file:line` of the student's code, or empty.
        at: the line that shows the place with its source, or no line.
    """

    told: Failure
    task: Task
    submission: Submission
    debug: bool
    place: str
    at: list[str]

    @property
    def text(self) -> str:
        return one_line(self.told.text)

    @property
    def kind(self) -> str:
        return one_line(self.told.type, 40)

    @property
    def rerun(self) -> str:
        return f"grade {self.task.name} -d"

    def say(self, head: str, help: str, *details: str) -> Told:
        return Told("\n".join([head, *self.at, *details]), help, self.place)


def explain(told: Failure, task: Task, submission: Submission, debug: bool) -> tuple[Verdict, Told]:
    """Return the verdict and the message for a failure that the child tells of."""
    place = submission.place(told.file, told.line) if told.file in submission.sources else ""
    source = one_line(submission.source_line(told.file, told.line)) if place else ""
    at = [f"{place}: {source}" if source else place] if place else []
    context = _Context(told, task, submission, debug, place, at)
    match told.kind:
        case "not-written":
            return _not_written(context)
        case "contract":
            return Verdict.CONTRACT, _contract(context)
        case "compile":
            return _compile(context)
        case "return":
            return Verdict.BAD_RETURN, _bad_return(context)
        case "exit":
            help = "return the answer; take out exit() and sys.exit()"
            return Verdict.EXITED, context.say(f"the program ended itself with {context.kind}", help)
        case "import":
            return Verdict.CRASHED, _import(context)
    return Verdict.CRASHED, _raised(context)


# ---- not written yet ---------------------------------------------------------------------------


def _not_written(context: _Context) -> tuple[Verdict, Told]:
    """A stub was reached: of this task, or of one that this task builds on."""
    needed, _, what = context.text.partition(":")
    return _stub(context, needed, what.partition(";")[0].strip() or "not written yet")


def _stub(context: _Context, needed: str, what: str) -> tuple[Verdict, Told]:
    task = context.task
    if needed != task.name and f"{needed}.py" in task.files:
        return Verdict.NOT_RUN, Told(f"not run: needs {needed}", f"write {needed} first", context.place)
    return Verdict.NOT_WRITTEN, Told(what, f"{task.hint}; see {task.handout}", context.place)


def _first_stub(context: _Context) -> tuple[str, str] | None:
    """Return the task and the function of the first stub in the submission's files, if one is left."""
    for source in context.submission.sources.values():
        found = STUB.search(source)
        if found:
            return found[1], found[2]
    return None


# ---- contracts ---------------------------------------------------------------------------------


def _contract(context: _Context) -> Told:
    told = context.told
    if told.condition.startswith("assert "):
        head = "an assert does not hold"
    else:
        head = f"a contract does not hold: {context.text}"
    lines = [head, f"  {one_line(told.condition)}", *context.at]
    for name, value in told.values:
        shown = safe(value).strip("\n")
        shown = f"\n{shown}" if "\n" in shown else f" {shown.strip()}"
        lines += f"{one_line(name, 80)} was{shown}".splitlines()
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], "..."]
    help = "the contract says what must be true there; go back from it to the step that broke it"
    return Told("\n".join(lines), help, context.place)


# ---- compiling ---------------------------------------------------------------------------------

# What numba says, and what that means to a student. An entry's groups fill its braces.
_NUMBA_REASONS = (
    (r"NameError: name '(\w+)' is not defined", "the name {} is not defined"),
    (
        r"Untyped global name '(\w+)'",
        "{} is plain Python, which compiled code cannot call: put @compiled above your own functions, "
        "and call the others from peg_solve",
    ),
    (r"Unknown attribute '(\w+)' of type (\S+)", "compiled code knows no .{} of {}"),
    (r"[Vv]ariable '(\w+)' (?:referenced before|is not)", "{} may have no value here"),
    (r"Cannot unify (\S+) and (\S+) for '([\w.]+)'", "{2} is {0} in one place and {1} in another"),
    (r"YIELD|[Uu]se of yield|generator", "generators cannot be compiled: write a loop"),
    (r"STORE_GLOBAL", "compiled code cannot set a global: pass the value as an argument"),
    (r"format spec", "f-strings with a format cannot be compiled"),
    (r"[Tt]he '(.+?)' construct is not supported", "the construct '{}' cannot be compiled"),
    (
        r"missing a required argument: '(\w+)'",
        "a function is called without its argument {}",
    ),
    (r"too many positional arguments", "a function is called with too many arguments"),
    (
        r"runaway recursion|cannot type infer",
        "every way through the function calls itself again: one must return first",
    ),
    (r"<built-in function setitem>", "that cannot be stored there"),
    (r"<built-in function getitem>", "that cannot be indexed so"),
    (r"Function\(<built-in function (\w+)>\)", "{} cannot be compiled for these values"),
    (r"Function\(<.*?(\w+)>\) found", "{} cannot be compiled for these values"),
    (r"return type.*\bnone", "one way through the function returns a value, another none"),
    (r"Can't unify return type", "it returns values of different kinds"),
)


def _compile(context: _Context) -> tuple[Verdict, Told]:
    stub = _first_stub(context)
    if stub is not None and (stub[0] != context.task.name or "none" in context.told.text):
        # A function that only raises returns nothing, and what calls it cannot be compiled.
        return _stub(context, stub[0], f"{stub[1]} is not written yet")
    reason = context.text
    for pattern, plain in _NUMBA_REASONS:
        found = re.search(pattern, context.told.text)
        if found:
            groups = [one_line(group, 60) for group in found.groups()]
            reason = plain.format(*groups)
            if groups and _is_class(context, groups[0]):
                reason = f"{groups[0]} is a class, which cannot be compiled: use numbers and arrays"
            break
    else:
        if re.search(r"[<>]|BoundFunction|Function\(", reason):
            reason = "what stands there cannot be compiled"
    help = (
        "a @compiled function may use numbers, arrays, loops and the framework's functions; "
        f"{context.rerun} runs it as plain Python"
    )
    return Verdict.CRASHED, context.say("cannot be compiled", help, f"  {reason}")


def _is_class(context: _Context, name: str) -> bool:
    pattern = rf"^class {re.escape(name)}\b"
    return any(re.search(pattern, source, re.M) for source in context.submission.sources.values())


# ---- what was returned -------------------------------------------------------------------------

_RETURN_HELP = {
    "None": "some way through the function ends without a return",
    "bool": "return a number of pegs, not whether the board is solved",
    "float": "use // in place of /, which always gives a float",
    "list": "return the number; the moves go on the stack",
}


def _bad_return(context: _Context) -> Told:
    what, _, found = context.text.partition(" returned ")
    kind = found.rpartition(" of type ")[2]
    help = _RETURN_HELP.get(kind, "write int(...) around it")
    return Told(f"expected {what} to return an int, found {found}", help)


# ---- importing ---------------------------------------------------------------------------------


def _import(context: _Context) -> Told:
    task, text = context.task, context.text
    if context.kind in ("SyntaxError", "IndentationError", "TabError"):
        folder = context.submission.shown_folder
        return context.say(
            f"python cannot read the file: {text}",
            f"mend that line; python -m py_compile {folder}/{context.told.file or task.file} tells the same",
        )
    missing = re.search(r"No module named '([\w.]+)'|import of ([\w.]+) halted", text)
    if missing:
        name = next(group for group in missing.groups() if group)
        others = [file for file in task.files if file != context.told.file]
        return context.say(
            f"the file imports {name}, which is not there when it is graded",
            f"use Python, numpy, the framework and {', '.join(others)} only",
        )
    unknown = re.search(r"cannot import name '(\w+)' from '(\w+(?:\.\w+)?)'", text)
    if unknown:
        where = unknown[2].replace(".", "/") + ".py"
        return context.say(f"{where} has no {unknown[1]}", "look for the name in that file")
    return context.say(
        f"importing the file fails with {context.kind}: {text}",
        "keep everything but imports, constants and functions out of the top level of the file",
    )


# ---- exceptions --------------------------------------------------------------------------------


def _raised(context: _Context) -> Told:
    kind, text, task = context.kind, context.text, context.task
    head = f"{kind}: {text}" if text else kind
    arguments = ", ".join(["board", "stack", *(["unsolvable"] if task.table else [])])
    if kind == "RecursionError":
        return context.say(
            "recursion without end",
            "a search ends because each jump takes a peg away: does every call search a smaller board?",
        )
    if kind == "BdbQuit":
        return context.say(head, "take out breakpoint(); handouts/contracts.md says how to use a debugger")
    if re.match(r"expected \w+, got None", text):
        return context.say(
            "a @compiled function returns nothing on one of its ways", "every way through needs its return"
        )
    if kind == "EOFError":
        return context.say(head, "take out input(): nobody types while the program is graded")
    if re.search(r"module '\w+' has no attribute 'peg_solve'", text):
        return context.say(f"{task.file} defines no peg_solve", "keep the stub's names and arguments")
    if re.match(r"peg_solve\(\) (takes|missing|got)", text):
        return context.say(head, f"peg_solve of {task.name} takes {arguments}")
    if kind == "IndexError" and "pop" in text:
        return context.say(head, "ask stack_empty before each pop")
    if kind == "IndexError" and not context.debug:
        return context.say(head, f"{context.rerun} runs the same code as plain Python and names the line")
    if context.debug:
        return context.say(head, "go to that line")
    if context.place:
        return context.say(head, f"go to that line; {context.rerun} checks the contracts on the way")
    return context.say(head, f"{context.rerun} runs it as plain Python and names the line")
