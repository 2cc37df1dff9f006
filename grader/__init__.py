"""The grader: one command, one result record, the same verdict at home, in a class run and in CI."""

import os
import sys

# An empty part of PYTHONPATH is the current folder. Its files may be somebody else's, unless it is this
# package's own.
_parts = os.environ.get("PYTHONPATH", "").split(os.pathsep)
if len(_parts) > 1 and not all(_parts):
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, _parts))
    _own = os.path.dirname(os.path.dirname(__file__))
    sys.path[:] = [
        each for each in sys.path if each == _own or not (os.path.isdir(each) and os.path.samefile(each, "."))
    ]
