"""fewest: the fewest moves. A move is any number of consecutive jumps by one peg.

A depth-first search with a budget: it looks for a solution in 1 move, in 2, in 3 and so on. So the first
solution found has the fewest moves, and the failed searches before it prove this.
"""

# BEGIN SOLUTION
# The search goes jump by jump, so it must know which peg is under way: that peg jumps on for free, while any
# other peg begins a move. So a *state* is a position and the hole of the peg under way, NOBODY between moves:
#
#     position, hole      ->  the peg on `hole` jumps on            costs nothing
#     position, hole      ->  its move ends: position, NOBODY       costs nothing
#     position, NOBODY    ->  any peg jumps, and is under way       costs a move
#
# Three things show early that a state needs more moves than are left:
#
# * regions   sets of holes that nothing can enter while they are full: a move must start in each of them;
# * endings   a table of all positions from which a few moves are enough, computed backwards from the end: a
#             pattern database whose pattern is the whole board;
# * memory    how many moves proved too few for a state, or an image of it, on an earlier visit.
#
# A position is one integer here, bit number n for the peg on hole number n, counted row by row.

from typing import NamedTuple

import numpy as np

# END SOLUTION
from client import key_hash, move_new

from framework.board import BLOCKED, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.stack import Stack, push, stack_empty

# BEGIN SOLUTION
Hole = tuple[int, int]  # row, col
Numbers = np.ndarray  # int64 or int8 arrays

NOBODY = -1  # no peg is under way
NEVER = 100  # more moves than any game can have: there are at most 63 jumps
LARGEST_REGION = 7  # holes; larger regions are rarely full
MOST_ENDINGS = 780_000  # positions: enough for all within 6 moves of the middle of the English board
ENDING_SLOTS = 1 << 22  # a fifth of them are used, so that a free one is soon found
MEMORY_SLOTS = 1 << 24  # 160 MiB, of which a small game touches little


class Rules(NamedTuple):
    """The fixed data of a search: the board's holes, jumps and goals."""

    # rows, cols: the row and column of each hole
    rows: Numbers
    cols: Numbers
    bits: Numbers  # for each hole, an integer in which only the bit of the hole's number is set
    # starts, ends: the holes where each jump starts and lands; all jumps from hole 0 come first
    starts: Numbers
    ends: Numbers
    # the number of the first jump from each hole; at the end one more entry, the number of jumps
    first: Numbers
    needed: Numbers  # for each jump, the bits of the two holes that must have pegs
    cells: Numbers  # for each jump, the bits of its three holes, which all change
    goals: int  # the bits of the holes where the last peg may be
    regions: Numbers  # the sets of holes that `regions` finds, as bits, small ones first
    even: int  # the bits of the holes with row + col even, as on the white cells of a chessboard
    images: Numbers  # int64, symmetries x bytes x 256: the table that `byte_images` returns
    hole_images: Numbers  # int64, symmetries x (holes + 1): the image of each hole; the last one is NOBODY's


class StateTable(NamedTuple):
    """A hash table from states to numbers of moves; the client's hash function gives each state its place."""

    positions: Numbers  # int64; 0 where a place is free
    holes: Numbers  # int8; the hole of the peg under way
    moves: Numbers  # int8; the number of moves


# ---- the rules: plain Python, once per board -------------------------


def bits_of(numbers: list[int]) -> int:
    """Return an int64 in which the bits with these numbers are set; bit 63 is its sign."""
    bits = sum(1 << number for number in set(numbers))
    return bits - (1 << 64) if bits >> 63 else bits


