"""Find the tasks' files in one student's submission: at the top, in `student/`, or in nested folders.

Only names are examined, level by level; no link is followed and no hidden folder is entered.
"""

from collections.abc import Collection

from grader.submissions.archives import FILE, FOLDER, Parts, Tree, is_archive, is_hidden, is_junk, too_many

STUDENT = "student"
MAX_DEPTH = 3  # the deepest level of nested folders that is searched
MAX_FOLDERS = 100  # of one level that are searched
MAX_LISTED = 10_000  # entries in all of these together

Holders = dict[Parts, dict[str, Parts]]  # folders that hold tasks' files, with the path of each file


def locate(
    tree: Tree, at: Parts, names: Collection[str], place: str
) -> tuple[Holders, list[Parts], list[str]]:
    """Return the shallowest folders that hold any of the files; `student/` comes before the folder around it.

    Args:
        tree, at: the tree, and the path in it at which to start.
        names: the names of the files; each task reports whether its files are usable.
        place: the name of the submission in messages.

    Returns:
        The folders. If there are none, also the shallowest archives, and the names of other entries.

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
