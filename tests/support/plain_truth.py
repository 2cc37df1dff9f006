"""Find the facts about a small board in the simplest way, to check the exact engine against them.

Nothing from framework/ or grader/ is used here. A board is an 8 x 8 int8 array: -1 is blocked, 0 an empty hole, 1 a peg.
A position is an int with one bit for each hole, and the holes are numbered row by row. Every position that can be reached
is kept, which is fast enough for up to about 20 holes, or for larger boards with few pegs.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np

Cell = tuple[int, int]
Jump = tuple[int, int, int, int]  # row_start, col_start, row_end, col_end
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
MOST_HOLES = 20


class Counts(NamedTuple):
    """How many positions there are after 0, 1, 2, ... jumps: `canonical` up to symmetry, `raw` in all."""

    canonical: list[int]
    raw: list[int]


class Truth(NamedTuple):
    """The facts about a board with a set of goals."""

    # the numbers of positions that can be reached, up to the symmetries that keep the start
    reachable: Counts
    # the numbers of positions on some solution, up to the symmetries that keep the start and the goals in the
    # start's parity class; empty if there is no solution
    winning: Counts
    winning_positions: frozenset[frozenset[Cell]]  # the positions on some solution, each as its set of pegs
    successors: dict[Jump, bool]  # each legal jump from the start, and whether a solution begins with it
    goal_holes: list[Cell]  # the goals on which a last peg can be left, in order
    fewest_pegs: int  # the fewest pegs of any position that can be reached
    solutions: int  # the number of jump sequences that are solutions
    fewest_moves: int | None  # the fewest moves of any solution; None if there is none
    optimal_solutions: int  # the number of solutions with the fewest moves
    holes_of_class: list[Cell]  # the holes on which the board's parity class allows the last peg, in order

    @property
    def solvable(self) -> bool:
        return self.solutions > 0


# --- The truth -------------------------------------------------------------------


def truth(board: np.ndarray, goals: Iterable[Cell] | None = None) -> Truth:
    """Return the facts about `board`; `goals` are holes, or None for every hole."""
    holes = holes_of(board)
    goal_set = set(holes if goals is None else goals)
    assert goal_set <= set(holes), "a goal is a hole"
    start = sum(1 << number for number, hole in enumerate(holes) if board[hole] == 1)
    solved = {1 << number: hole for number, hole in enumerate(holes) if hole in goal_set}

    jumps = jumps_on(holes)
    after: dict[
        int, list[tuple[int, int, int]]
    ] = {}  # from a position: (hole left, hole reached, next position)
    levels = []
    for level in walk(start, jumps):
        levels.append(set(level))
        after.update(level)

    # The number of solutions from each position: 1 for a solved position, else the sum over its jumps.
    solutions: dict[int, int] = {}
    for level in reversed(levels):
        for position in level:
            below = sum(solutions[following] for _, _, following in after[position])
            solutions[position] = below + (position in solved)
    won = [{position for position in level if solutions[position]} for level in levels]
    won = won if solutions[start] else []

    fewest_moves, optimal_solutions = least_moves(start, after, solutions)
    symmetries = symmetries_of(holes)
    keeping_start = [swap for swap in symmetries if swapped(start, swap) == start]
    wanted = class_of(cell for cell in holes if board[cell] == 1)
    # Goals of another class than the start's can never be reached, so they do not count.
    goal_bits = sum(bit for bit, hole in solved.items() if class_of([hole]) == wanted)
    keeping_goals = [swap for swap in keeping_start if swapped(goal_bits, swap) == goal_bits]
    return Truth(
        reachable=counted(levels, keeping_start),
        winning=counted(won, keeping_goals),
        winning_positions=frozenset(
            frozenset(hole for number, hole in enumerate(holes) if position >> number & 1)
            for level in won
            for position in level
        ),
        successors={holes[origin] + holes[land]: solutions[p] > 0 for origin, land, p in after[start]},
        goal_holes=sorted(solved[p] for level in levels for p in level if p in solved),
        fewest_pegs=min(position.bit_count() for level in levels for position in level),
        solutions=solutions[start],
        fewest_moves=fewest_moves,
        optimal_solutions=optimal_solutions,
        holes_of_class=[hole for hole in holes if class_of([hole]) == wanted],
    )


def holes_of(board: np.ndarray) -> list[Cell]:
    """Return the cells that are not blocked, pegs included, row by row."""
    return [(row, col) for row in range(8) for col in range(8) if board[row, col] != -1]


def jumps_on(holes: list[Cell]) -> list[tuple[int, int, int]]:
    """Return each jump as the numbers of three holes: where it starts, what it jumps over, where it lands."""
    number = {hole: n for n, hole in enumerate(holes)}
    jumps = []
    for row, col in holes:
        for down, right in STEPS:
            over, land = (row + down, col + right), (row + 2 * down, col + 2 * right)
            if over in number and land in number:
                jumps.append((number[row, col], number[over], number[land]))
    return jumps


def walk(start: int, jumps: list[tuple[int, int, int]]) -> Iterator[dict[int, list[tuple[int, int, int]]]]:
    """Yield the positions after 0, 1, 2, ... jumps.

    Each position has the list of its jumps, as (hole left, hole reached, next position).
    """
    jump_bits = [(origin, land, 1 << origin | 1 << over, 1 << land) for origin, over, land in jumps]
    level = {start}
    while level:
        following = {}
        for position in level:
            following[position] = [
                (origin, land, position ^ pegs ^ hole)
                for origin, land, pegs, hole in jump_bits
                if position & (pegs | hole) == pegs
            ]
        yield following
        level = {after for nexts in following.values() for _, _, after in nexts}


def least_moves(
    start: int, after: dict[int, list[tuple[int, int, int]]], solutions: dict[int, int]
) -> tuple[int | None, int]:
    """Return the least number of moves of any solution, and how many solutions have it.

    The moves still to come depend only on the position and on the hole of the peg that moved last. So for each such
    pair, only the least number of moves so far is kept, and the number of ways to get there with that many.
    """
    if not solutions[start]:
        return None, 0
    level: dict[tuple[int, int | None], tuple[int, int]] = {(start, None): (0, 1)}
    while True:
        following: dict[tuple[int, int | None], tuple[int, int]] = {}
        for (position, last), (moves, ways) in level.items():
            for origin, land, to in after[position]:
                if not solutions[to]:
                    continue
                cost = moves if origin == last else moves + 1
                known_cost, known_ways = following.get((to, land), (cost, 0))
                if cost < known_cost:
                    following[to, land] = (cost, ways)
                elif cost == known_cost:
                    following[to, land] = (cost, known_ways + ways)
        if not following:  # all solutions have the same number of jumps, so all are complete now
            least = min(moves for moves, _ in level.values())
            return least, sum(ways for moves, ways in level.values() if moves == least)
        level = following


def turned(cell: Cell, turn: int) -> Cell:
    """Return a cell's image under one of the eight turns and reflections about (0, 0)."""
    row, col = cell
    for _ in range(turn % 4):
        row, col = col, -row
    return (row, col) if turn < 4 else (row, -col)


