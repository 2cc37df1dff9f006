"""`grade release DIR`: the folder a student gets, made of named files only, and checked for leaks."""

from importlib import metadata
from pathlib import Path

import click

from grader import new_folder, paths
from grader.boards import course_boards
from grader.commands.stubs import stubs
from grader.cutting import solution_lines
from grader.errors import FULL_MARKS, InputError
from grader.tasks import registry

GRADER_FOLDERS = ("", "commands", "kinds", "play", "reports", "sandbox")  # its reference and oracle stay here
PAGE_FOLDERS = ("play/templates", "play/static", "reports/templates")  # copied whole
SHORT = 24  # a solution's line of fewer characters says too little to be called a leak
RUN = 4  # lines in a row that the engine and another file do not share by chance


def run(folder: Path) -> int:
    """Make `folder`, which must not exist or be empty.

    Raises:
        InputError: it is not empty or cannot be written, or a solution would leak; nothing is left behind.
    """
    new_folder.check(folder)
    files = _files()
    _check_for_leaks(files)
    new_folder.write(folder, files)
    click.echo(f"{paths.shown(folder)}: {len(files)} files, no line of a solution among them")
    click.echo(f"try it as a student: cd {paths.shown(folder)} && make && .venv/bin/grade")
    return FULL_MARKS


def _files() -> dict[str, str]:
    """Return the text of every file of the release by its name."""
    sources: dict[str, Path] = {}
    for path in sorted((paths.FRAMEWORK_ROOT / "framework").glob("*.py")):
        sources[f"framework/{path.name}"] = path
    for part in GRADER_FOLDERS:
        for path in sorted((paths.PACKAGE / part).glob("*.py")):
            sources[str(Path("grader", part, path.name))] = path
    for part in PAGE_FOLDERS:
        for path in sorted((paths.PACKAGE / part).iterdir()):
            sources[str(Path("grader", part, path.name))] = path
    sources["grader/tasks.yaml"] = paths.TASKS_FILE
    sources["boards/index.yaml"] = paths.BOARDS / "index.yaml"
    for name in course_boards().names:
        sources[f"boards/{name}.txt"] = paths.BOARDS / f"{name}.txt"
    for path in sorted(paths.HANDOUTS.glob("*.md")):
        sources[f"handouts/{path.name}"] = path
    files = {name: path.read_text("utf-8") for name, path in sources.items()}
    files |= {f"student/{name}": text for name, text in stubs().items()}
    templates = paths.PACKAGE / "release_files"
    for name in ("README.md", "Makefile"):
        files[name] = (templates / name).read_text("utf-8")
    files["pyproject.toml"] = _pyproject((templates / "pyproject.toml.in").read_text("utf-8"))
    files[".gitignore"] = ".venv/\n__pycache__/\n"
    return files


def _pyproject(template: str) -> str:
    """Return the release's pyproject.toml with this installation's own version and dependencies."""
    all_needed = [each.partition("; extra ==") for each in sorted(metadata.requires("peg-solitaire") or [])]

    def needed(extra: str) -> str:
        """Return the lines for what an extra needs, or for what is needed without any."""
        named = [name for name, _, of in all_needed if of.strip(" '\"") == extra]
        return "\n".join(f'    "{name.strip()}",' for name in named)

    version = metadata.version("peg-solitaire")
    text = template.replace("@version@", version).replace("@dependencies@", needed(""))
    return text.replace("@play@", needed("play")).replace("@watch@", needed("watch"))


def _check_for_leaks(files: dict[str, str]) -> None:
    """Raise InputError if a telling line of a solution, or RUN lines of the oracle, stand in any file.

    A line that the stubs show anyway (the loops of peg1, the header of a helper) tells nothing.
    """
    public = {
        line.strip() for name in files if name.startswith("student/") for line in files[name].splitlines()
    }
    secret: dict[tuple[str, ...], str] = {}
    for task in registry().tasks.values():
        for line in solution_lines((paths.REFERENCE / task.file).read_text("utf-8")):
            if len(line) >= SHORT and line not in public:
                secret[line,] = f"the solution of {task.file}"
    for path in sorted(paths.ORACLE.glob("*.py")):
        secret |= dict.fromkeys(_runs(path.read_text("utf-8"), RUN).values(), f"grader/oracle/{path.name}")
    for name, text in files.items():
        for length in (1, RUN):
            for number, run in _runs(text, length).items():
                if run in secret:
                    raise InputError(
                        f"{name}:{number}: a line of {secret[run]}: {run[0]}",
                        "keep it out of the release; nothing was written",
                    )


def _runs(text: str, length: int) -> dict[int, tuple[str, ...]]:
    """Return so many lines in a row, by the number of the first; what is blank or imports tells nothing."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith(("import ", "from "))
    ]
    return {
        lines[at][0]: tuple(line for _, line in lines[at : at + length])
        for at in range(len(lines) + 1 - length)
    }
