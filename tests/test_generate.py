"""`grade generate`: every board is what it is said to be, found out by other means; and what cannot be made."""

import hashlib
import stat
import subprocess
from pathlib import Path

import numpy as np
import pytest

from framework.board import EMPTY, PEG, read_board
from framework.cells49 import fits, parse_cells
from framework.jumps import legal_jumps, play_jump
from grader.catalog import yaml_file
from grader.catalog.images import IMAGES, image_of
from grader.catalog.tasks import registry
from grader.judging.private_boards import PrivateBoards
from grader.making.random_boards import forced_lines
from grader.oracle import class_allows
from grader.oracle.explore import explore
from grader.research.report_search import memoized_search
from support.command import grade

pytestmark = pytest.mark.slow

PYTHON_HOLES = 17  # pegs up to which every position is looked at once more, in plain Python


def generate(folder: Path, *options: object, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    return grade("generate", str(folder), *map(str, options), PYTHONHASHSEED=hash_seed)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def entries(folder: Path) -> dict[str, dict[str, object]]:
    found = yaml_file.read_mapping(folder / "index.yaml", "")["boards"]
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> dict[str, tuple[Path, int]]:
    """Return a folder of boards of each kind, and how many are in it."""
    count = request.config.getoption("--made-boards")
    root = tmp_path_factory.mktemp("made")
    for kind, options in {
        "solvable": ("--pegs", "15-25"),
        "unsolvable": ("--pegs", "15-25"),
        "forced": ("--pegs", "15-22", "--board", "square"),
    }.items():
        done = generate(root / kind, "--kind", kind, *options, "--count", count, "--seed", 3)
        assert done.returncode == 0, done.stderr
    return {path.name: (path, count) for path in root.iterdir()}


@pytest.mark.parametrize("kind", ["solvable", "unsolvable", "forced"])
def test_every_board_is_what_it_is_said_to_be(kind: str, made: dict[str, tuple[Path, int]]) -> None:
    folder, count = made[kind]
    said = entries(folder)
    assert len(said) == count
    images: set[bytes] = set()
    for number, (name, facts) in enumerate(said.items()):
        board = read_board(folder / f"{name}.txt")
        pegs = int((board == PEG).sum())
        assert pegs == 15 + number % (8 if kind == "forced" else 11) == facts["pegs"]
        assert facts["holes"] == int((board >= EMPTY).sum())
        assert board.tobytes() not in images, f"{name} is an image of another board"
        images |= {board.tobytes(), *(image_of(board, image).tobytes() for image in IMAGES)}
        if kind == "forced":
            assert (facts["solvable"], facts["fewest"], facts["forced"]) == (True, 1, True)
            assert pegs_left_by_force(board) == 1
            continue
        assert fits(board)
        answer = memoized_search(board)
        assert answer.solved == facts["solvable"] == (kind == "solvable"), name
        assert class_allows(board), f"{name} is hopeless by its class alone"
        if kind == "unsolvable" and "positions" in facts:
            assert answer.unsolvable == facts["positions"]
        if pegs <= PYTHON_HOLES:
            truth = explore(board, 1_000_000)
            assert truth is not None
            assert (facts["fewest"], facts["forced"]) == (truth.fewest, truth.forced), name
            assert facts.get("positions") in (None, truth.positions)


def pegs_left_by_force(board: np.ndarray) -> int:
    """Return how many pegs are left after the only jumps there are; fail where there are two to choose from."""
    board = board.copy()
    while jumps := legal_jumps(board):
        assert len(jumps) == 1
        play_jump(board, jumps[0])
    return int((board == PEG).sum())


def test_a_looked_up_fewest_is_the_fewest_of_all_positions(made: dict[str, tuple[Path, int]]) -> None:
    from grader.oracle import reachable

    folder, _ = made["unsolvable"]
    looked_up = {name: facts for name, facts in entries(folder).items() if facts["pegs"] in (18, 19, 20)}
    assert looked_up
    for name, facts in list(looked_up.items())[:6]:
        board = read_board(folder / f"{name}.txt")
        assert facts["fewest"] == int((board == PEG).sum()) + 1 - len(reachable(board).raw)


def test_the_folder_is_a_private_set(made: dict[str, tuple[Path, int]]) -> None:
    tasks = registry()
    for kind, task in (("solvable", "peg3"), ("forced", "peg1")):
        folder, count = made[kind]
        assert len(PrivateBoards(folder).checks(tasks.find(task))) == count
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("kind", "digest"),
    [("solvable", "b0347c0b3fb4"), ("unsolvable", "827d929a9a0e"), ("forced", "5e39c03e0135")],
)
def test_a_seed_names_the_same_bytes_everywhere(kind: str, digest: str, tmp_path: Path) -> None:
    done = generate(tmp_path / kind, "--kind", kind, "--pegs", "9-12", "--seed", 0, hash_seed="random")
    assert done.returncode == 0
    files = contents(tmp_path / kind)
    assert hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:12] == digest


