"""Make a class in which students packed their files as students do, in each of the layouts of a download.

Every submission is named after its slip. What must be taken, and what must be told, is written here by hand.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from support.archives import Files, tar_of, zip_of
from support.zoo_rows import STUBS

CAFE = "# caf\u00e9\n"
STUB, CLIENT_STUB = (STUBS / "peg1.py").read_bytes(), (STUBS / "client.py").read_bytes()
CLIENT, PEG1 = re.sub(rb"raise NotImpl.*", b"return 0", CLIENT_STUB), b"peg1 = 1\n"
BEGUN = CLIENT_STUB.replace(
    CLIENT_STUB[CLIENT_STUB.index(b"    raise ") :].split(b"\n")[0], b"    return 0", 1
)
DONE = b"done = 1\n" + STUB.replace(b"    raise ", b"#    raise ") + b"# TODO(peg1): test it\n"
HELPED = b"from helpers import jump\n"


@dataclass(frozen=True)
class Case:
    """What a student hands in."""

    files: Files  # the files, by their paths
    taken: Mapping[str, str]  # the text of each file that is taken
    told: tuple[str, ...] = ()  # what the list for the course staff says


BOTH = {"client.py": CLIENT.decode(), "peg1.py": PEG1.decode()}
ONLY_CLIENT = {"client.py": CLIENT.decode()}


CASES = {
    "right": Case({"client.py": CLIENT, "peg1.py": PEG1}, BOTH),
    "in-student": Case({"student/client.py": CLIENT, "student/peg1.py": PEG1}, BOTH),
    "split": Case({"client.py": CLIENT, "student/peg1.py": PEG1}, BOTH,
        ("client.py in the top folder taken together with what lies in student",)),
    "a-folder-each": Case({"a/client.py": CLIENT, "b/peg1.py": PEG1}, BOTH,
        ("peg1.py in b taken together with what lies in a",)),
    "case": Case({"client.py": CLIENT, "Peg1.py": PEG1}, BOTH, ("Peg1.py is taken for peg1.py",)),
    "all-capitals": Case({"CLIENT.PY": CLIENT, "PEG1.PY": PEG1}, BOTH,
        ("CLIENT.PY is taken for client.py", "PEG1.PY is taken for peg1.py")),
    "second-download": Case({"client.py": CLIENT, "peg1 (1).py": PEG1}, BOTH,
        ("peg1 (1).py is taken for peg1.py",)),
    "two-downloads": Case({"client.py": CLIENT, "peg1 (1).py": PEG1, "peg1 (2).py": b"other = 1\n"},
        ONLY_CLIENT, ("peg1 (1).py and peg1 (2).py are left aside: each may be meant for peg1.py",)),
    "two-downloads-of-one": Case({"client.py": CLIENT, "peg1 (1).py": PEG1, "peg1 (2).py": PEG1}, BOTH,
        ("peg1 (2).py is taken for peg1.py",)),
    "download-beside": Case({"client.py": CLIENT, "peg1.py": PEG1, "peg1 (1).py": b"other = 1\n"}, BOTH,
        ("peg1 (1).py left aside: peg1.py is there, too, and is taken",)),
    "same-beside": Case({"client.py": CLIENT, "peg1.py": PEG1, "peg1 (1).py": PEG1}, BOTH),
    "another-name": Case({"client.py": CLIENT, "peg1_final.py": PEG1}, ONLY_CLIENT,
        ("peg1_final.py is left aside: expected a name such as peg1.py",)),
    "another-name-below": Case({"client.py": CLIENT, "more/peg1_final.py": PEG1}, ONLY_CLIENT,
        ("peg1_final.py is left aside: expected a name such as peg1.py",)),
    "another-name-packed": Case({"client.py": CLIENT, "hw.zip": zip_of({"peg1_final.py": PEG1})}, ONLY_CLIENT,
        ("peg1_final.py is left aside: expected a name such as peg1.py",)),
    "a-document": Case({"client.py": CLIENT, "peg1.docx": PEG1}, ONLY_CLIENT,
        ("peg1.docx is left aside: expected a name such as peg1.py",)),
    "no-such-name": Case({"client.py": CLIENT, "my solution.py": PEG1, "README.md": b"", "examples.yaml": b"",
        ".keep": b""},
        ONLY_CLIENT, ("peg1.py not found; other files: my solution.py",)),
    # a Cyrillic letter
    "another-alphabet": Case({"client.py": CLIENT, "p\u0435g1.py": PEG1}, ONLY_CLIENT,
        ("peg1.py not found; other files: p\u0435g1.py",)),
    "five-deep": Case({"a/b/c/d/e/client.py": CLIENT, "a/b/c/d/e/peg1.py": PEG1}, BOTH,
        ("a/b/c/d/e, 5 folders deep, is taken for the top folder",)),
    "no-client": Case({"peg1.py": PEG1}, {}, ("hand in client.py: peg1.py needs it",)),
    "no-utf-8": Case({"client.py": CLIENT, "peg1.py": CAFE.encode("latin-1")}, ONLY_CLIENT,
        ("peg1.py: expected UTF-8 text, found the byte 0xe9",)),
    "utf-16": Case({"client.py": CLIENT, "peg1.py": CAFE.encode("utf-16")}, ONLY_CLIENT,
        ("peg1.py: expected UTF-8 text, found UTF-16",)),
    "latin-1": Case({"client.py": CLIENT, "peg1.py": f"# coding: latin-1\n{CAFE}".encode("latin-1")},
        {"client.py": CLIENT.decode(), "peg1.py": f"# coding: utf-8\n{CAFE}"}),
    "helper": Case({"client.py": CLIENT, "peg1.py": HELPED, "helpers.py": b""},
        {"client.py": CLIENT.decode(), "peg1.py": HELPED.decode()},
        ("helpers.py is left aside, and peg1.py imports it: move its functions there",)),
    "helper-in-student": Case(
        {"student/client.py": CLIENT, "student/peg1.py": HELPED, "student/helpers.py": b""},
        {"client.py": CLIENT.decode(), "peg1.py": HELPED.decode()},
        ("helpers.py is left aside, and peg1.py imports it: move its functions there",)),
    "two-versions": Case({"new/client.py": CLIENT, "new/peg1.py": PEG1, "old/peg1.py": b"other = 1\n"}, BOTH,
        ("peg1.py in old left aside for what lies in new",)),
    "beside-the-stubs": Case({"student/client.py": CLIENT, "student/peg1.py": PEG1, "peg1.py": b"other = 1\n"},
        BOTH, ("peg1.py in the top folder left aside for what lies in student",)),
    "above-the-stubs": Case(
        {"student/client.py": CLIENT_STUB, "student/peg1.py": STUB, "client.py": CLIENT, "peg1.py": PEG1}, BOTH,
        ("client.py, peg1.py in the top folder taken: nothing of it is written in student",)),
    "below-student": Case({"student/client.py": CLIENT, "student/work/peg1.py": PEG1}, BOTH,
        ("peg1.py in student/work taken together with what lies in student",)),
    "packed-in-student": Case({"student/client.py": CLIENT, "student/more.zip": zip_of({"peg1.py": PEG1})},
        BOTH, ("peg1.py in student/more.zip taken together with what lies in student",)),
    "empty-above": Case({"client.py": CLIENT, "peg1.py": b"", "final/peg1.py": PEG1}, BOTH,
        ("peg1.py in final taken: nothing of it is written in the top folder",)),
    "written-below": Case(
        {"student/client.py": CLIENT, "student/peg1.py": STUB, "final/client.py": b"more = 1\n", "final/peg1.py": PEG1},
        BOTH, ("client.py in final left aside for what lies in student",
               "peg1.py in final taken: nothing of it is written in student")),
    "begun-in-student": Case(
        {"student/client.py": BEGUN, "student/peg1.py": STUB, "final/client.py": CLIENT, "final/peg1.py": PEG1},
        {"client.py": CLIENT.decode(), "peg1.py": PEG1.decode()},
        ("client.py in final taken: less of it is written in student",
         "peg1.py in final taken: nothing of it is written in student")),
    "of-another-course": Case(
        {"student/client.py": BEGUN, "student/peg1.py": PEG1, "web/client.py": b"import socket\n"},
        {"client.py": BEGUN.decode(), "peg1.py": PEG1.decode()}, ("client.py in web left aside for what lies in student",)),
    "begun-above-student": Case(
        {"client.py": BEGUN, "hw.zip": zip_of({"hw/student/client.py": CLIENT, "hw/student/peg1.py": PEG1})},
        {"client.py": CLIENT.decode(), "peg1.py": PEG1.decode()},
        ("client.py in hw.zip/hw/student taken: less of it is written in the top folder",
         "peg1.py in hw.zip/hw/student taken together with what lies in the top folder")),
    "copies-of-which-one-is-written": Case(
        {"client.py": CLIENT, "peg1 (1).py": STUB, "peg1 (2).py": PEG1}, {"client.py": CLIENT.decode(), "peg1.py": PEG1.decode()},
        ("peg1 (2).py is taken for peg1.py", "peg1 (1).py left aside: less of it is written")),
    "backups-in-student": Case(
        {"student/client.py": CLIENT, "student/peg1.py": PEG1, "student/old/client.py": CLIENT + b"# old\n",
         "student/old.zip": zip_of({"client.py": BEGUN})},
        {"client.py": CLIENT.decode(), "peg1.py": PEG1.decode()},
        ("client.py in student/old left aside for what lies in student",
         "client.py in student/old.zip left aside for what lies in student")),
    "stubs-with-lines-of-their-own": Case(
        {"student/client.py": CLIENT_STUB, "client.py": CLIENT, "student/peg1.py": STUB + b"x = 1\n", "peg1.py": PEG1},
        BOTH, ("client.py, peg1.py in the top folder taken: nothing of it is written in student",)),
    "backup": Case({"client.py": CLIENT, "peg1.py": PEG1, "backup/peg1.py": b"other = 1\n"}, BOTH,
        ("peg1.py in backup left aside for what lies in the top folder",)),
    "one-packed": Case({"client.py": CLIENT, "hw.zip": zip_of({"peg1.py": PEG1})}, BOTH,
        ("peg1.py in hw.zip taken together with what lies in the top folder",)),
    "packed-in-packed": Case({"client.py": CLIENT, "hw.zip": zip_of({"in.zip": zip_of({"peg1.py": PEG1})})},
        BOTH, ("peg1.py in hw.zip/in.zip taken together with what lies in the top folder",)),
    "comments-of-a-stub": Case({"student/client.py": CLIENT, "student/peg1.py": DONE, "old/peg1.py": PEG1},
        {"client.py": CLIENT.decode(), "peg1.py": DONE.decode()},
        ("peg1.py in old left aside for what lies in student",)),
    "something-else": Case({"notes.txt": b"later"}, {},
        ("the submission has no task file, found notes.txt",)),
    "empty": Case({}, {}, ("the submission is empty",)),
}  # fmt: skip


# ---- layouts -----------------------------------------------------------------------------------------

Class = Mapping[str, Case]  # by the number of the student
Laid = dict[str, bytes | None]  # the content of each file; None for an empty folder


def _below(folder: str, files: Files) -> Laid:
    return {f"{folder}/{name}": content for name, content in files.items()} or {folder: None}


def _flat(files: Files) -> Files:
    """Return what a student uploads where there are no folders: the files, or one archive of them."""
    return {"hw.zip": zip_of(files)} if not files or any("/" in name for name in files) else files


def folders(students: Class, called: str = "s{0}") -> Laid:
    """Lay out a folder for each student, called by their number."""
    laid: Laid = {}
    for who, case in students.items():
        laid |= _below(called.format(who), case.files)
    return laid


def archives(students: Class) -> Laid:
    return {f"s{who}.zip": zip_of(case.files) for who, case in students.items()}


def gradescope(students: Class) -> Laid:
    listed = "".join(
        f"submission_{who}:\n  :submitters:\n  - :name: S {who}\n    :sid: s{who}\n    :email: s{who}@x.edu\n"
        for who in students
    )
    laid = folders(students, "assignment_5_export/submission_{0}")
    return laid | {"assignment_5_export/submission_metadata.yml": listed.encode()}


def moodle_flat(students: Class) -> Laid:
    return {
        f"Student {who}_{who}_assignsubmission_file_{name}": content
        for who, case in students.items()
        for name, content in _flat(case.files).items()
    }


def canvas(students: Class) -> Laid:
    return {
        f"student_{who}_{999 - number}_{name}": content  # the last upload counts first
        for who, case in students.items()
        for number, (name, content) in enumerate(_flat(case.files).items())
    }


def autolab(students: Class) -> Laid:
    return {f"s{who}@x.edu_1_handin.tgz": tar_of(case.files) for who, case in students.items()}


def github(students: Class) -> Laid:
    heads = {f"peg-submissions/peg-s{who}/.git/HEAD": b"ref: refs/heads/main\n" for who in students}
    laid = folders(students, "peg-submissions/peg-s{0}")
    return {path: raw for path, raw in laid.items() if raw is not None} | heads


LAYOUTS: Mapping[str, Callable[[Class], Laid]] = {
    "a folder for each student": folders,
    "archives": archives,
    "a Gradescope download": gradescope,
    "a Moodle download": partial(folders, called="Student {0}_{0}_assignsubmission_file"),
    "a Moodle download without folders": moodle_flat,
    "a Canvas download": canvas,
    "an Autolab download": autolab,
    "a GitHub Classroom download": github,
}
