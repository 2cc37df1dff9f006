"""What is left out of compiling changes no machine code."""

import subprocess
import sys

import pytest

CODE = """
import sys
import numba
import numpy as np
from numba.core import event
from grader.sandbox.child.compiled import compile_less

if sys.argv[1] == "less":
    compile_less()

def pegs(board):
    found = 0
    for row in range(board.shape[0]):
        for col in range(board.shape[1]):
            found += board[row, col] == 1
    return found

calls = event.RecordingListener()
with event.install_listener("numba:llvm_lock", calls):
    compiled = numba.njit(pegs)
    assert compiled(np.ones((8, 8), np.int8)) == 64
library = compiled.overloads[compiled.signatures[0]].library
body = library.get_asm_str().partition(".globl")[2].partition(".Lfunc_end0")[0]
print(len(calls.buffer) > 0, "cfunc." in library.get_asm_str())
print(*[line for line in body.splitlines() if "pegs" not in line], sep="\\n")  # its name tells how it was compiled
"""


def compiled(how: str) -> tuple[str, str]:
    """Return whether calls of LLVM were announced and an entry from C compiled, and the function's own code."""
    done = subprocess.run([sys.executable, "-c", CODE, how], capture_output=True, text=True, check=True)
    first, _, body = done.stdout.partition("\n")
    return first, body


@pytest.mark.slow
def test_the_machine_code_is_the_same() -> None:
    usual, body = compiled("all")
    less, body_less = compiled("less")
    assert "\tret" in body
    assert body_less == body
    assert (usual, less) == ("True True", "False False")