def test_another_seed_names_others(tmp_path: Path) -> None:
    for seed in (1, 2):
        assert (
            generate(tmp_path / str(seed), "--kind", "forced", "--pegs", "9-12", "--seed", seed).returncode
            == 0
        )
    assert contents(tmp_path / "1")["forced-01.txt"] != contents(tmp_path / "2")["forced-01.txt"]


def test_cells_alone(tmp_path: Path) -> None:
    assert (
        generate(tmp_path / "cells", "--kind", "solvable", "--pegs", 9, "--format", "cells").returncode == 0
    )
    names = {path.suffix for path in (tmp_path / "cells").iterdir()}
    assert names == {".cells", ".yaml"}
    for path in (tmp_path / "cells").glob("*.cells"):
        truth = explore(parse_cells(path.read_text("ascii")), 100_000)
        assert truth is not None and truth.solvable


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--kind solvable --pegs 40", "--pegs: expected from 2 to 32, the smaller number first, found 40\n"),
        ("--kind solvable --pegs 9-8", "--pegs: expected from 2 to 32, the smaller number first, found 9-8\n"),
        ("--kind solvable --pegs 1", "--pegs: expected from 2 to 32, the smaller number first, found 1\n"),
        ("--kind solvable --pegs -3", "--pegs: expected a number or a range, found '-3'\n"),
        ("--kind solvable --pegs ten", "--pegs: expected a number or a range, found 'ten'\n"),
        ("--kind solvable", "expected --pegs N or --like TASK, found neither\n"),
        ("--like peg3", "Invalid value for '--like': 'peg3' is not one of 'peg4', 'peg5'.\n"),
        ("--like peg4 --pegs 9 --kind solvable", "--like: expected no more than --seed beside it, found --pegs and --kind\n"),
        ("--pegs 9", "expected --kind and one of solvable, unsolvable, forced, found none\n"),
        ("--pegs 9 --kind solvable --board englsh", "no board 'englsh'\nhelp: did you mean english?"),
        ("--pegs 9 --kind solvable --board no/such.txt", "no/such.txt: cannot be read: No such file"),
        ("--pegs 14 --kind forced", "no forced board has 14 pegs on these 33 holes; the largest has 13, and all were looked at\n"),
        ("--pegs 2 --kind unsolvable --board one-jump", "no unsolvable board of 2 pegs found in 200 tries after 1 board\n"),
        ("--pegs 2 --kind solvable --count 9 --board one-jump", "no solvable board of 2 pegs found in 10,000 tries after 1 board\n"),
        ("--pegs 9 --kind forced --format cells", "--format cells: a forced board has blocked cells, which the 49 characters cannot say\n"),
        ("--pegs 9 --kind solvable --format both --board heart", "--format both: the 49 characters are for the holes of the English board, heart has others\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_made(options: str, said: str, tmp_path: Path) -> None:
    done = generate(tmp_path / "boards", *options.split())
    assert done.stderr.startswith(said) and "\nhelp: " in done.stderr
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])


def test_a_folder_that_is_not_empty_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    done = generate(tmp_path, "--kind", "solvable", "--pegs", 9)
    assert (done.returncode, contents(tmp_path)) == (2, {"notes": b"mine"})
    assert done.stderr == f"{tmp_path}: is not an empty folder\nhelp: name a new folder\n"


def test_all_forced_lines_are_found() -> None:
    """On nine holes every board is looked at by itself, with some of them blocked, too."""
    holes = [(row, col) for row in range(3) for col in range(3)]
    cells = [1 << 8 * row + col for row, col in holes]
    longest = len(forced_lines(sum(cells), cells))
    found = 0
    for states in np.ndindex(*[3] * len(holes)):
        board = np.full((8, 8), -1, dtype=np.int8)
        for hole, state in zip(holes, states, strict=True):
            board[hole] = state - 1
        pegs = int((board == PEG).sum())
        if pegs > found and (truth := explore(board, 100)) and truth.forced and truth.solvable:
            found = pegs
    assert longest == found
