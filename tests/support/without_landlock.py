"""Run a command as on a kernel without Landlock, of which its calls get ENOSYS.

    python tests/support/without_landlock.py .venv/bin/grade doctor

It is so with an old kernel, gVisor, and containers whose profile does not know these calls.
"""

import errno
import os
import sys

import pyseccomp

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture

if __name__ == "__main__":
    made = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for call in (CREATE_RULESET, ADD_RULE, RESTRICT_SELF):
        made.add_rule(pyseccomp.ERRNO(errno.ENOSYS), call)
    made.load()
    os.execvp(sys.argv[1], sys.argv[1:])