def symmetries_of(holes: list[Cell]) -> list[list[int]]:
    """Return the turns and reflections, each moved back into place, that map the holes onto the holes.

    Each is a list: hole number n goes to hole number list[n].
    """
    number = {hole: n for n, hole in enumerate(holes)}
    found = []
    for turn in range(8):
        images = [turned(hole, turn) for hole in holes]
        # Only one translation is possible: the one that makes the top rows and the leftmost columns agree.
        down = min(row for row, _ in holes) - min(row for row, _ in images)
        right = min(col for _, col in holes) - min(col for _, col in images)
        moved = [(row + down, col + right) for row, col in images]
        if set(moved) == set(holes):
            found.append([number[cell] for cell in moved])
    return found


def swapped(position: int, symmetry: list[int]) -> int:
    """Return the image of a position under a symmetry."""
    return sum(1 << image for number, image in enumerate(symmetry) if position >> number & 1)


def counted(levels: list[set[int]], symmetries: list[list[int]]) -> Counts:
    """Count the positions of each level in two ways: images of one another once, and every position."""
    canonical = []
    for level in levels:
        seen: set[int] = set()
        different = 0
        for position in level:
            if position not in seen:
                different += 1
                seen.update(swapped(position, symmetry) for symmetry in symmetries)
        canonical.append(different)
    return Counts(canonical, [len(level) for level in levels])


def class_of(pegs: Iterable[Cell]) -> tuple[bool, ...]:
    """Return the parity class of some pegs, which no jump changes.

    A jump changes one cell of each colour, so the parity of each colour flips, and equal parities stay equal.
    """
    pegs = list(pegs)
    agree = []
    for colours in ([(row + col) % 3 for row, col in pegs], [(row - col) % 3 for row, col in pegs]):
        odd = [colours.count(colour) % 2 for colour in range(3)]
        agree += [odd[0] == odd[1], odd[1] == odd[2]]
    return tuple(agree)