def rules_of(board: Board, goals: list[Hole]) -> Rules:
    """Return the data that stays fixed during a game on the holes of `board`."""
    holes = [(row, col) for row in range(SIZE) for col in range(SIZE) if board[row, col] != BLOCKED]
    number = {hole: place for place, hole in enumerate(holes)}
    jumps = [
        (
            number[row, col],
            number[row + row_step, col + col_step],
            number[row + 2 * row_step, col + 2 * col_step],
        )
        for row, col in holes
        for row_step, col_step in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if (row + row_step, col + col_step) in number and (row + 2 * row_step, col + 2 * col_step) in number
    ]
    starts = np.array([start for start, _, _ in jumps], dtype=np.int64)
    images = symmetries(holes, goals)
    return Rules(
        rows=np.array([row for row, _ in holes], dtype=np.int64),
        cols=np.array([col for _, col in holes], dtype=np.int64),
        bits=np.array([bits_of([hole]) for hole in range(len(holes))], dtype=np.int64),
        starts=starts,
        ends=np.array([end for _, _, end in jumps], dtype=np.int64),
        first=np.searchsorted(starts, np.arange(len(holes) + 1)).astype(np.int64),
        needed=np.array([bits_of([start, over]) for start, over, _ in jumps], dtype=np.int64),
        cells=np.array([bits_of(list(jump)) for jump in jumps], dtype=np.int64),
        goals=bits_of([number[goal] for goal in goals]),
        regions=np.array([bits_of(list(each)) for each in regions(len(holes), jumps)], dtype=np.int64),
        even=bits_of([number[row, col] for row, col in holes if (row + col) % 2 == 0]),
        images=byte_images(images, len(holes)),
        hole_images=np.array([[*image, NOBODY] for image in images], dtype=np.int64).reshape(
            len(images), len(holes) + 1
        ),
    )


def symmetries(holes: list[Hole], goals: list[Hole]) -> list[list[int]]:
    """Return the turns and mirrors, except the identity, that take holes to holes and goals to goals.

    Each is a list that has, for each hole, the number of the hole it goes to.
    """
    found = []
    for down, across, turned in [(a, b, c) for c in (False, True) for a in (1, -1) for b in (1, -1)]:
        image = {
            (row, col): (across * col, down * row) if turned else (down * row, across * col)
            for row, col in holes
        }
        top = min(row for row, _ in image.values()) - min(row for row, _ in holes)
        left = min(col for _, col in image.values()) - min(col for _, col in holes)
        image = {hole: (row - top, col - left) for hole, (row, col) in image.items()}
        number = {hole: place for place, hole in enumerate(holes)}
        fits = set(image.values()) == set(holes) and {image[goal] for goal in goals} == set(goals)
        if fits and any(image[hole] != hole for hole in holes):
            found.append([number[image[hole]] for hole in holes])
    return found


def byte_images(images: list[list[int]], holes: int) -> Numbers:
    """Return the table that `image_of` uses to make the image of a position, byte by byte.

    For each symmetry and each byte, it holds the images of all 256 values.
    """
    size = (holes + 7) // 8
    found = np.zeros((len(images), size, 256), dtype=np.int64)
    for symmetry, image in enumerate(images):
        for hole in range(holes):
            byte, bit = divmod(hole, 8)
            for value in range(256):
                if value >> bit & 1:
                    found[symmetry, byte, value] |= bits_of([image[hole]])
    return found


def regions(holes: int, jumps: list[tuple[int, int, int]]) -> list[set[int]]:
    """Return the small regions that contain no smaller one, smallest first.

    A *region* is a set of holes such that each jump over one of its holes starts or lands in it. While it
    is full, no jump can land in it, so none can go over its holes from outside: the first jump to change it
    starts in it, with a peg that stood there, and so begins a move. A corner is the smallest region. (Robin
    Merson's regions; see Beasley, The Ins and Outs of Peg Solitaire.)

    This also holds for a region that contains a goal, where the last peg may stay: the goal was empty just
    before the last jump.
    """
    found: list[set[int]] = []
    seen = set()
    waiting = [frozenset([hole]) for hole in range(holes)]
    while waiting:
        holes_in = waiting.pop()
        if holes_in in seen or len(holes_in) > LARGEST_REGION:
            continue
        seen.add(holes_in)
        through = [
            (start, end)
            for start, over, end in jumps
            if over in holes_in and start not in holes_in and end not in holes_in
        ]
        if through:
            waiting += [holes_in | {hole} for hole in through[0]]
        else:
            found.append(set(holes_in))
    smallest = [each for each in found if not any(other < each for other in found)]
    return sorted(smallest, key=len)


