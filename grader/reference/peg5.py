"""peg5: both ends. Search backwards from a single peg for the boards that can win, and forwards to meet them.

If only few boards can win, a table of all of them decides every board. If there are too many, a table of the
boards that are a few jumps from the end decides every board with few pegs. The holes where a game can end at
all are known before the search, from a sum that no jump changes (the class of the board).
"""

# BEGIN SOLUTION
import numpy as np

# END SOLUTION
from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

# BEGIN SOLUTION
from peg4 import Numbers, cell_at, distances, ranked_jumps

# END SOLUTION
from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import MAX_KEYS, HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, push, stack_empty

# BEGIN SOLUTION
MOST = 100_000  # boards that can win, at most: listing them takes a fifth of a second
BACK = 5  # jumps taken back when there are more; on the course's boards this gives at most 30,000
ALL = SIZE * SIZE  # more jumps than any game has


@compiled
def could_have_jumped(board: Board, row: int, col: int, direction: int) -> bool:
    """Return whether the last jump may have gone from row, col in that direction."""
    row_step, col_step = ROW_STEP[direction], COL_STEP[direction]
    return bool(
        board[row, col] == EMPTY
        and cell_at(board, row + row_step, col + col_step) == EMPTY
        and cell_at(board, row + 2 * row_step, col + 2 * col_step) == PEG
    )


@compiled
def add_winning(board: Board, winning: HashTable, jumps: int, most: int) -> None:
    """Put the board and all that lead to it in at most `jumps` jumps into `winning`, up to `most` boards."""
    key = board_key(board)
    if ht_lookup(winning, key) or ht_size(winning) >= most:
        return  # a board already in it has the same pegs, so as many jumps were left the first time
    ht_insert(winning, key)
    if jumps == 0:
        return
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(DIRECTIONS):
                if could_have_jumped(board, row, col, direction):
                    take_back(board, row, col, direction)
                    add_winning(board, winning, jumps - 1, most)
                    play(board, row, col, direction)


@compiled
def add_ends(board: Board, winning: HashTable, jumps: int, most: int, of_class: bool) -> None:
    """Put all boards that can win in at most `jumps` jumps into `winning`, until it holds `most` boards.

    With `of_class`, put in only boards whose last peg is on a hole that the class of `board` allows.
    """
    ending = np.minimum(board, EMPTY).astype(np.int8)
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != BLOCKED and (not of_class or can_end_at(board, row, col)):
                ending[row, col] = PEG
                add_winning(ending, winning, jumps, most)
                ending[row, col] = EMPTY


@compiled
def can_end_at(board: Board, row: int, col: int) -> bool:
    """Return whether the class of the board allows a single peg at that cell.

    Colour the cells by (row + col) % 3. A jump changes the number of pegs of each colour by one, up or
    down, so all three numbers turn from odd to even or back. Two that are both odd or both even before a jump
    are therefore alike after it, too. The same holds for (row - col) % 3. (De Bruijn, 1972.)
    """
    sums, differences = np.zeros(3), np.zeros(3)
    sums[(row + col) % 3] += 1
    differences[(row - col) % 3] += 1
    for peg_row in range(SIZE):
        for peg_col in range(SIZE):
            if board[peg_row, peg_col] == PEG:
                sums[(peg_row + peg_col) % 3] += 1
                differences[(peg_row - peg_col) % 3] += 1
    return bool(
        (sums[0] + sums[1]) % 2 == 0
        and (sums[1] + sums[2]) % 2 == 0
        and (differences[0] + differences[1]) % 2 == 0
        and (differences[1] + differences[2]) % 2 == 0
    )


@compiled
def solve(
    board: Board,
    stack: Stack,
    winning: HashTable,
    known: int,
    unsolvable: HashTable,
    pegs: int,
    distance: Numbers,
) -> bool:
    """Search as in peg4, but give up every board of at most `known` pegs that is not in `winning`."""
    if pegs == 1:
        return True
    key = board_key(board)
    if pegs <= known and not ht_lookup(winning, key):
        return False
    if ht_lookup(unsolvable, key):
        return False
    for jump in ranked_jumps(board, distance):
        row, col, direction = jump // 32, jump // 4 % 8, jump % 4
        play(board, row, col, direction)
        solved = solve(board, stack, winning, known, unsolvable, pegs - 1, distance)
        take_back(board, row, col, direction)
        if solved:
            push(stack, move_of(row, col, direction))
            return True
    ht_insert(unsolvable, key)
    return False


# END SOLUTION


@requires(lambda board: is_board(board))
@requires(lambda winning: ht_size(winning) == 0)
@requires(lambda jumps: jumps >= 0)
def fill_winning(board: Board, winning: HashTable, jumps: int) -> None:
    """Put into `winning` every board on the holes of `board` that can win in at most `jumps` jumps.

    The pegs of `board` do not matter. A board with a single peg, on any hole, has won in 0 jumps.
    """
    # BEGIN SOLUTION begin with a single peg on each hole, and take jumps back
    add_ends(board, winning, jumps, MAX_KEYS, of_class=False)
    # END SOLUTION


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return 1 if the board can be solved, with the moves on the stack; any number above 1 if it cannot.

    Every board given up on is left in `unsolvable`; the boards that can win are in a separate table.
    """
    # BEGIN SOLUTION make a table of boards that can win with ht_new, then search forwards to meet it
    pegs, known = count_pegs(board), ALL
    winning = ht_new(1 << 12)
    add_ends(board, winning, ALL, MOST, of_class=True)
    if ht_size(winning) == MOST:  # there are more
        winning, known = ht_new(1 << 12), BACK + 1
        add_ends(board, winning, BACK, MAX_KEYS, of_class=True)
    return 1 if solve(board, stack, winning, known, unsolvable, pegs, distances(board)) else pegs
    # END SOLUTION