# --- Boards as text, and their images ----------------------------------------------


def board_of(text: str) -> np.ndarray:
    """Return the board that `text` shows from the upper left: '.' blocked, 'o' an empty hole, '*' a peg."""
    board = np.full((8, 8), -1, dtype=np.int8)
    for row, word in enumerate(text.split()):
        for col, character in enumerate(word):
            board[row, col] = {".": -1, "o": 0, "*": 1}[character]
    return board


def drawn(board: np.ndarray, goals: Iterable[Cell] | None = None) -> str:
    """Return `board` as text, as in a board file, and the goals, so that a failure can be reproduced."""
    lines = [" ".join("o*."[int(cell)] for cell in row) for row in board]
    return "\n".join([*lines, f"goals {None if goals is None else sorted(goals)}"])


def corners(board: np.ndarray, turn: int) -> list[Cell]:
    """Return the cells of the 8 x 8 frame at which the turned board's bounding box can begin."""
    images = [turned(hole, turn) for hole in holes_of(board)]
    rows, cols = [row for row, _ in images], [col for _, col in images]
    height, width = max(rows) - min(rows), max(cols) - min(cols)
    return [(row, col) for row in range(8 - height) for col in range(8 - width)]


def image(board: np.ndarray, turn: int, corner: Cell) -> tuple[np.ndarray, Callable[[Cell], Cell]]:
    """Return `board` turned, with its bounding box at `corner`, and a function from holes to their images."""
    images = {hole: turned(hole, turn) for hole in holes_of(board)}
    down = corner[0] - min(row for row, _ in images.values())
    right = corner[1] - min(col for _, col in images.values())
    places = {hole: (row + down, col + right) for hole, (row, col) in images.items()}
    moved = np.full((8, 8), -1, dtype=np.int8)
    for hole, place in places.items():
        moved[place] = board[hole]
    return moved, places.__getitem__


# --- Random boards -------------------------------------------------------------------


def random_shape_board(random: Random) -> np.ndarray:
    """Return a board with a random shape of up to 20 holes, anywhere in the frame, with at least one peg."""
    shape: list[Cell] = []
    while not 1 <= len(shape) <= MOST_HOLES:
        kind = random.choices([rectangle, blob, even, islands, scattered], [45, 20, 30, 8, 8])[0]
        shape = in_frame(random, kind(random))
    pegs = random_position(random, sorted(shape))
    board = np.full((8, 8), -1, dtype=np.int8)
    for cell in shape:
        board[cell] = cell in pegs
    return board


def in_frame(random: Random, shape: set[Cell]) -> list[Cell]:
    """Turn a shape and put it anywhere in the frame, often at an edge; leave out cells that do not fit."""
    turn = random.randrange(8)
    cells = [turned(cell, turn) for cell in shape]
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    space_down = max(0, 7 - max(row for row, _ in cells) + top)
    space_right = max(0, 7 - max(col for _, col in cells) + left)
    down = random.choice([0, space_down, random.randint(0, space_down)])
    right = random.choice([0, space_right, random.randint(0, space_right)])
    moved = [(row - top + down, col - left + right) for row, col in cells]
    return [(row, col) for row, col in moved if row < 8 and col < 8]


