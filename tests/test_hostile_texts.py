"""Whatever text a student hands in, each place in the judge that reads it does so in linear time.

On texts of a quarter of the largest size allowed, a scan in linear time takes milliseconds, and one in quadratic
time many seconds; the limit lies far from both.
"""

import contextlib
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType

import pytest

from grader.catalog import example_file
from grader.errors import InputError
from grader.messages import in_source, python_errors, sources
from grader.submissions import cutting, locate, slips, source_file
from grader.submissions.source_file import MAX_BYTES, SubmissionFault
from grader.submissions.submission import Submission, functions_used
from grader.submissions.syntax import MOST_READ, syntax_tree
from grader.submissions.trees import FolderTree
from support.sampling import every

CPU_S = 3.0  # for one text; the slowest takes about 0.03 s
TODO = "# TODO(peg1): x\n"
REPEATED = [
    *("\n", " \n", " ", "\r", "#", "#\n", f"{TODO}\n", "(", "[", "{", "a(", "a.", "a ", "a\n", "a;", "-", "not "),
    *('"', "\\\n", "f'{", "def ", "def f(", "def f():\n", "def f(a):\n  while 1:\n    g()\n", "@compiled\n"),
    *("import ", "import a\n", "for ", "push(", "hash(a_", "ht_new(", 'raise NotImplementedError("a: a'),
    *('raise NotImplementedError("peg1: a is not written yet")\n', "coding: ", "? a\n", "a: ", "a:\n ", "- ", "&a ", "*a ", "!!a ", "  b1: "),
]  # fmt: skip


@cache
def texts(most: int) -> list[str]:
    """Return hostile texts of `most` bytes."""
    nested = [f"{' ' * depth}def f{depth}(a):\n" for depth in range(700)]
    texts = [
        "".join(nested),
        "".join(nested[:90]) + (" " * 500 + "\n") * 500,
        "".join(f"def f{number}(a): f{number + 1}(a)\n" for number in range(10_000)),
        "".join(f"@compiled\ndef f{number}(a):\n" for number in range(10_000)),
        "".join(f"{' ' * depth}while a<a:\n" for depth in range(95))
        + " " * 95
        + "a=a;"
        + "~" * 20_000
        + "a;" * 9_000,
        f"def f({','.join(f'a{number}' for number in range(2_000))}):\n for a in a:\n"
        + "".join(f"  f(a{number})\n  a{number} = 1\n" for number in range(2_000)),
        "def f(a) -> int:\n if a:\n  return 1\n" + " elif a:\n  return 1\n" * 2_000 + " else:\n  return 1\n",
    ]
    for begin in ("", "@compiled\ndef solve(a):\n  "):
        texts += [begin + repeated * (most // len(repeated)) for repeated in REPEATED]
    return [f"{text.encode()[: most - 2].decode('utf-8', 'ignore')}\nx" for text in texts]


def is_stub_of_a_file(text: str, folder: Path) -> None:
    (folder / "peg1.py").write_text(text, "utf-8")
    locate.looking(FolderTree(folder))(("peg1.py",), "peg1.py")


def read_examples(text: str, folder: Path) -> None:
    with contextlib.suppress(InputError):
        example_file.read_examples(text, folder / "examples.yaml")


def name_of_an_example(text: str, folder: Path) -> None:
    (folder / "examples.yaml").write_text(text, "utf-8")
    example_file.full_name("b1", folder, ())


def decode(text: str, folder: Path) -> None:
    with contextlib.suppress(SubmissionFault):
        source_file.decode_source("peg1.py", text.encode())


SCANNERS: dict[str, Callable[[str, Path], object]] = {
    "decode": decode,
    "is stub": is_stub_of_a_file,
    "left in": lambda text, _: cutting.left_in(text),
    "slips": lambda text, _: slips.of_content({"peg1.py": text}, {}, {"peg1.py": ["client.py"]}, ["a.py"]),
    "used": lambda text, _: functions_used(Submission("", {"client.py": text, "peg1.py": text}), "peg1.py"),
    "bare return": lambda text, _: in_source.bare_return({"peg1.py": text}),
    "table": lambda text, _: sources.makes_a_table(text),
    "near name": lambda text, _: python_errors.near_name("abcd", text),
    "newer": lambda text, _: python_errors.newer_syntax(text[:200]),  # of one line, cut
    "examples": read_examples,
    "name of an example": name_of_an_example,
}
PARSERS: dict[str, Callable[[str, Path], object]] = {  # of shorter texts
    "tree": lambda text, _: syntax_tree(text),
    "endless loop": lambda text, _: in_source.endless_loop({"peg1.py": text}),
    "loop count": lambda text, _: in_source.loop_count({"peg1.py": text}),
    "same count": lambda text, _: in_source.same_count({"peg1.py": text}),
    "board alias": lambda text, _: in_source.board_alias({"peg1.py": text}),
    "lost answer": lambda text, _: in_source.lost_answer({"peg1.py": text}),
    "expressions": lambda text, _: in_source.expressions({"peg1.py": text}),
    "missing return": lambda text, _: in_source.without_return({"peg1.py": text}),
    "not compiled": lambda text, _: sources.not_compiled({"peg1.py": text}, "peg1.py"),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="cannot stop a scan")
@pytest.mark.parametrize("name", [*SCANNERS, *every(1, PARSERS)])
def test_a_hostile_text_is_read_in_linear_time(name: str, tmp_path: Path) -> None:
    text, scan = "", SCANNERS.get(name) or PARSERS[name]

    def stop(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"takes more than {CPU_S} CPU s: {text[:30]!r}...")

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for text in texts(MAX_BYTES // 4 if name in SCANNERS else MOST_READ):
            signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
            scan(text, tmp_path)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_of_many_functions_only_some_are_read() -> None:
    text = "".join(f"def f{number}(a):\n  return\n" for number in range(1000))
    found = sources.functions({"client.py": text, "peg1.py": text})
    assert len(found) == sources.MOST_FUNCTIONS and found["f1"].arguments == ("a",)


def test_what_is_not_written_yet() -> None:
    """A file that is not Python ends in its TODO, if nothing is written below."""
    file = "examples.yaml"
    assert cutting.is_stub(f"# a\n{TODO}", file) and cutting.is_stub(f"{TODO}#\n\n  # more\n \n", file)
    assert not cutting.is_stub(f"{TODO}a: 1\n", file)
    assert not cutting.is_stub(f"{TODO}a: 1\n" + "# b\n" * 200, file)
    stub = 'raise NotImplementedError("peg1: solve is not written yet; see")'
    assert cutting.is_stub(f"def f():\n    {stub}\n", "peg1.py")
    assert not cutting.is_stub(f"def f():\n    # {stub}\n    return 1\n# TODO(peg1): faster\n", "peg1.py")


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many folders it is compared with."""
    for folder in ("a", *(f"a/{number}" for number in range(30))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "peg1.py").write_text(f"{TODO}{folder}\n", "utf-8")
    read: list[tuple[str, ...]] = []

    class Counting(FolderTree):
        def read(self, at: tuple[str, ...], place: str, most: int = MAX_BYTES) -> bytes | None:
            read.append(at)
            return super().read(at, place, most)

    found = locate.locate(Counting(tmp_path), [("a",)], ["peg1.py"], "a")
    assert found.files == {"peg1.py": ("a", "peg1.py")}
    assert len(read) == len(set(read)) == 31


def test_what_python_says_of_a_file_is_not_printed() -> None:
    """It warns of an odd escape, with the text; whoever reads the run's output would see it. An error here."""
    assert syntax_tree('x = "\\d"') is not None
