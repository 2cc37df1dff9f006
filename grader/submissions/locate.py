"""Find the tasks' files in what one student handed in: at the top, in `student/`, or some folders deep.

Only names are looked at, level by level; no link is followed and no hidden folder is entered.
"""

from collections.abc import Collection

from grader.submissions.archives import FILE, FOLDER, Parts, Tree, is_archive, is_hidden, is_junk, too_many

STUDENT = "student"
MAX_DEPTH = 3  # how deep in nested folders the files are looked for
MAX_FOLDERS = 100  # of one level that are looked into
MAX_LISTED = 10_000  # entries of all of them

Holders = dict[Parts, dict[str, Parts]]  # folders with the tasks' files in them, and where each file is


def locate(
    tree: Tree, at: Parts, names: Collection[str], place: str
) -> tuple[Holders, list[Parts], list[str]]:
    """Return the shallowest folders that hold any of the files, `student/` before the folder it is in.

    Args:
        tree, at: where to look.
        names: the files; each task reports whether its files are usable.
        place: how it is called in messages.

    Returns:
        The folders. Where there are none: the shallowest archives, and other names.

    Raises:
        SubmissionFault: a folder cannot be read, or there are too many files before any is found.
    """
    level = [at]
    packed: list[Parts] = []
    loose: list[str] = []
    listed = 0
    for _ in range(MAX_DEPTH + 1):
        holders: Holders = {}
        for folder in level:
            for holder in ((*folder, STUDENT), folder):
                if tree.kind(holder) == FOLDER:
                    files = {name: (*holder, name) for name in names if tree.kind((*holder, name))}
                    if files:
                        holders[holder] = files
                        break
        if holders:
            return holders, [], []
        below = []
        archives_here = []
        for folder in level:
            entries = tree.entries(folder)
            listed += len(entries)
            if listed >= MAX_LISTED:
                raise too_many(place)
            for name, kind in entries.items():
                if is_junk(name, kind):
                    continue
                if is_hidden(name):
                    loose.append(f"{name} ({kind})")
                elif kind == FOLDER:
                    below.append((*folder, name))
                elif kind == FILE and is_archive(name):
                    archives_here.append((*folder, name))
                else:
                    loose.append(name if kind == FILE else f"{name} ({kind})")
        packed = packed or archives_here
        level = below[:MAX_FOLDERS]
    return {}, packed, loose