def rectangle(random: Random) -> set[Cell]:
    """Return a rectangle of up to 5 rows, at times with gaps."""
    rows = random.choice([1, 2, 3, 3, 4, 4, 5])
    cols = random.randint(3, max(5, min(8, 24 // rows)))
    cells = {(row, col) for row in range(rows) for col in range(cols)}
    gaps = random.choice([0, 0, 0, 0, 0, 1, 2, 3, 4]) if rows > 1 else 0
    return cells - set(random.sample(sorted(cells), max(gaps, len(cells) - MOST_HOLES)))


def blob(random: Random, most: int = MOST_HOLES) -> set[Cell]:
    """Return a shape grown from one cell by random neighbours."""
    cells = {(4, 4)}
    size = random.randint(min(3, most), most)
    while len(cells) < size:
        edge = [
            (row + down, col + right)
            for row, col in sorted(cells)
            for down, right in STEPS
            if 0 <= row + down < 8 and 0 <= col + right < 8 and (row + down, col + right) not in cells
        ]
        cells.add(random.choice(edge))  # a cell with more neighbours is in the list more often
    return cells


def even(random: Random) -> set[Cell]:
    """Return random cells of a square with their images under some turns: crosses, diamonds, rings and others."""
    side = random.randint(3, 7)
    marks = np.zeros((side, side), dtype=bool)
    for _ in range(random.randint(1, side)):
        row = random.randrange(side)
        marks[row, random.randrange(side) :][: random.randint(1, 4)] = True
    for turn in 2 * random.sample(range(1, 8), random.randint(1, 2)):
        image = np.rot90(marks, turn)
        marks = marks | (image if turn < 4 else image[:, ::-1])
    return {(int(row), int(col)) for row, col in np.argwhere(marks)}


def islands(random: Random) -> set[Cell]:
    """Return up to three blobs that do not touch, at times so close that they look like one."""
    cells: set[Cell] = set()
    for _ in range(random.randint(2, 3)):
        piece = in_frame(random, blob(random, random.randint(3, 9)))
        near = {(row + down, col + right) for row, col in piece for down, right in STEPS}
        if not cells & (near | set(piece)):
            cells |= set(piece)
    return cells


def scattered(random: Random) -> set[Cell]:
    """Return random cells of the whole frame, or of a part of it."""
    side = random.choice([4, 5, 6, 8])
    cells = [(row, col) for row in range(side) for col in range(side)]
    return set(random.sample(cells, random.randint(1, min(len(cells), MOST_HOLES))))


def random_position(random: Random, holes: list[Cell]) -> set[Cell]:
    """Return the pegs of a random position: often one that can be solved, at times an odd one."""
    kinds = ("backwards", "random", "all but one", "one", "no jump", "forwards", "even", "all")
    kind = random.choices(kinds, [50, 10, 15, 3, 4, 6, 20, 1])[0]
    if kind == "backwards":
        # A random game played backwards soon gets stuck, so take the longest of several.
        games = random.choice([1, 5, 20])
        steps = random.choice([MOST_HOLES, MOST_HOLES, random.randint(1, len(holes))])
        tries = [played(random, holes, {random.choice(holes)}, steps, backwards=True) for _ in range(games)]
        return max(tries, key=len)
    if kind == "one":
        return {random.choice(holes)}
    if kind == "all":
        return set(holes)
    if kind == "all but one" and len(holes) > 1:
        return set(holes) - {random.choice(holes)}
    pegs = set(random.sample(holes, random.randint(1, len(holes))))
    if kind == "even":  # a symmetry of the holes maps it to itself
        symmetry = random.choice(symmetries_of(holes)[1:] or symmetries_of(holes))
        pegs = set(random.sample(sorted(pegs), random.randint(1, len(pegs))))
        for _ in range(4):
            pegs |= {holes[symmetry[holes.index(peg)]] for peg in pegs}
        rest = set(holes) - pegs
        return rest if rest and random.random() < 0.5 else pegs
    if kind == "no jump":
        return played(random, holes, pegs, MOST_HOLES, backwards=False)
    if kind == "forwards":
        return played(random, holes, pegs, random.randint(1, 3), backwards=False)
    return pegs


def played(random: Random, holes: list[Cell], pegs: set[Cell], steps: int, *, backwards: bool) -> set[Cell]:
    """Play up to `steps` random jumps from `pegs`, forwards or backwards, and return the resulting pegs."""
    pegs = set(pegs)
    lines = [[holes[n] for n in jump] for jump in jumps_on(holes)]
    for _ in range(steps):
        if backwards:
            fit = [cells for cells in lines if [cell in pegs for cell in cells] == [False, False, True]]
        else:
            fit = [cells for cells in lines if [cell in pegs for cell in cells] == [True, True, False]]
        if not fit:
            break
        pegs ^= set(random.choice(fit))
    return pegs


def random_goals(random: Random, board: np.ndarray) -> set[Cell] | None:
    """Return random goals: None, one hole or several, with or without regard to the board's class."""
    holes = holes_of(board)
    wanted = class_of(cell for cell in holes if board[cell] == 1)
    same = [hole for hole in holes if class_of([hole]) == wanted]
    kind = random.choices(["none", "one", "one of the class", "several", "all"], [40, 12, 20, 25, 3])[0]
    if kind == "none":
        return None
    if kind == "all":
        return set(holes)
    if kind == "several":
        return set(random.sample(holes, random.randint(1, len(holes))))
    return {random.choice(same if kind == "one of the class" and same else holes)}
