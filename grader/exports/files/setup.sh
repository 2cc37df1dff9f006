#!/usr/bin/env bash
# Install Python, libseccomp, and the pinned libraries in a venv of their own. Run once, as root, when the image is
# built; grading needs no network after that.  Usage: setup.sh [VENV]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${1:-${AUTOGRADER_ROOT:-/autograder}/venv}

usable() { "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
newest() { # the first Python that can be used
    for each in python3 python3.14 python3.13 python3.12 python3.11; do
        if usable "$each"; then echo "$each"; return; fi
    done
}
add() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

if [ -z "$(newest)" ] || ! /sbin/ldconfig -p | grep -q libseccomp.so.2; then
    apt-get update -qq
    add python3 python3-venv libseccomp2
    [ -n "$(newest)" ] || add python3.11 python3.11-venv # Ubuntu 22.04 has it in addition to its own 3.10
fi
python=$(newest)
[ -n "$python" ] || { echo "setup.sh: expected Python 3.11 or newer; take a newer base image" >&2; exit 1; }

"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
"$venv/bin/python" -O -m compileall -q "$venv/lib" || true # a library may have files for other Python versions

if [ -d "$here/course" ]; then # report how well this machine can confine a student's program
    cd "$here/course"
    "$venv/bin/python" -m compileall -q .
    "$venv/bin/python" -c 'from grader.cli import main; main()' doctor || true
fi
