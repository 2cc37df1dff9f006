"""`make stubs`: cut the students' stubs from the reference solution, into the folder student."""

import sys
from pathlib import Path

from grader import folders, paths
from grader.errors import FULL_MARKS, USAGE, InputError
from grader.release.release import stubs

STUDENT = Path("student")


def main() -> int:
    """Write each stub that differs from what is cut from the reference, and print its name."""
    try:
        for name, text in stubs().items():
            path = STUDENT / name
            if not path.is_file() or path.read_text("utf-8") != text:
                folders.write_whole(path, text)
                print(f"wrote {paths.shown(path)}")
    except InputError as error:
        print(f"{error.message}\nhelp: {error.help}", file=sys.stderr)
        return USAGE
    return FULL_MARKS


if __name__ == "__main__":
    sys.exit(main())
