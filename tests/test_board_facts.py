"""The truth about the boards, computed again by means of its own.

boards/index.yaml says what can be reached from each board.  Nothing of the
framework is used here to check it: a position is an integer with one bit a
cell, and the positions are walked in layers, all those with the same number
of pegs together.  The boards too large for that are proved by stored games
(facts/solutions.yaml), which are played again here, and by parity.
"""

from functools import cache
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parent / "boards"
INDEX = yaml.safe_load((BOARDS / "index.yaml").read_text(encoding="utf-8"))
GAMES = yaml.safe_load((HERE / "facts" / "solutions.yaml").read_text(encoding="utf-8"))

FIELDS = ["teaches", "pegs", "holes", "solvable", "fewest", "forced", "positions", "naive_nodes"]
STEPS = {"D": (1, 0), "R": (0, 1), "U": (-1, 0), "L": (0, -1)}
# The naive search is counted again on the boards up to this many positions.
NAIVE_COUNTED = 300_000

SEARCHED = [name for name, fact in INDEX["boards"].items() if fact["positions"]]
PROVED = [name for name, fact in INDEX["boards"].items() if not fact["positions"]]


# --- Boards as sets of cells ---------------------------------------------------


@cache
def read(name):
    """Return the pegs and the holes (pegs included) of a board or a vacancy."""
    if "@" in name:
        family, _, place = name.partition("@")
        row, column = place.split(",")
        _, holes = read(INDEX["vacancies"][family]["full"])
        return holes - {(int(row), int(column))}, holes
    text = (BOARDS / f"{name}.txt").read_text(encoding="ascii")
    assert text.endswith("\n"), name
    rows = [line.split(" ") for line in text.splitlines()]
    assert len(rows) == 8, name
    assert all(len(row) == 8 for row in rows), name
    cells = {(r, c): rows[r][c] for r in range(8) for c in range(8)}
    assert set(cells.values()) <= {".", "*", "o"}, name
    pegs = frozenset(cell for cell in cells if cells[cell] == "*")
    return pegs, frozenset(cell for cell in cells if cells[cell] != ".")


def numbered(holes):
    """Return the bit of each hole: the holes are numbered row by row."""
    return {cell: 1 << number for number, cell in enumerate(sorted(holes))}


def jumps_on(holes):
    """Return (cells changed, pegs needed) of all jumps: row by row, D R U L."""
    bits = numbered(holes)
    found = []
    for row, column in bits:
        for down, right in STEPS.values():
            over = (row + down, column + right)
            land = (row + 2 * down, column + 2 * right)
            if over in bits and land in bits:
                needed = bits[row, column] | bits[over]
                found.append((needed | bits[land], needed))
    return found


def first_position(name):
    pegs, holes = read(name)
    bits = numbered(holes)
    return sum(bits[cell] for cell in pegs)


@cache
def walk(name):
    """Return what is reached from a board, by layers of equal numbers of pegs."""
    pegs, holes = read(name)
    jumps = jumps_on(holes)
    layers = [{first_position(name)}]
    while True:
        following = set()
        for changed, needed in jumps:
            # True when both pegs are there and the cell to land on is empty.
            following.update([p ^ changed for p in layers[-1] if p & changed == needed])
        if not following:
            break
        layers.append(following)
    positions = sum(len(layer) for layer in layers)
    fewest = len(pegs) - len(layers) + 1
    # Two jumps never lead to the same position, so a choice widens a layer.
    forced = all(len(layer) == 1 for layer in layers)
    naive = None
    if positions <= NAIVE_COUNTED:
        naive = naive_nodes(layers, jumps, fewest == 1)
    return {
        "positions": positions,
        "fewest": fewest,
        "solvable": fewest == 1,
        "forced": forced,
        "naive_nodes": naive,
    }