def ends_of_class(board: Board) -> list[Hole]:
    """Return the holes where a single peg has the board's class (see peg5): a game can end nowhere else."""

    def class_of(pegs: list[Hole]) -> tuple[bool, ...]:
        agree = []
        for sign in (1, -1):
            counts = [sum((row + sign * col) % 3 == colour for row, col in pegs) for colour in range(3)]
            agree += [(counts[0] - counts[1]) % 2 == 0, (counts[1] - counts[2]) % 2 == 0]
        return tuple(agree)

    holes = [(row, col) for row in range(SIZE) for col in range(SIZE) if board[row, col] != BLOCKED]
    wanted = class_of([hole for hole in holes if board[hole] == PEG])
    return [hole for hole in holes if class_of([hole]) == wanted]


# ---- images ----------------------------------------------------------


@compiled
def image_of(position: int, symmetry: int, rules: Rules) -> int:
    """Return the image of a position under a symmetry."""
    image = 0
    for byte in range(rules.images.shape[1]):
        image |= rules.images[symmetry, byte, position >> 8 * byte & 255]
    return image


@compiled
def least_image(position: int, hole: int, rules: Rules) -> tuple[int, int]:
    """Return the state that stands for all images of a state: that of least position, then of least hole."""
    least, least_hole = position, hole
    for symmetry in range(rules.images.shape[0]):
        image, image_hole = image_of(position, symmetry, rules), rules.hole_images[symmetry, hole]
        if image < least or (image == least and image_hole < least_hole):
            least, least_hole = image, image_hole
    return least, least_hole


# ---- the table of endings --------------------------------------------


@compiled
def ending_place(position: int, endings: StateTable) -> int:
    """Return the place of a position in the table, or the free place where it belongs."""
    place = key_hash(int(position)) & (ENDING_SLOTS - 1)
    while endings.positions[place] != 0 and endings.positions[place] != position:
        place = (place + 1) & (ENDING_SLOTS - 1)
    return int(place)


@compiled
def add_ending(
    position: int, moves: int, endings: StateTable, found: Numbers, count: int, rules: Rules
) -> int:
    """Put a position, if it is new, into the table and into `found` at `count`; return the new count."""
    least, _ = least_image(position, NOBODY, rules)
    place = ending_place(least, endings)
    if endings.positions[place] == 0:
        endings.positions[place], endings.moves[place] = least, moves
        found[count] = least
        count += 1
    return count


@compiled
def take_back_move(
    position: int,
    hole: int,
    pegs: int,
    moves: int,
    endings: StateTable,
    found: Numbers,
    count: int,
    rules: Rules,
) -> int:
    """Take back the last move of the peg on `hole` in every possible way, and add the positions before it.

    The positions that are new need `moves` moves.

    Args:
        pegs: how many more pegs these positions may have.
        found: the positions of the table in the order they were found; only the first `count` are filled in.

    Returns:
        The new count, never above len(found).
    """
    for jump in range(len(rules.cells)):
        landed = rules.cells[jump] ^ rules.needed[jump]
        if rules.ends[jump] == hole and position & rules.cells[jump] == landed:
            if pegs == 0 or count == len(found):
                return count
            before = position ^ rules.cells[jump]
            count = add_ending(before, moves, endings, found, count, rules)
            count = take_back_move(before, rules.starts[jump], pegs - 1, moves, endings, found, count, rules)
    return count


@compiled
def pegs_of(position: int) -> int:
    """Return how many pegs a position has."""
    pegs = 0
    for hole in range(SIZE * SIZE):
        pegs += position >> hole & 1
    return int(pegs)


