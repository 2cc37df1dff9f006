"""Imitate course platforms: their paths, users and limits, and a Python with only the required libraries."""

import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from support.archives import lay
from support.command import ROOT

AUTOGRADE = 47_811  # an unprivileged user, for tests that run as root
HANGS_S = 1800  # what a run may take at the very most
PROCESSES, FILE_BYTES, OUTPUT_BYTES = 100, 100 << 20, 1000 << 10  # as Tango's autodriver sets them


@cache
def schema(name: str) -> Draft202012Validator:
    """Return the schema of what a platform reads."""
    return Draft202012Validator(json.loads((ROOT / f"tests/schemas/{name}.json").read_text("utf-8")))


@contextmanager
def new_place() -> Iterator[Path]:
    """Make a new folder that every user can enter; pytest's own folders are closed to other users."""
    with TemporaryDirectory(prefix="platform-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def make_venv(folder: Path, requirements: str) -> None:
    """Make a venv with the required libraries, as they are installed here.

    It is what pip would make, but needs only a second and no network. The checkout is not on its path.
    """
    subprocess.run([_python(folder.parent), "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for line in requirements.split():
        for file in metadata.files(line.partition("==")[0]) or ():
            source = Path(str(file.locate()))
            if ".." in file.parts or not source.is_file():
                continue
            compiled = (
                source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.opt-1.pyc"
            )
            # Without `compiled`, the source would be compiled again, which takes some seconds.
            for each in (source, compiled):
                target = packages / file.parent / each.relative_to(source.parent)
                if each.is_file() and not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    _link(each, target)


def _python(place: Path) -> Path:
    """Return a Python that every user can run: this one, or a copy of it in a folder that all can enter."""
    prefix = Path(sys.base_prefix)
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if all(folder.stat().st_mode & 0o001 for folder in (prefix, *prefix.parents)):
        return prefix / "bin" / name
    unused = shutil.ignore_patterns("site-packages", "test", "tests", "idlelib", "config-*", "lib2to3")
    for part in (Path("bin", name), Path("lib", name)):
        source, target = prefix / part, place / "python" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=unused, copy_function=_link)
        else:
            _link(source, target)
    return place / "python" / "bin" / name


def _link(source: Path | str, target: Path | str) -> None:
    """Link a file to a second place, or copy it if that place is on another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@dataclass(frozen=True)
class Ran:
    """How a platform's run ended: its status, and what it printed."""

    status: int
    out: str
    err: str = ""


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return a container's environment; its cache keeps compiled code from one run of a test to the next."""
    path = "/usr/local/bin:/usr/bin:/bin"
    return {"PATH": path, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **more}


# ---- Gradescope ----------------------------------------------------------------------------------


class Gradescope:
    """A copy of Gradescope's `/autograder`, made from the zip alone; the user who runs the tests owns it."""

    def __init__(self, place: Path, uploaded: bytes) -> None:
        self.root = place / "autograder"
        self.results = self.root / "results" / "results.json"
        for name in ("source", "results", "submission"):
            (self.root / name).mkdir(parents=True)
        with zipfile.ZipFile(io.BytesIO(uploaded)) as archive:
            for entry in archive.infolist():
                archive.extract(entry, self.root / "source")
                (self.root / "source" / entry.filename).chmod(entry.external_attr >> 16)
        shutil.copy2(self.root / "source" / "run_autograder", self.root)

    def install(self) -> None:
        """Do what setup.sh does, without a network."""
        make_venv(self.root / "venv", (self.root / "source" / "requirements.txt").read_text("utf-8"))

    def hand_in(self, files: Mapping[str, str]) -> None:
        """Put a submission in place of the one before it."""
        shutil.rmtree(self.root / "submission")
        self.results.unlink(missing_ok=True)
        lay(self.root / "submission", files)

    def start(self) -> "subprocess.Popen[str]":
        """Start the autograder, without a terminal."""
        given, pipe = environment(self.root.parent, AUTOGRADER_ROOT=str(self.root)), subprocess.PIPE
        return subprocess.Popen(
            [self.root / "run_autograder"], cwd=self.root, env=given, stdin=subprocess.DEVNULL, stdout=pipe,
            stderr=pipe, text=True, start_new_session=True,
        )  # fmt: skip

    def run(self) -> Ran:
        """Run the autograder to its end, and return how it ended."""
        process = self.start()
        out, err = process.communicate(timeout=HANGS_S)
        return Ran(process.returncode, out, err)


# ---- Autolab -------------------------------------------------------------------------------------


class Autolab:
    """A folder of the user `autograde`, with Autolab's files, under autodriver's limits.

    HOME is another user's there: Tango starts autodriver as `autolab`, which keeps the environment.
    """

    def __init__(self, place: Path, exported: Path) -> None:
        self._home, self._exported = place, exported
        self.job = place / "autolab"
        make_venv(place / "image", (exported / "requirements.txt").read_text("utf-8"))

    def run(self, handin: bytes, name: str = "handin.tar") -> Ran:
        """Grade one file as autodriver does, and return its output, cut as autodriver cuts it."""
        shutil.rmtree(self.job, ignore_errors=True)
        self.job.mkdir()
        shutil.copy(self._exported / "autograde.tar", self.job)
        shutil.copy(self._exported / "autograde-Makefile", self.job / "Makefile")
        (self.job / name).write_bytes(handin)
        path = f"{self._home / 'image' / 'bin'}:/usr/bin:/bin"
        user: dict[str, Any] = {}
        if os.getuid() == 0:
            user = {"user": AUTOGRADE, "group": AUTOGRADE, "extra_groups": []}
            subprocess.run(["chown", "-R", str(AUTOGRADE), self.job], check=True)
        log = self._home / "output.log"
        with log.open("wb") as stream:
            status = subprocess.run(
                ["make"], cwd=self.job, env={"HOME": str(self._home), "PATH": path}, stdin=subprocess.DEVNULL,
                stdout=stream, stderr=subprocess.STDOUT, preexec_fn=partial(_limit, bool(user)),
                timeout=HANGS_S, check=False, **user,
            ).returncode  # fmt: skip
        output = log.read_bytes()
        if len(output) > OUTPUT_BYTES:
            output = output[: OUTPUT_BYTES // 2] + b"\n...[cut]...\n" + output[-OUTPUT_BYTES // 2 :]
        return Ran(status, output.decode())


def _limit(own_user: bool) -> None:
    """Set autodriver's limits, the one on processes only if `own_user`.

    That limit counts all processes of a user, so it needs a user that has no other processes.
    """
    if own_user:
        resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))


# ---- GitHub --------------------------------------------------------------------------------------


class GitHub:
    """A runner that knows only what our workflows use: inputs, checkouts, and commands in bash."""

    def __init__(self, place: Path, exported: Path) -> None:
        self.workspace, self.temp = place / "work", place / "temp"
        self._exported = exported
        self.temp.mkdir()
        make_venv(
            self.temp / "venv", (exported / "grader-repository" / "requirements.txt").read_text("utf-8")
        )

    def run(self, files: Mapping[str, str]) -> tuple[Ran, str]:
        """Run the student's workflow as if these files were pushed; return how it ended, and its summary."""
        called = _workflow(self._exported / "student-repository")["jobs"]["grade"]
        repository, _, ref = called["uses"].partition("/.github/workflows/grade.yml@")
        workflow = _workflow(self._exported / "grader-repository")
        asked = workflow[True]["workflow_call"]["inputs"]  # `on` is true in YAML 1.1
        inputs = {name: each.get("default") for name, each in asked.items()} | called["with"]
        assert (inputs["repository"], inputs["ref"]) == (repository, ref)
        summary = self.temp / "summary"
        summary.write_text("")
        shutil.rmtree(self.workspace, ignore_errors=True)
        for step in workflow["jobs"]["grade"]["steps"]:
            given = {
                key: _filled(value, inputs, self.workspace) for key, value in step.get("with", {}).items()
            }
            if "uses" in step and "repository" in given:
                assert (given["repository"], given["ref"]) == (repository, ref)
                shutil.copytree(self._exported / "grader-repository", self.workspace / given["path"])
            elif "uses" in step:
                lay(self.workspace / given["path"], files)
            elif step["name"] != "Install":  # the venv is made already, since pip would need a network
                variables = {
                    name: _filled(value, inputs, self.workspace) for name, value in step["env"].items()
                }
                done = subprocess.run(
                    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                    cwd=self.workspace / step["working-directory"],
                    env=environment(
                        self.temp.parent,
                        RUNNER_TEMP=str(self.temp),
                        GITHUB_WORKSPACE=str(self.workspace),
                        GITHUB_STEP_SUMMARY=str(summary),
                        CI="true",
                        **variables,
                    ),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=HANGS_S,
                    check=False,
                )
        return Ran(done.returncode, done.stdout, done.stderr), summary.read_text("utf-8")


def _workflow(repository: Path) -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load((repository / ".github/workflows/grade.yml").read_text("utf-8"))
    return loaded


def _filled(value: Any, inputs: Mapping[str, Any], workspace: Path) -> str:
    """Return a value from a workflow's step, with its `${{ }}` expressions evaluated."""

    def known(match: re.Match[str]) -> str:
        name = match[1]
        return str(workspace) if name == "github.workspace" else str(inputs[name.removeprefix("inputs.")])

    return re.sub(r"\$\{\{ ([a-z.]+) \}\}", known, str(value))