def naive_nodes(layers, jumps, solvable):
    """Count what a search without memory visits, from the last layer back.

    A position costs itself and what its jumps cost, in their order, up to the
    first that leads to a solution.
    """
    below, won_below = {}, set()
    for depth in range(len(layers) - 1, -1, -1):
        nodes = dict.fromkeys(layers[depth], 1)
        won = set()
        if solvable and depth == len(layers) - 1:
            won = set(layers[depth])
        open_ = [p for p in nodes if p not in won]
        for changed, needed in jumps:
            for p in [p for p in open_ if p & changed == needed]:
                if p not in won:
                    nodes[p] += below[p ^ changed]
                    if p ^ changed in won_below:
                        won.add(p)
        below, won_below = nodes, won
    return below[next(iter(layers[0]))]


# --- The index and the files ---------------------------------------------------


def test_the_index_lists_exactly_the_files():
    assert INDEX["schema"] == "peg-boards/v1"
    assert {path.stem for path in BOARDS.glob("*.txt")} == set(INDEX["boards"])
    assert {path.suffix for path in BOARDS.iterdir()} == {".txt", ".yaml"}


def test_each_board_teaches_something_of_its_own():
    sentences = {}
    for name, fact in INDEX["boards"].items():
        sentences.setdefault(fact["teaches"], set()).add(name.rstrip("0123456789"))
    assert all(sentences)
    assert all(len(series) == 1 for series in sentences.values())  # spread-5 and spread-7 teach the same
    assert len({read(name) for name in INDEX["boards"]}) == len(INDEX["boards"])


@pytest.mark.parametrize("name", INDEX["boards"])
def test_an_entry_is_complete_and_counts_its_cells(name):
    fact = INDEX["boards"][name]
    pegs, holes = read(name)
    assert [field for field in fact if field != "moves"] == FIELDS  # "moves": see test_fewest.py
    assert (fact["pegs"], fact["holes"]) == (len(pegs), len(holes))


# --- Boards that are searched --------------------------------------------------


def slow_where_large(name):
    """Return a parameter; a board with many positions takes seconds of CPU time in plain Python, or a minute."""
    positions = INDEX["boards"][name]["positions"]
    whole = [pytest.mark.whole] if positions > 150_000 else []
    return pytest.param(name, marks=[pytest.mark.slow, *whole] if positions > 50_000 else ())


@pytest.mark.parametrize("name", [slow_where_large(name) for name in SEARCHED])
def test_what_can_be_reached(name):
    fact, found = INDEX["boards"][name], walk(name)
    for field in ("positions", "fewest", "solvable", "forced"):
        assert fact[field] == found[field], field


@pytest.mark.parametrize("name", [slow_where_large(name) for name in SEARCHED])
def test_the_cost_of_a_search_without_memory(name):
    naive = walk(name)["naive_nodes"]
    if naive is None:
        # Not counted again: too many positions for a test.
        assert INDEX["boards"][name]["positions"] > NAIVE_COUNTED
    else:
        assert INDEX["boards"][name]["naive_nodes"] == naive


# --- Boards that are proved ----------------------------------------------------


def turned():
    """Yield the eight symmetries of the 7x7 square as functions on cells."""
    for flip in (False, True):
        for quarter in range(4):

            def move(cell, flip=flip, quarter=quarter):
                row, column = cell
                if flip:
                    column = 6 - column
                for _ in range(quarter):
                    row, column = column, 6 - row
                return row, column

            yield move


def stored_games(family, hole):
    """Yield (jumps, pegs left) of the stored games, turned to begin at a hole.

    A jump is three cells: from, over, to.
    """
    for game in GAMES[family]:
        for move in turned():
            if move(tuple(game["hole"])) != hole:
                continue
            yield [[move(cell) for cell in jump] for jump in jumps_of(game["jumps"])], game["left"]
            break


def jumps_of(text):
    """Yield the jumps of a stored game, each as three cells: from, over, to."""
    for word in text.split():
        row, column = int(word[0]), int(word[1])
        down, right = STEPS[word[2]]
        yield [(row + k * down, column + k * right) for k in range(3)]


