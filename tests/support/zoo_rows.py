"""Read the rows of the zoo from their zoo.yaml, and make a student's folder from one; see test_zoo.py."""

import os
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from grader import paths
from support.source_changes import changed

ZOO = Path(__file__).resolve().parents[1] / "zoo"
STUBS = paths.PACKAGE.parent / "student"
NAMES = sorted(path.parent.name for path in ZOO.glob("*/zoo.yaml"))
ATTEMPTS = ZOO / "attempts.py"
USUAL_TIER = 2
FIELDS: dict[str, Any] = {
    "says": [],
    "debug": False,
    "change": [],
    "odd": {},
    "beside": {},
    "attack": [],
    "canary": None,
    "slow": False,
    "waits": False,
}

ODD: dict[str, Callable[[str], bytes]] = {
    "windows": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "large": lambda text: (text + "# solutions\n" * 30_000).encode(),
    "latin-1": lambda text: ("# für die Übung\n" + text).encode("latin-1"),
    "utf-16": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "zeros": lambda text: text.encode() + bytes(64),
}


@cache
def read_row(name: str, tier: int = USUAL_TIER) -> dict[str, Any]:
    """Return the row's zoo.yaml with defaults for missing fields, and with the verdicts of one tier.

    `expect` then has the verdicts, and `codes` the identities of the messages of the usual tier.
    """
    row = yaml.safe_load((ZOO / name / "zoo.yaml").read_text("utf-8"))
    known = {"task", "why", "expect"} | FIELDS.keys()
    assert row.keys() <= known, f"{name}: unknown fields {row.keys() - known}"
    row = {**FIELDS, **row}
    row["attack"] = [row["attack"]] if isinstance(row["attack"], int) else row["attack"]
    said = {board: _in_tier(said, tier).partition(" ") for board, said in row["expect"].items()}
    row["expect"] = {board: verdict for board, (verdict, _, _) in said.items()}
    row["codes"] = {board: code for board, (_, _, code) in said.items()}
    return row


def _in_tier(verdict: str | dict[int, str], tier: int) -> str:
    if isinstance(verdict, str):
        return verdict
    return verdict[max(first for first in verdict if first <= tier)]


def make_folder(name: str, place: Path, words: Mapping[str, str] | None = None) -> Path:
    """Make the row's student folder below `place` and return it.

    Args:
        name: the row's name.
        place: the folder to make it in.
        words: words to replace in the row's own files, each with its replacement.
    """
    folder = place / name / "student"
    shutil.copytree(paths.REFERENCE, folder, ignore=shutil.ignore_patterns("__pycache__", "report*"))
    row = read_row(name)
    for file in (ZOO / name).glob("*.py"):
        text = file.read_text("utf-8")
        if row["canary"] is not None:
            text = f"{ATTEMPTS.read_text('utf-8')}\n\n{text}"
        for word, meaning in (words or {}).items():
            text = text.replace(word, meaning)
        (folder / file.name).write_text(text, "utf-8")
    for file_name, text in row["beside"].items():
        (folder / file_name).parent.mkdir(exist_ok=True)
        (folder / file_name).write_text(text, "utf-8")
    for change in row["change"]:
        file = folder / change["file"]
        texts = (change[part].rstrip("\n") for part in ("replace", "by"))
        file.write_text(changed(file.read_text("utf-8"), *texts), "utf-8")
    for file_name, how in row["odd"].items():
        _make_odd(folder / file_name, how)
    return folder


def _make_odd(file: Path, how: str) -> None:
    text = file.read_text("utf-8")
    file.unlink()
    match how:
        case "missing":
            pass
        case "folder":
            file.mkdir()
        case "stub":
            shutil.copy(STUBS / file.name, file)
        case "link":
            elsewhere = file.parent.parent / "elsewhere.py"
            elsewhere.write_text(text, "utf-8")
            file.symlink_to(elsewhere)
        case "device":
            file.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(file)
        case "ten-gigabytes":
            file.touch()
            os.truncate(file, 10 << 30)  # one large hole, which takes no space on disk
        case "among-many":
            file.write_text(text, "utf-8")
            for number in range(2000):
                (file.parent / f"{number}.py").touch()
        case _:
            file.write_bytes(ODD[how](text))
