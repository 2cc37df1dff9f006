"""Get what the site ships: its editor and zip library in one module, Pyodide, and the Python files for it.

The module is bundled once for each version of its sources. Of Pyodide (Python for browsers) only the files
that a page loads are taken, and of its library what a first run imports comes first.
"""

import hashlib
import json
import lzma
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

from grader import paths
from grader.errors import InputError
from grader.folders import replace_file

EDITOR = Path(__file__).parent / "editor"
SOURCES = ("package.json", "package-lock.json", ".npmrc", "entry.js")
MODULE = "libraries.js"
LICENCES = "libraries.licences.txt"
INSTALL = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
ESBUILD = (
    "node_modules/.bin/esbuild", "entry.js", "--bundle", "--format=esm", "--target=es2022", "--minify",
    "--legal-comments=none", f"--outfile={MODULE}", "--metafile=meta.json", "--log-level=warning",
)  # fmt: skip
LIMIT_S = 600  # for a slow network
NO_EDITOR = "the page's editor cannot be bundled"
_HELP = "install Node.js with npm (apt-get install npm), and connect to the internet; it is needed once"


def bundle(cache: Path) -> Path:
    """Return a folder with the bundled module, `libraries.js`, and `libraries.licences.txt`.

    The packages are those of `editor/package-lock.json`, which npm checks against its digests. None of
    the packages' install scripts is run.

    Args:
        cache: a folder in which bundles are kept; a bundle that is there needs neither npm nor a network.

    Raises:
        InputError: npm is missing, or the packages cannot be fetched or bundled.
    """
    kept = cache / f"editor-{_digest()}"
    if kept.is_dir():
        return kept
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise InputError("no npm here: it bundles the page's editor", _HELP)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="editor-making-") as made:
        work, out = Path(made), Path(made, "bundle")
        for name in SOURCES:
            shutil.copy(EDITOR / name, work)
        _run(INSTALL, work)
        _run(ESBUILD, work)
        out.mkdir()
        shutil.move(work / MODULE, out)
        (out / LICENCES).write_text(_licences(work), "utf-8")
        try:
            out.rename(kept)
        except OSError:
            if not kept.is_dir():  # another `grade site` was not faster either
                raise
    return kept


def _digest() -> str:
    """Return a digest of everything that decides what a bundle is."""
    sources = b"".join((EDITOR / name).read_bytes() for name in SOURCES)
    return hashlib.sha256(repr(ESBUILD).encode() + sources).hexdigest()[:16]


