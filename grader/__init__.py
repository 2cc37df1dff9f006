"""The grader: one command, one result record, the same verdict at home, in a class run and in CI."""

import contextlib
import os
import sys

# An empty part of PYTHONPATH, or a dot, is the current folder. Its files may be somebody else's, unless it is
# this package's own.
_parts = os.environ.get("PYTHONPATH", "").split(os.pathsep)
_kept = [each for each in _parts if os.path.normpath(each) != "."]  # also of an empty one
if _parts != [""] and _kept != _parts:
    os.environ["PYTHONPATH"] = os.pathsep.join(_kept)
    _own = os.path.dirname(os.path.dirname(__file__))
    with contextlib.suppress(OSError):  # it was removed
        _here = os.path.realpath(".")
        sys.path[:] = [each for each in sys.path if each == _own or os.path.realpath(each) != _here]
