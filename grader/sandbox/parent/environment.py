"""Prepare a child's surroundings: its environment variables, and the libraries' bytecode."""

import contextlib
import importlib.util
import os
import site
import subprocess
import sys
from pathlib import Path

from grader import paths

# The libraries may be in the user's own folder, where pip puts them outside a virtual environment.
OPTIONS = ("-P",) if site.ENABLE_USER_SITE else ("-s", "-P")


def child_environment(scratch: Path) -> dict[str, str]:
    """Return the child's whole environment, the same at home and in CI."""
    environment = {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1",  # no colours, even with colorama
    }
    for threads in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        environment[threads] = "1"
    if site.ENABLE_USER_SITE:
        environment["PYTHONUSERBASE"] = site.getuserbase()
    if "SYSTEMROOT" in os.environ:  # Windows starts no process without it
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return environment


def write_bytecode() -> None:
    """Let Python write the bytecode of the libraries under `-O`, once per installation.

    Children may write nowhere but in their own folders, and pip writes no bytecode for `-O`. So without this
    call every child would compile numba's source again, which takes seconds. The call does nothing where the
    libraries belong to another user.
    """
    spec = importlib.util.find_spec(_LAST)
    if spec is None or spec.origin is None:
        return
    bytecode = Path(importlib.util.cache_from_source(spec.origin, optimization=1))
    folder = bytecode.parent if bytecode.parent.exists() else Path(spec.origin).parent
    if not bytecode.exists() and os.access(folder, os.W_OK):
        with contextlib.suppress(OSError):
            subprocess.run(
                [sys.executable, *OPTIONS, "-O", "-c", _IMPORT_ALL, paths.FRAMEWORK_ROOT, str(os.getpid())],
                check=False,
                env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )


_LAST = "typing_extensions"  # imported by none of the others: where it has bytecode, all have
# What children import, in a process that dies with the grader.
_IMPORT_ALL = f"""
import os, signal, sys
sys.path.append(sys.argv[1])
from grader.sandbox.confine import kernel
if sys.platform.startswith("linux"):
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(sys.argv[2]):
        sys.exit()
from grader.sandbox.child import lab_questions, questions, slow
from grader.sandbox.confine import confinement
import importlib.util, json, pickle, socket
import numba, numba.np.ufunc, numpy.ma, framework.hash_table
numba.njit(lambda: 0)()
import {_LAST}
"""