def left_after(name, jumps):
    """Play a game by the rules and return how many pegs are left."""
    start, holes = read(name)
    pegs = set(start)
    for origin, over, land in jumps:
        (row, column), (over_row, over_column) = origin, over
        down, right = over_row - row, over_column - column
        assert (down, right) in STEPS.values()
        assert land == (over_row + down, over_column + right)
        assert {origin, over} <= pegs
        assert land in holes - pegs
        pegs -= {origin, over}
        pegs.add(land)
    return len(pegs)


def parity_class(pegs):
    """Return what no jump can change about a set of pegs.

    Colour the cells by (row + column) mod 3.  A jump touches one cell of each
    colour and changes the number of pegs of each by one, so whether two
    colours have the same parity never changes.  The same for row - column.
    """
    kinds = []
    for sign in (1, -1):
        odd = [0, 0, 0]
        for row, column in pegs:
            odd[(row + sign * column) % 3] ^= 1
        kinds.append((odd[0] ^ odd[1], odd[1] ^ odd[2]))
    return tuple(kinds)


def excluded(name):
    """Return whether the parity classes exclude that one peg is left."""
    pegs, holes = read(name)
    return parity_class(pegs) not in {parity_class([cell]) for cell in holes}


def hole_of(name):
    """Return the family and the hole of a full board but for one hole."""
    pegs, holes = read(name)
    (hole,) = holes - pegs
    for family, facts in INDEX["vacancies"].items():
        if read(facts["full"])[1] == holes:
            return family, hole
    raise AssertionError(f"{name} belongs to no family")


def fewest_proved(name):
    """Return the fewest pegs of a board, by a stored game and by parity."""
    if name in GAMES["boards"]:
        assert left_after(name, jumps_of(GAMES["boards"][name])) == 1
        return 1
    family, hole = hole_of(name)
    lefts = [left_after(name, jumps) for jumps, _ in stored_games(family, hole)]
    assert lefts, f"no stored game for {name}"
    reached = min(lefts)
    # One peg is the least of all; two are, when parity excludes one.
    assert reached == 1 or (reached == 2 and excluded(name)), name
    return reached


@pytest.mark.parametrize("family", INDEX["vacancies"])
def test_the_stored_games_end_as_they_say(family):
    for game in GAMES[family]:
        hole = tuple(game["hole"])
        name = f"{family}@{hole[0]},{hole[1]}"
        (found,) = stored_games(family, hole)
        assert left_after(name, found[0]) == game["left"]


@pytest.mark.parametrize("name", PROVED)
def test_the_large_boards(name):
    fact = INDEX["boards"][name]
    assert fact["fewest"] == fewest_proved(name)
    assert fact["solvable"] == (fact["fewest"] == 1)
    assert fact["positions"] is None
    assert fact["naive_nodes"] is None
    # There is a choice in the first position already.
    _, holes = read(name)
    start = first_position(name)
    legal = [needed for changed, needed in jumps_on(holes) if start & changed == needed]
    assert len(legal) > 1
    assert fact["forced"] is False


@pytest.mark.parametrize(("family", "total"), [("english", 33), ("french", 37)])
def test_the_vacancies(family, total):
    facts = INDEX["vacancies"][family]
    solvable = [tuple(hole) for hole in facts["solvable"]]
    unsolvable = [tuple(hole) for hole in facts["unsolvable"]]
    _, holes = read(facts["full"])
    assert len(holes) == total
    assert sorted(solvable + unsolvable) == sorted(holes)
    for hole in solvable:
        assert fewest_proved(f"{family}@{hole[0]},{hole[1]}") == 1
    for hole in unsolvable:
        found = fewest_proved(f"{family}@{hole[0]},{hole[1]}")
        assert found == facts["unsolvable_fewest"] == 2
    if not unsolvable:
        assert facts["unsolvable_fewest"] is None


def test_which_vacancies_can_be_solved():
    english = INDEX["vacancies"]["english"]
    french = INDEX["vacancies"]["french"]
    assert (len(english["solvable"]), len(english["unsolvable"])) == (33, 0)
    assert (len(french["solvable"]), len(french["unsolvable"])) == (16, 21)