@compiled
def fill_endings(endings: StateTable, found: Numbers, pegs: int, most: int, rules: Rules) -> int:
    """Put the positions of at most `pegs` pegs that need at most `most` moves into the table.

    It goes back from the goals, one move at a time, until `found` is full.

    Returns:
        The number of moves up to which all positions are there. Some positions of one more move may be
        missing, but those in the table are right.
    """
    count = 0
    for hole in range(len(rules.bits)):
        if rules.goals & rules.bits[hole]:
            count = add_ending(rules.bits[hole], 0, endings, found, count, rules)
    begin = 0
    for moves in range(1, most + 1):
        end = count
        for number in range(begin, end):
            for hole in range(len(rules.bits)):
                if found[number] & rules.bits[hole]:
                    more = pegs - pegs_of(found[number])
                    count = take_back_move(found[number], hole, more, moves, endings, found, count, rules)
        if count == len(found):
            return moves - 1
        begin = end
    return most


# ---- how many moves are sure to begin --------------------------------


@compiled
def sure_moves(position: int, hole: int, rules: Rules) -> int:
    """Return a lower bound on the number of moves that begin from here on, whatever is played.

    A full region needs a move that starts in it, and a move starts in one hole only, so regions without a
    common hole need a move each. The peg under way may leave its region for free.

    The types of pegs tell less than it seems. A jump keeps the parity of the row and of the column, so there
    are four types of pegs, and it is tempting to demand a move for each type on the board. That would be too
    much: one peg of a third type can take all pegs of two types, which then never move. Only this is sure: on
    a chessboard a peg keeps its colour, and it jumps over pegs of the other colour. So if a white peg must
    go, a black peg must move, and if a black peg must go, a white one. Together with the regions, counted by
    colour, this gives more. A region of white holes alone needs a move of a white peg. So there are at least
    as many white moves as white regions, and at least one if a black peg must go. The same holds for black.
    Altogether there are at least as many moves as there are regions of all kinds.
    """
    used = 0 if hole == NOBODY else rules.bits[hole]
    regions = even = odd = 0
    for region in rules.regions:
        if position & region == region and used & region == 0:
            used |= region
            regions += 1
            if region & rules.even == region:
                even += 1
            elif region & rules.even == 0:
                odd += 1
    going = 0 if hole == NOBODY else rules.bits[hole]  # the peg that may move on for free
    if odd == 0 and going & ~rules.even == 0 and one_must_go(position & rules.even, rules):
        odd = 1
    if even == 0 and going & rules.even == 0 and one_must_go(position & ~rules.even, rules):
        even = 1
    return max(regions, even + odd)


@compiled
def one_must_go(pegs: int, rules: Rules) -> bool:
    """Return whether at least one of these pegs, all of one colour, cannot be the last peg."""
    if pegs & (pegs - 1) != 0:
        return True
    own = rules.even if pegs & rules.even else ~rules.even
    return bool(pegs != 0 and rules.goals & own == 0)


# ---- the search ------------------------------------------------------


@compiled
def can_go_on(position: int, hole: int, rules: Rules) -> bool:
    """Return whether the peg on `hole` can jump."""
    for jump in range(rules.first[hole], rules.first[hole + 1]):
        if position & rules.cells[jump] == rules.needed[jump]:
            return True
    return False


