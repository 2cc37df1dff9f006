"""Get Pyodide (Python for browsers) from npm or from a file, and take from it the files that a page loads."""

import gzip
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from grader import paths
from grader.errors import InputError

VERSION = "314.0.7"  # Python 3.14
PACKAGE = f"pyodide@{VERSION}"
# What a page loads of it; the rest is for Node, for type checkers and for a console.
LOADED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LARGE, LOCK = "pyodide.asm.wasm", "pyodide-lock.json"
WITHOUT = "or name the file or folder that npm pack made elsewhere: --pyodide FILE"


def pyodide_files(given: Path | None) -> dict[str, bytes]:
    """Return the files to load, by name; the largest is compressed, and python.js unpacks it.

    Pyodide's list of packages is left empty: none is shipped, so its errors must not name any.

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
    found[f"{LARGE}.gz"] = gzip.compress(found.pop(LARGE), mtime=0)
    found[LOCK] = json.dumps({**json.loads(found[LOCK]), "packages": {}}).encode()
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
    npm = shutil.which("npm")
    if npm is None:
        raise InputError(f"{PACKAGE}: npm, which fetches it, is not installed", f"install npm, {WITHOUT}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        done = subprocess.run(
            [npm, "pack", "--silent", "--pack-destination", made, PACKAGE],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        found = list(Path(made).glob("*.tgz"))
        if done.returncode != 0 or not found:
            why = (done.stderr or done.stdout).strip().splitlines()
            raise InputError(
                f"{PACKAGE}: npm could not fetch it" + (f": {why[-1]}" if why else ""),
                f"look at the network and try again, {WITHOUT}",
            )
        found[0].replace(archive)
    return archive
