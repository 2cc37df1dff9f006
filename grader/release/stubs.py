"""`make stubs`: cut the students' stubs from the reference solution, into the folder student."""

import sys

from grader import folders, paths
from grader.errors import FULL_MARKS, USAGE, InputError
from grader.release.release import stubs

STUDENT = paths.FRAMEWORK_ROOT / "student"


def main() -> int:
    """Write each stub that differs from what is cut from the reference, and print its name."""
    try:
        for name, text in stubs().items():
            path = STUDENT / name
            if not path.is_file() or path.read_bytes() != text.encode():
                folders.write_whole(path, text)
                print(f"wrote {paths.shown(path)}")
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return USAGE
    except InputError as error:
        print(f"{error.message}\nhelp: {error.help}", file=sys.stderr)
        return USAGE
    print("the stubs are up to date")
    return FULL_MARKS


if __name__ == "__main__":
    sys.exit(main())