@compiled
def search(
    position: int,
    hole: int,
    pegs: int,
    most: int,
    stack: Stack,
    memory: StateTable,
    endings: StateTable,
    reach: int,
    rules: Rules,
) -> int:
    """Solve a state in at most `most` more moves, if possible.

    Args:
        hole: where the peg under way is, or NOBODY.
        reach: the number of moves up to which `endings` has all positions.

    Returns:
        The number of moves, if it is at most `most`; then the jumps are on the stack, the first one on top.
        Otherwise a lower bound above `most`, or NEVER if there is no solution.
    """
    if pegs == 1:
        return 0 if position & rules.goals else NEVER
    if hole != NOBODY and not can_go_on(position, hole, rules):
        hole = NOBODY
    sure = sure_moves(position, hole, rules)
    if sure > most:
        return sure
    least, least_hole = least_image(position, hole, rules)
    place = ending_place(least, endings)
    needed = int(endings.moves[place]) if endings.positions[place] == least else reach + 1
    if hole != NOBODY:
        needed -= 1  # the first of these moves may be the one under way
    if needed > most:
        return needed
    place = (key_hash(int(least)) + 77 * least_hole) & (MEMORY_SLOTS - 1)
    known = memory.positions[place] == least and memory.holes[place] == least_hole
    if known and memory.moves[place] > most:
        return int(memory.moves[place])
    best = NEVER
    if hole == NOBODY:
        first, end, cost = 0, len(rules.cells), 1
    else:
        first, end, cost = rules.first[hole], rules.first[hole + 1], 0
    for jump in range(first, end):
        if position & rules.cells[jump] == rules.needed[jump]:
            after = position ^ int(rules.cells[jump])
            moves = cost + search(
                after, rules.ends[jump], pegs - 1, most - cost, stack, memory, endings, reach, rules
            )
            if moves <= most:
                push(stack, move_of(jump, rules))
                return moves
            best = min(best, moves)
    if hole != NOBODY:
        ended = int(NOBODY)  # the int() is for numba, which does not take a constant in a call of itself
        moves = search(position, ended, pegs, most, stack, memory, endings, reach, rules)
        if moves <= most:
            return moves
        best = min(best, moves)
    memory.positions[place], memory.holes[place], memory.moves[place] = least, least_hole, best
    return int(best)


@compiled
def move_of(jump: int, rules: Rules) -> int:
    """Return a jump as a move of client.py, to put on the stack."""
    row_start, col_start = rules.rows[rules.starts[jump]], rules.cols[rules.starts[jump]]
    row_end, col_end = rules.rows[rules.ends[jump]], rules.cols[rules.ends[jump]]
    return int(move_new(int(row_start), int(col_start), int(row_end), int(col_end)))


def new_table(slots: int) -> StateTable:
    """Return an empty table."""
    return StateTable(np.zeros(slots, np.int64), np.zeros(slots, np.int8), np.zeros(slots, np.int8))


def solve(board: Board, stack: Stack, goals: list[Hole]) -> int:
    """Return the fewest moves to one peg on one of the goals, and push their jumps; NEVER if impossible."""
    rules = rules_of(board, goals)
    pegs = count_pegs(board)
    cells = [board[row, col] for row, col in zip(rules.rows.tolist(), rules.cols.tolist(), strict=True)]
    position = bits_of([hole for hole, cell in enumerate(cells) if cell == PEG])
    # The backward search is for the last quarter of a game; a small game needs few of its positions.
    endings, memory = new_table(ENDING_SLOTS), new_table(MEMORY_SLOTS)
    found = np.zeros(min(MOST_ENDINGS, 24 * pegs**3), dtype=np.int64)
    reach = fill_endings(endings, found, pegs, pegs // 4, rules)
    most = 0
    while most < NEVER:
        moves = search(position, NOBODY, pegs, most, stack, memory, endings, reach, rules)
        if moves <= most:
            return moves
        most = moves  # fewer moves are proved not to be enough
    return NEVER


# END SOLUTION


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda board, row, col: (row == col == -1) or board[row, col] != BLOCKED)
@ensures(lambda board, result: type(result) is int and -1 <= result < count_pegs(board))
@ensures(lambda stack, result: result > 0 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, row: int, col: int) -> int:
    """Return the fewest moves that leave one peg on the hole at row, col, or on any hole if both are -1.

    The jumps of these moves are then on the stack, the first one on top. Return 0 if the board is solved
    already, and -1 if it cannot be solved; then the stack is empty and the board is as it was before.
    """
    # BEGIN SOLUTION search for a solution in 1 move, in 2, in 3 ...; write the functions you need above
    goals = [hole for hole in ends_of_class(board) if row == -1 or hole == (row, col)]
    moves = solve(board, stack, goals) if goals else NEVER
    return int(moves) if moves < NEVER else -1
    # END SOLUTION
