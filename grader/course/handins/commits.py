"""Read when the last commit of a student's clone was made, without trusting the clone.

Its configuration could make git run a program of the student's choice, so git never reads it: git is given an
empty repository of ours that borrows only the clone's objects.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from grader.course.handins.moments import YEARS
from grader.course.tool_limits import limited
from grader.submissions.source_file import SubmissionFault, read_raw

MAX_COMMIT = 1 << 20  # bytes
SECONDS = 5.0  # for a clone; its objects may be anything, such as a pipe, at which git waits
CPU_S = 3
MEMORY_BYTES = 512 << 20  # of addresses
_WINDOW = "core.packedGitWindowSize=32m"  # of a pack, else git maps one of 1 GiB as a whole
_DIGEST = re.compile(rb"[0-9a-f]{40}")
_REF = re.compile(rb"ref: (refs/heads/[\w./+@-]+)\s*")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,12}) [+-]\d{4}$", re.M)


def last_commits(clones: Iterable[Path]) -> Mapping[Path, datetime]:
    """Return when the last commit of each clone was made, by the clock of whoever made it.

    Clones without a commit, or of another format, are left out; so are all if there is no git.
    """
    found = {}
    with tempfile.TemporaryDirectory() as ours:
        for folder in ("refs", "objects/info"):
            (Path(ours) / folder).mkdir(parents=True)
        (Path(ours) / "HEAD").write_text("ref: refs/heads/none\n")
        for clone in clones:
            git = clone.resolve() / ".git"
            digest = _head(git)
            if digest and "\n" not in str(git):
                (Path(ours) / "objects/info/alternates").write_bytes(os.fsencode(f"{git}/objects\n"))
                if moment := _committed(ours, digest):
                    found[clone] = moment
    return found


def _head(git: Path) -> str:
    """Return the digest of a clone's last commit; empty if it is not known."""
    head = _read(git / "HEAD")
    ref = _REF.fullmatch(head)
    if ref and b".." not in ref[1]:
        name = ref[1].decode()
        packed = re.search(rb"^([0-9a-f]{40}) " + re.escape(ref[1]) + rb"$", _read(git / "packed-refs"), re.M)
        head = _read(git / name) or (packed[1] if packed else b"")
    digest = head.strip()
    return digest.decode() if _DIGEST.fullmatch(digest) else ""


def _read(file: Path) -> bytes:
    try:
        return read_raw(file, "") or b""
    except SubmissionFault:
        return b""


def _committed(ours: str, digest: str) -> datetime | None:
    deadline = time.monotonic() + SECONDS
    size = _git(ours, deadline, "-s", digest)
    if not size.strip().isdigit() or int(size) > MAX_COMMIT:
        return None
    committer = _COMMITTER.search(_git(ours, deadline, "commit", digest).partition(b"\n\n")[0])
    if committer is None:
        return None
    moment = datetime.fromtimestamp(min(int(committer[1]), 10**10), UTC)
    return moment if moment.year in YEARS else None


def _git(ours: str, deadline: float, *arguments: str) -> bytes:
    """Return what `git cat-file` prints; empty if it fails, or takes too much."""
    safe = {"HOME": ours, "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_LAZY_FETCH": "1", "PATH": os.defpath}
    command = ["git", "-c", _WINDOW, "--git-dir", ours, "cat-file", *arguments]
    try:
        done = subprocess.run(
            limited(command, CPU_S, MEMORY_BYTES, MAX_COMMIT),
            env=safe,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=max(0.0, deadline - time.monotonic()),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