def _run(command: Iterable[str], folder: Path, fault: str = NO_EDITOR, help: str = _HELP) -> None:
    """Run a command in a folder.

    Raises:
        InputError: it failed; the message has the last lines of its output.
    """
    name, *arguments = command
    program = shutil.which(name) or str(folder / name)
    try:
        ran = subprocess.run(
            [program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=LIMIT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{fault}: {error}", help) from None
    if ran.returncode != 0:
        said = " / ".join((ran.stderr or ran.stdout).strip().splitlines()[-3:])
        raise InputError(f"{fault}: {name} failed: {said}", help)


def _licences(work: Path) -> str:
    """Return the licences of all packages that are in the bundle, wholly or in part."""
    inputs = json.loads((work / "meta.json").read_text("utf-8"))["inputs"]
    packages = {_package(path) for path in inputs if path.startswith("node_modules/")}
    parts = []
    for name in sorted(packages):
        folder = work / "node_modules" / name
        about = json.loads((folder / "package.json").read_text("utf-8"))
        texts = [file.read_text("utf-8").strip() for file in sorted(folder.glob("LICEN[CS]E*"))]
        parts.append("\n\n".join([f"{name} {about['version']}: {about['license']}", *texts]))
    return f"\n\n{'-' * 79}\n\n".join(parts) + "\n"


def _package(path: str) -> str:
    """Return the name of the package that a file in node_modules belongs to."""
    _, first, second, *_ = path.split("/")
    return f"{first}/{second}" if first.startswith("@") else first


VERSION = "314.0.7"  # Python 3.14
PACKAGE = f"pyodide@{VERSION}"
# What a page loads of it; the rest is for Node, for type checkers and for a console.
LOADED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
MACHINE, GLUE, LOCK = "pyodide.asm.wasm", "pyodide.asm.mjs", "pyodide-lock.json"
COMPILE = EDITOR / "compile.mjs"
WITHOUT = "or name the file or folder that npm pack made elsewhere: --pyodide FILE"


def python_parts(given: Path | None, modules: bytes, cache: Path) -> dict[str, bytes]:
    """Return the files that are Python in a browser, by name; what a first run needs is packed as xz.

    Args:
        given: the npm package of Pyodide, or None, as `pyodide_files` takes it.
        modules: an archive of the course's own modules.
        cache: the folder in which Pyodide's packed machine is kept, which takes long to pack.

    Raises:
        InputError: the package cannot be used, or node cannot run it.
    """
    found = pyodide_files(given)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, content in {**found, "python.zip": modules}.items():
            (folder / name).write_bytes(content)
        _run(("node", str(COMPILE), made), folder, "the course's Python cannot be compiled")
        first = {name: (folder / name).read_bytes() for name in ("library.zip", "python.zip")}
    machine, kept = found.pop(MACHINE), cache / f"machine-{VERSION}.xz"
    if not kept.is_file() or lzma.decompress(kept.read_bytes()) != machine:
        cache.mkdir(parents=True, exist_ok=True)
        replace_file(kept, lzma.compress(machine), cache)
    packed = {name: lzma.compress(content) for name, content in {**first, GLUE: found.pop(GLUE)}.items()}
    packed[MACHINE] = kept.read_bytes()
    # Pyodide's list of packages is left empty: none is shipped, so its errors must not name any.
    found[LOCK] = json.dumps({**json.loads(found[LOCK]), "packages": {}}).encode()
    return found | {f"{name}.xz": content for name, content in packed.items()}


def pyodide_files(given: Path | None) -> dict[str, bytes]:
    """Return the files of Pyodide that a page loads, by name.

    Args:
        given: the npm package of Pyodide, packed or not; None to take it from the cache, or from npm.

    Raises:
        InputError: the package cannot be fetched or read, or lacks a file.
    """
    place = given or _packed()
    if place.is_dir():
        inside = place / "package" if (place / "package").is_dir() else place
        found = {name: (inside / name).read_bytes() for name in LOADED if (inside / name).is_file()}
    else:
        found = _unpacked(place)
    missing = [name for name in LOADED if name not in found]
    if missing:
        raise InputError(
            f"{paths.shown(place)}: expected npm's package {PACKAGE}, found no {missing[0]}",
            f"npm pack {PACKAGE}, and name the file that it makes",
        )
    return found


def _unpacked(archive: Path) -> dict[str, bytes]:
    try:
        with tarfile.open(archive) as opened:
            members = {name: opened.extractfile(f"package/{name}") for name in LOADED}
            return {name: member.read() for name, member in members.items() if member is not None}
    except KeyError:
        return {}
    except (OSError, tarfile.TarError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no archive"
        raise InputError(
            f"{paths.shown(archive)}: cannot be read: {why}", f"npm pack {PACKAGE} makes such a file"
        ) from None


def _packed() -> Path:
    """Return the path of Pyodide's npm package in the cache; npm fetches it first if it is not there."""
    folder = paths.cache_root() / "site"
    archive = folder / f"pyodide-{VERSION}.tgz"
    if archive.is_file():
        return archive
    if shutil.which("npm") is None:
        raise InputError(f"{PACKAGE}: npm, which fetches it, is not installed", f"install npm, {WITHOUT}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        help = f"look at the network and try again, {WITHOUT}"
        _run(("npm", "pack", "--silent", PACKAGE), Path(made), f"{PACKAGE} cannot be fetched", help)
        next(Path(made).glob("*.tgz")).replace(archive)
    return archive


# ---- the Python files that run in the browser: the course's own, and those of a few libraries -----

BROWSER = Path(__file__).parent / "browser"
# Rooms of the released grader that need processes, a terminal or a server.
NOT_THERE = (
    "grader/commands/", "grader/play/", "grader/viva/", "grader/sandbox/parent/",
    "grader/sandbox/doctor", "grader/film/page.py", "grader/web/html_page.py",
)  # fmt: skip
# The libraries that the rest imports; what they need comes with them. PyYAML does without its C part.
LIBRARIES = ("click", "icontract", "PyYAML", "tabulate")
STATED = ("License-Expression", "License")  # where a library says its licence in a word


def browser_files(released: Mapping[str, str]) -> dict[str, str]:
    """Return, by name, the course's files that Python in the browser needs, from the release and the site."""
    chosen = {
        name: text
        for name, text in released.items()
        if name.startswith(("framework/", "grader/", "boards/")) and not name.startswith(NOT_THERE)
        and name.endswith((".py", ".yaml", ".txt", ".md"))
    }  # fmt: skip
    ours = [Path(__file__).parent / "__init__.py", *sorted(BROWSER.glob("*.py"))]
    return chosen | {f"grader/{file.relative_to(paths.PACKAGE)}": file.read_text("utf-8") for file in ours}


def library_files() -> tuple[dict[str, bytes], str]:
    """Return the files of the libraries as they are installed here, and the text of their licences.

    Raises:
        InputError: a library is not installed.
    """
    files: dict[str, bytes] = {}
    licences = []
    for library in _with_needed():
        for file in library.files or ():
            if file.suffix == ".py" and ".." not in file.parts and "tests" not in file.parts:
                files[str(file)] = Path(str(file.locate())).read_bytes()
        licences.append(_licence(library))
    return files, "\n\n".join(licences)


def _with_needed() -> list[metadata.Distribution]:
    """Return the libraries and those that they need on every system, sorted by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(LIBRARIES)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise InputError(f"{name} is not installed here", "pip install --editable .") from None
        needed = [each for each in found[name].requires or () if ";" not in each]
        waiting += [re.split(r"[^\w.-]", each.strip())[0] for each in needed]
    return [found[name] for name in sorted(found)]


def _licence(library: metadata.Distribution) -> str:
    """Return a library's name, version and licence, and the licence texts that it ships."""
    about = library.metadata
    stated = [each for name in STATED for each in about.get_all(name) or () if each][:1]
    named = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    kind = ", ".join(each.splitlines()[0].rpartition(":: ")[2] for each in stated or named)
    texts = [
        Path(str(file.locate())).read_text("utf-8", "replace").strip()
        for file in library.files or ()
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")) and file.suffix != ".py"
    ]
    return "\n\n".join([f"{about['Name']} {library.version}: {kind}", *texts])
