"""Collect the files of the students' folder, cut its stubs from the reference, and check what these import.

`make stubs` runs this module: it writes the stubs into the folder `student`.
"""

import ast
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath

from grader import folders, paths
from grader.catalog.boards import BoardSet
from grader.catalog.tasks import Task, read_registry, registry
from grader.errors import FULL_MARKS, USAGE, InputError
from grader.messages import catalogue
from grader.submissions import handed_out
from grader.submissions.cutting import cut_stub

TEMPLATES = Path(__file__).parent / "files"
LIST = TEMPLATES / "files.txt"
# Folders of grader/ that are not released.
INSTRUCTORS = ("course", "exports", "making", "oracle", "reference", "release", "research", "site", "variant")
STUDENTS_EXTRAS = ("", "play", "watch")  # what the course's distribution needs that students need, too
_LIBRARIES = {"numpy", "framework"}  # that students may import, besides Python's own
FROM_TEMPLATES = {
    "README.md": "README.md",
    "Makefile": "Makefile",
    ".gitignore": "gitignore",
    ".editorconfig": "editorconfig",
    ".vscode/settings.json": "vscode_settings.json",
    ".vscode/extensions.json": "vscode_extensions.json",
    ".devcontainer/devcontainer.json": "devcontainer.json",
}


def release_files(python: str | None = None) -> dict[str, str]:
    """Return the text of every file of the release by its name.

    Args:
        python: the only version of Python that the release is for, such as 3.12; None: 3.11 or newer.

    Raises:
        InputError: a listed file is missing or must not be released.
    """
    sources = {name: _source(name) for name in _listed()}
    for task in read_registry(paths.TASKS_FILE).tasks.values():
        sources[task.handout] = paths.HANDOUTS / PurePosixPath(task.handout).name
    sources |= {f"grader/messages/words/{page.name}": page for page in sorted(catalogue.PAGES.glob("*.md"))}
    for name in ("index.yaml", *(f"{board}.txt" for board in BoardSet(paths.BOARDS).names)):
        sources[f"boards/{name}"] = paths.BOARDS / name
    sources |= {name: TEMPLATES / template for name, template in FROM_TEMPLATES.items()}
    sources["LICENSE"] = paths.LICENSE
    files = {name: _text(path) for name, path in sources.items()}
    for folder in ("student", "grader/stubs"):  # the first is edited, and `grade start` hands out the second
        files |= {f"{folder}/{name}": text for name, text in stubs().items()}
    files["pyproject.toml"] = _pyproject(_text(TEMPLATES / "pyproject.toml.in"), python)
    files[handed_out.NAME] = handed_out.listing(files)
    return dict(sorted(files.items()))


def _listed() -> list[str]:
    """Return the file names listed in files.txt, after checking that each file exists and may be released."""
    names = []
    for number, line in enumerate(_text(LIST).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        room, _, below = line.partition("/")
        place = f"{paths.shown(LIST)}:{number}"
        if room not in ("framework", "grader", "handouts") or ".." in line:
            raise InputError(
                f"{place}: expected a file of framework, grader or handouts, found {line}",
                "see the comment at the top of that list",
            )
        if room == "grader" and below.partition("/")[0] in INSTRUCTORS:
            raise InputError(f"{place}: {line} is the instructor's", "remove it from the list")
        if not _source(line).is_file():
            raise InputError(f"{place}: {line} is not there", "remove it from the list, or put the file back")
        names.append(line)
    return names


def _source(name: str) -> Path:
    """Return the path of a listed file; in a wheel the handouts are inside the package."""
    room, _, below = name.partition("/")
    rooms = {"framework": paths.FRAMEWORK_ROOT / room, "grader": paths.PACKAGE, "handouts": paths.HANDOUTS}
    return rooms[room] / below


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(
            f"{paths.shown(path)}: cannot be released: {why}", "correct the file; nothing was written"
        ) from None


def _pyproject(template: str, python: str | None) -> str:
    """Return the release's pyproject.toml, with the version and dependencies of this installation."""
    needs = f"=={python}.*" if python else ">=3.11"
    all_needed = [each.partition("; extra ==") for each in sorted(metadata.requires("peg-solitaire") or [])]

    needed = dict.fromkeys(
        name.strip().replace('"', "'") for name, _, of in all_needed if of.strip(" '\"") in STUDENTS_EXTRAS
    )
    dependencies = "\n".join(f'    "{name}",' for name in needed)
    values = {"version": metadata.version("peg-solitaire"), "dependencies": dependencies, "python": needs}
    for name, value in values.items():
        template = template.replace(f"@{name}@", value)
    return template


def stubs() -> dict[str, str]:
    """Return the text of every stub, by file name, or raise InputError."""
    return {task.file: stub_of(task, paths.REFERENCE) for task in registry().tasks.values()}


def stub_of(task: Task, reference: Path) -> str:
    """Return the stub of a task, cut from its solution in the folder `reference`, or raise InputError."""
    source = reference / task.file
    try:
        text = source.read_text("utf-8")
    except OSError as error:
        raise InputError(
            f"{paths.shown(source)}: cannot be read: {error.strerror}",
            "write the task's solution there, with '# BEGIN SOLUTION what to do' and '# END SOLUTION'",
        ) from None
    return cut_stub(text, paths.shown(source))


def wrong_imports(task: Task, student: Path) -> Iterator[InputError]:
    """Yield a fault for each import of a task's stub that fails with the task's files alone."""
    stub = student / task.file
    if stub.suffix != ".py" or not stub.is_file():  # a missing one is reported where it is compared
        return
    tree = ast.parse(stub.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            wanted = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in wanted:
            if problem := _problem(module, name, task, student):
                yield InputError(
                    f"{paths.shown(stub)}:{node.lineno}: {problem}",
                    "correct the import in the reference, or the files in tasks.yaml; then: make stubs",
                )


def _problem(module: str, name: str, task: Task, student: Path) -> str:
    """Return why an import fails, or an empty text; an empty `name` imports the module itself."""
    top = module.partition(".")[0]
    if f"{module}.py" in task.files:
        file = student / f"{module}.py"
    elif top == "framework":
        file = paths.PACKAGE.parent / (module.replace(".", "/") + ".py")
        if not file.is_file():
            return f"imports {module}, which is not there"
    elif top in _LIBRARIES or top in sys.stdlib_module_names:
        return ""
    else:
        return f"imports {module}, which is not among the task's files, {', '.join(task.files)}"
    if name and file.is_file() and name not in _names(file):
        return f"imports {name} from {module}, which has no {name}"
    return ""


def _names(file: Path) -> set[str]:
    """Return the names that a module defines, assigns or imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def main() -> int:
    """Write each stub that differs from what is cut from the reference, and print its name."""
    try:
        for name, text in stubs().items():
            path = paths.FRAMEWORK_ROOT / "student" / name
            if not path.is_file() or path.read_bytes() != text.encode():
                folders.write_whole(path, text)
                print(f"wrote {paths.shown(path)}")
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return USAGE
    except InputError as error:
        print(f"{error.message}\nhelp: {error.help}", file=sys.stderr)
        return USAGE
    print("the stubs are up to date")
    return FULL_MARKS


if __name__ == "__main__":
    sys.exit(main())
