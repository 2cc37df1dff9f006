"""Twenty styles of correct programs for client, peg1, peg2 and peg3, as different students may write them.

Two are whole programs: the reference and tests/students/plain. Each of the others is put together from pieces
(a client, the rules of a jump and a search), an order of the directions, and looks. A look is an edit that
does not change what the program does.

The pieces are in tests/students/pieces; two of the clients are those of the whole programs. Each search is
written for peg3: a line that ends in a comment of digits, such as `# 23`, is used only in the tasks with
these numbers, here peg2 and peg3.

All styles earn full marks. That was measured once with
    python tests/support/made_styles.py FOLDER && for style in FOLDER/*; do grade client peg1 peg2 peg3 --student $style; done
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader import paths

HERE = Path(__file__).resolve().parents[1] / "students"
TASKS = ("peg1", "peg2", "peg3")  # the tasks whose files have a search
STEPS = {"D": (1, 0), "U": (-1, 0), "R": (0, 1), "L": (0, -1)}
WORDS = {"D": "DOWN", "U": "UP", "R": "RIGHT", "L": "LEFT"}
TAG = re.compile(r"  # ([123]+)$")

Sources = dict[str, str]  # texts by file name
Look = Callable[[Sources], Sources]


# ---- looks: changes without effect ---------------------------------------------------------------


def bare(sources: Sources) -> Sources:
    """Leave out comments, docstrings, type hints and empty lines."""
    return _with_trees(sources, _Bare)


def with_whiles(sources: Sources) -> Sources:
    """Replace each `for ... in range(...)` by a counting `while` loop, unless it contains `continue`."""
    return _with_trees(sources, _Whiles)


def with_numbers(sources: Sources) -> Sources:
    """Write 8, 1 and 0 for SIZE, PEG and EMPTY."""
    return _with_trees(sources, _Numbers)


def with_hints(sources: Sources) -> Sources:
    """Add type hints to the parameters of functions."""
    return _with_trees(sources, _Hints)


def renamed(**names: str) -> Look:
    """Return a look that renames things in the same way in all files."""

    def look(sources: Sources) -> Sources:
        return {file: _with_names(text, names) for file, text in sources.items()}

    return look


def on_windows(sources: Sources) -> Sources:
    """End lines as Windows does, and begin with a byte order mark."""
    return {file: "\ufeff" + text.replace("\n", "\r\n") for file, text in sources.items()}


def with_tabs(sources: Sources) -> Sources:
    """Indent with tabs."""
    return {
        file: re.sub(r"^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), text, flags=re.MULTILINE)
        for file, text in sources.items()
    }


def with_trials(sources: Sources) -> Sources:
    """Append what a student may leave in: an earlier version as a comment, and a trial run."""
    trial = "\n\n# def peg_solve(board, stack):\n#     return 2  # TODO for now\n\nif __name__ == '__main__':\n    print('it works')\n"
    return {file: text + trial for file, text in sources.items()}


class _Bare(ast.NodeTransformer):
    def visit_Module(self, node: ast.Module) -> ast.AST:
        return self._without_docstring(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for each in node.args.args:
            each.annotation = None
        return self._without_docstring(node)

    def _without_docstring(self, node: ast.Module | ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            del node.body[0]
        return node


class _Whiles(ast.NodeTransformer):
    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        counted = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"
        if not counted or any(isinstance(each, ast.Continue) for each in ast.walk(node)):
            return [node]
        assert isinstance(node.iter, ast.Call)
        first, end = node.iter.args if len(node.iter.args) == 2 else (ast.Constant(0), node.iter.args[0])
        name = ast.unparse(node.target)
        loop = f"{name} = {ast.unparse(first)}\nwhile {name} < {ast.unparse(end)}:\n    {name} += 1"
        start, counting = ast.parse(loop).body
        assert isinstance(counting, ast.While)
        counting.body = [*node.body, *counting.body]
        return [start, counting]


class _Numbers(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        number = {"SIZE": 8, "PEG": 1, "EMPTY": 0}.get(node.id)
        return node if number is None else ast.Constant(number)


class _Hints(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        for each in node.args.args:
            if each.arg not in ("board", "stack", "unsolvable"):
                each.annotation = ast.Name("int")
        return node


def _with_trees(sources: Sources, transformer: type[ast.NodeTransformer]) -> Sources:
    changed = {file: transformer().visit(ast.parse(text)) for file, text in sources.items()}
    return {file: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for file, tree in changed.items()}


def _with_names(text: str, names: dict[str, str]) -> str:
    lines = text.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        if token.type == tokenize.NAME and token.string in names:
            (row, start), (_, end) = token.start, token.end
            lines[row - 1] = lines[row - 1][:start] + names[token.string] + lines[row - 1][end:]
    return "".join(lines)


# ---- styles --------------------------------------------------------------------------------------

SHORT = renamed(
    row="r", col="c", direction="d", fewest="best", left="n", can_jump="ok", play="do", take_back="undo"
)
LONG = renamed(
    row="current_row", col="current_column", fewest="best_result_so_far", left="pegs_that_remain", jump="jump_number",
    solve="solve_recursively", search="search_recursively", pegs="number_of_pegs",
)  # fmt: skip
GERMAN = renamed(
    row="zeile", col="spalte", direction="richtung", fewest="bestes", left="rest", key="schluessel", jump="zug",
    can_jump="kann_springen", play="springe", take_back="zurueck", solve="loese", search="suche", mixed="gemischt",
)  # fmt: skip


@dataclass(frozen=True)
class Style:
    """What a program is made from: a whole program or pieces, and the looks applied to it.

    Attributes:
        client: the name of its client.py: `octal` for the reference's, `decimal` for tests/students/plain's.
        rules, search: the pieces that peg1 to peg3 are made from; empty for a whole program.
    """

    client: str
    rules: str = ""
    search: str = ""
    order: str = "DRUL"  # the order of the directions
    looks: tuple[Look, ...] = ()  # the changes made to the result, one after another


STYLES: dict[str, Style] = {
    "reference": Style("octal"),
    "plain": Style("decimal"),
    "reference-bare": Style("octal", looks=(bare,)),
    "plain-whiles": Style("decimal", looks=(with_whiles, with_trials)),
    "tables": Style("cells", "tables", "nested"),
    "tables-loop": Style("octal", "tables", "loop", "UDLR", (bare,)),
    "tables-copies": Style("bits", "tables", "copies", "DRUL", (SHORT,)),
    "tables-helper": Style("decimal", "tables", "helper", "DRLU", (with_hints,)),
    "ifs": Style("bits", "ifs", "nested", "DRLU"),
    "ifs-flat": Style("octal", "ifs", "flat", "UDLR", (GERMAN,)),
    "ifs-whiles": Style("cells", "ifs", "nested", "DRUL", (with_whiles, LONG)),
    "ifs-guards": Style("decimal", "ifs", "guards", "RDLU", (with_numbers,)),
    "middle": Style("octal", "middle", "guards", "UDLR"),
    "middle-loop": Style("cells", "middle", "loop", "DRUL", (SHORT, on_windows)),
    "middle-copies": Style("decimal", "middle", "copies", "UDLR", (with_numbers, with_trials)),
    "middle-helper": Style("bits", "middle", "helper", "DRUL", (bare, with_tabs)),
    "listed": Style("cells", "listed", "flat", "RDLU"),
    "listed-guards": Style("bits", "listed", "guards", "DRUL", (LONG,)),
    "listed-loop": Style("decimal", "listed", "loop", "DRLU", (GERMAN, with_trials)),
    "listed-whiles": Style("octal", "listed", "flat", "UDLR", (with_whiles, SHORT)),
}


@cache
def _text(path: str) -> str:
    return (HERE / path).read_text("utf-8")


@cache
def _reference(name: str) -> str:
    return (paths.REFERENCE / name).read_text("utf-8")


def program(name: str) -> Sources:
    """Return the files of a style: client.py and peg1.py to peg3.py; for the reference, up to peg5.py."""
    return dict(_program(name))


@cache
def _program(name: str) -> Sources:
    style = STYLES[name]
    if style.client == "octal":
        sources = {"client.py": _reference("client.py")}
    else:
        whole = "plain/client.py" if style.client == "decimal" else f"pieces/client_{style.client}.py"
        sources = {"client.py": _text(whole)}
    if style.search:
        sources |= {f"{task}.py": _put_together(style, task) for task in TASKS}
    elif style.client == "octal":
        sources |= {f"{task}.py": _reference(f"{task}.py") for task in (*TASKS, "peg4", "peg5")}
    else:
        sources |= {f"{task}.py": _text(f"plain/{task}.py") for task in TASKS}
    for look in style.looks:
        sources = look(sources)
    return sources


def _put_together(style: Style, task: str) -> str:
    search = []
    for line in _text(f"pieces/search_{style.search}.py").splitlines():
        tag = TAG.search(line)
        if tag is None or task[-1] in tag[1]:
            search.append(TAG.sub("", line).rstrip())
    text = "\n".join(search) + "\n"
    if task != "peg3":
        text = text.replace(", unsolvable", "")
    if task == "peg1":
        rules = _in_order(_text(f"pieces/rules_{style.rules}.py"), style.order)
        text = _joined(rules, re.sub(r"^from peg1 import .*\n", "", text, flags=re.MULTILINE))
    return text


def _in_order(rules: str, order: str) -> str:
    """Return the rules with the directions numbered in the given order."""
    for number, table in enumerate(("ROW_STEP", "COL_STEP")):
        steps = tuple(STEPS[letter][number] for letter in order)
        rules = re.sub(rf"^{table} = .*", f"{table} = {steps}", rules, flags=re.MULTILINE)
    names = ", ".join(WORDS[letter] for letter in order)
    return re.sub(r"^DOWN, UP, RIGHT, LEFT = .*", f"{names} = 0, 1, 2, 3", rules, flags=re.MULTILINE)


def _joined(first: str, second: str) -> str:
    """Join two files into one, with the imports of both at the beginning."""
    imports = [line for line in second.splitlines() if line.startswith(("import ", "from "))]
    rest = "\n".join(line for line in second.splitlines() if line not in imports)
    rest = rest.split('"""', 2)[2].strip("\n")  # without its docstring
    own = first.splitlines()
    place = max(number for number, line in enumerate(own) if line.startswith(("import ", "from "))) + 1
    new = [line for line in imports if line not in own]
    return "\n".join([*own[:place], *new, *own[place:], "", "", rest]) + "\n"


def write_style(folder: Path, name: str) -> Path:
    """Write the files of a style into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in program(name).items():
        (folder / file).write_bytes(text.encode())
    return folder


def main() -> None:
    """Write each style into a folder of its own."""
    for name in STYLES:
        write_style(Path(sys.argv[1]) / name, name)


if __name__ == "__main__":
    main()
