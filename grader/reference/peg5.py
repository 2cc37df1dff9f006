"""peg5: both ends. Search backwards from a single peg for the boards that can win, and forwards to meet them.

Near its end a game has few pegs, and a backward search from one peg meets few boards: a table of all of
them decides every board of so few pegs. Whether a single peg can be left at all, and where, is known
before the search from a sum that no jump changes (the class of the board).
"""

# BEGIN SOLUTION
import numpy as np

# END SOLUTION
from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

# BEGIN SOLUTION
from peg4 import FIRST_TRY, NOISE, Numbers, can_end_at, cell_at, distances, ranked_jumps

# END SOLUTION
from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, push, stack_empty

# BEGIN SOLUTION
BACK = 7  # jumps taken back from a single peg: at most 100,000 boards on the course's, in 0.2 s


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
def add_winning(board: Board, winning: HashTable, jumps: int) -> None:
    """Put the board, and all that lead to it in at most `jumps` jumps, into `winning`."""
    key = board_key(board)
    if ht_lookup(winning, key):
        return  # it had as many pegs, so as many jumps were left the first time
    ht_insert(winning, key)
    if jumps == 0:
        return
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(DIRECTIONS):
                if could_have_jumped(board, row, col, direction):
                    take_back(board, row, col, direction)
                    add_winning(board, winning, jumps - 1)
                    play(board, row, col, direction)


@compiled
def fill_winning(board: Board, winning: HashTable) -> None:
    """Put every board of at most BACK + 1 pegs that can win, and has the class of `board`, into `winning`."""
    ending = np.minimum(board, EMPTY).astype(np.int8)
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != BLOCKED and can_end_at(board, row, col):
                ending[row, col] = PEG
                add_winning(ending, winning, BACK)
                ending[row, col] = EMPTY


@compiled
def search(
    board: Board,
    stack: Stack,
    winning: HashTable,
    unsolvable: HashTable,
    pegs: int,
    distance: Numbers,
    most: int,
) -> bool:
    """Search as in peg4; a board of few pegs is decided by whether it is in `winning`."""
    if pegs == 1:
        return True
    key = board_key(board)
    if pegs <= BACK + 1 and not ht_lookup(winning, key):
        return False
    if ht_lookup(unsolvable, key):
        return False
    for jump in ranked_jumps(board, distance):
        row, col, direction = jump // 32, jump // 4 % 8, jump % 4
        play(board, row, col, direction)
        solved = search(board, stack, winning, unsolvable, pegs - 1, distance, most)
        take_back(board, row, col, direction)
        if solved:
            push(stack, move_of(row, col, direction))
            return True
        if ht_size(unsolvable) >= most:
            return False
    ht_insert(unsolvable, key)
    return False


@compiled
def solve(board: Board, stack: Stack, winning: HashTable, unsolvable: HashTable, pegs: int) -> bool:
    """Return whether the board can be solved; if so, the moves are on the stack."""
    fill_winning(board, winning)
    if ht_size(winning) == 0:
        return False  # no single peg is of this class
    if pegs <= BACK + 1 and not ht_lookup(winning, board_key(board)):
        return False
    middle = distances(board)
    distance = middle.copy()
    np.random.seed(1)
    while not ht_lookup(unsolvable, board_key(board)):
        most = ht_size(unsolvable) + FIRST_TRY + ht_size(unsolvable) // 100
        if search(board, stack, winning, unsolvable, pegs, distance, most):
            return True
        distance = middle * np.random.uniform(1 - NOISE, 1 + NOISE, (SIZE, SIZE))
    return False


# END SOLUTION


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return 1 when solved, and then the moves are on the stack; any number above 1 when it cannot be.

    Every board given up on is left in `unsolvable`; the boards that can win are in a separate table.
    """
    # BEGIN SOLUTION make a table of boards that can win with ht_new, then search forwards to meet it
    winning = ht_new(1 << 12)
    pegs = count_pegs(board)
    return 1 if solve(board, stack, winning, unsolvable, pegs) else pegs
    # END SOLUTION
