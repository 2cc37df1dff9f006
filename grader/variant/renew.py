"""Move a variant's boards, and write what is true of them under its goals; run in the variant's own folder.

`python -m grader.variant.renew SEED/TRY` is how `grade variant` calls it: the goals are constants of
`framework/rules.py`, so only a process that begins in the new course knows them. Large boards are turned and
moved on the 8 x 8 cells, so that a list of moves learned by heart is worth nothing. Those that can be solved,
and smaller boards that say so in the index, are put where they still can; other small boards may lose theirs.
A board on all 64 cells that a search in a good order does not soon solve any more gives way to a new one.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import yaml

from framework.board import BLOCKED, SIZE, Board, count_pegs, format_board
from framework.rules import is_goal
from grader import paths
from grader.catalog.boards import ANYWHERE, BoardSet, NamedBoard
from grader.catalog.images import IMAGES, image_of_cell
from grader.catalog.tasks import registry
from grader.making.chance import Chance
from grader.making.ordered_boards import FULL, is_soon_solved, ordered_play
from grader.oracle import questions
from grader.oracle.explore import board_of, pegs_and_holes
from grader.oracle.shape import Hole, shape_of
from grader.oracle.walk import last_holes
from grader.research.facts import fewest_by_vacancy, truth_of

LARGE = 16  # pegs; no page draws a board of so many, except those with a family of vacancies
WALKED = 2_000_000  # positions, at most, to find where a last peg can be
AS_IT_IS = ""  # the image that is the board itself
OFF_GOAL = "needs-three-directions-b"  # put where its last peg ends on no goal: peg2 has no other such board
CLAIM = re.compile(r"[Ss]olv|solution")  # in what a board teaches
LOST = " Its last peg ends on no goal."


def main() -> None:
    """Renew the boards and the index in the folder of the variant."""
    chance = Random(f"boards/{sys.argv[1]}")
    boards = BoardSet(paths.BOARDS)
    loaded = yaml.safe_load((paths.BOARDS / "index.yaml").read_text("utf-8"))
    families = {entry["full"] for entry in loaded["vacancies"].values()}
    fields: dict[str, dict[str, str]] = {}
    others = _boards_of_extra_tasks()
    for name in boards.names:
        board = boards.find(name)
        assert board is not None
        if name in others:
            fields[name] = {"ends": ANYWHERE}
            continue
        moved = _moved(board, chance) if name not in families else board.board
        if (moved != BLOCKED).all() and not is_soon_solved(pegs_and_holes(moved)[0]):
            moved = board_of(ordered_play(Chance(f"{sys.argv[1]}/{name}"), lambda _: None)[0], FULL)
            fields[name] = {"pegs": str(count_pegs(moved))}
        (paths.BOARDS / f"{name}.txt").write_text(format_board(moved), "utf-8")
        if board.facts.solvable:
            fields[name] = {**fields.get(name, {}), **_facts(board, moved)}
    text = _with_fields((paths.BOARDS / "index.yaml").read_text("utf-8"), fields)
    for family, entry in loaded["vacancies"].items():
        full = boards.find(entry["full"])
        assert full is not None
        text = _with_vacancies(text, family, full.board)
    (paths.BOARDS / "index.yaml").write_text(text, "utf-8")


def _boards_of_extra_tasks() -> set[str]:
    """Return the boards that only tasks with goals of their own have."""
    tasks = registry().tasks.values()
    counted, extra = (
        {check.board for task in tasks if task.extra == is_extra for check in task.checks}
        for is_extra in (False, True)
    )
    return extra - counted


# ---- moving ------------------------------------------------------------------------------------------


def _moved(board: NamedBoard, chance: Random) -> Board:
    """Return the board, turned and moved by chance if it is large; see the head of this file."""
    is_large, cells = board.pegs >= LARGE, board.board
    lost = board.name == OFF_GOAL
    if not is_large and not (board.facts.solvable and CLAIM.search(board.teaches)):
        return cells
    shape = shape_of(cells)
    ends = last_holes(shape, shape.position(cells), WALKED) if board.facts.solvable else None
    for way in _ways(
        shape.holes, chance, chance.sample(list(IMAGES), len(IMAGES)) if is_large else [AS_IT_IS]
    ):
        if ends is None or any(is_goal(*way[end]) for end in ends) != lost:
            placed: Board = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
            for hole, to in way.items():
                placed[to] = cells[hole]
            return placed
    raise SystemExit(f"{board.name}: {'solvable' if lost else 'unsolvable'} with these goals, wherever it is")


def _ways(holes: Sequence[Hole], chance: Random, images: Sequence[str]) -> Iterator[dict[Hole, Hole]]:
    """Yield where the holes go when they are turned by each image and moved; where they are comes first."""
    if images == [AS_IT_IS]:
        yield {hole: hole for hole in holes}
    for image in images:
        turned = [image_of_cell(*hole, image) for hole in holes]
        top, left = (min(each) for each in zip(*turned, strict=True))
        down, right = (SIZE - max(each) for each in zip(*turned, strict=True))
        places = [(row, col) for row in range(-top, down) for col in range(-left, right)]
        for row, col in chance.sample(places, len(places)):
            yield {hole: (to[0] + row, to[1] + col) for hole, to in zip(holes, turned, strict=True)}


# ---- facts -------------------------------------------------------------------------------------------


def _facts(board: NamedBoard, moved: Board) -> dict[str, str]:
    """Return the fields of the index that goals and place may change, for a board that could be solved."""
    shape = shape_of(moved)
    start = shape.position(moved)
    if board.facts.positions is None:
        if not questions.solve(moved).solvable:
            raise SystemExit(f"{board.name}: no solution was found")
        return {}
    truth = truth_of(shape, start, board.facts.naive_nodes is not None)
    fields = {"solvable": str(truth.solvable).lower(), "fewest": str(truth.fewest)}
    if truth.naive_nodes is not None:
        fields["naive_nodes"] = str(truth.naive_nodes)
    elif board.facts.naive_nodes is not None:
        fields["naive_nodes"] = "null"
    if not truth.solvable:
        teaches = board.teaches.replace("Solvable,", "One peg can be left,")
        fields["teaches"] = f'"{teaches}{LOST}"'
    return fields


def _with_fields(text: str, fields: dict[str, dict[str, str]]) -> str:
    """Return the index with new values of some fields; a field that is new in an entry comes last."""
    head, boards, rest = re.split(r"^(?=boards:\n|vacancies:\n)", text, flags=re.MULTILINE)
    entries = re.split(r"^(?=  \S)", boards, flags=re.MULTILINE)
    for number, entry in enumerate(entries):
        name = entry.split(":", 1)[0].strip()
        for field, value in fields.get(name, {}).items():
            line = f"    {field}: {value}\n"
            entry, found = re.subn(
                rf"^    {field}: .*\n", lambda _, line=line: line, entry, flags=re.MULTILINE
            )
            if not found:
                entry = entry.rstrip("\n") + "\n" + line
        entries[number] = entry
    boards = "".join(entries).rstrip("\n") + "\n\n"
    return head + boards + rest


def _with_vacancies(text: str, family: str, full: Board) -> str:
    """Return the index with the facts of a family of boards with one vacancy."""
    fewest = dict(fewest_by_vacancy(shape_of(full)))
    won = [hole for hole, least in fewest.items() if least == 1]
    lost = {hole: least for hole, least in fewest.items() if least > 1}
    if len(set(lost.values())) > 1:
        raise SystemExit(f"{family}: its vacancies leave different numbers of pegs")
    least = str(next(iter(lost.values()), "null"))
    entry = "".join(
        f"    {field}: [{', '.join(f'[{row}, {col}]' for row, col in holes)}]\n"
        for field, holes in (("solvable", won), ("unsolvable", list(lost)))
    )
    pattern = rf"(?s)(^  {family}:\n    full: \S+\n).*?^    unsolvable_fewest: \S+\n"
    return re.sub(
        pattern, lambda match: f"{match[1]}{entry}    unsolvable_fewest: {least}\n", text, flags=re.MULTILINE
    )


if __name__ == "__main__":
    main()
