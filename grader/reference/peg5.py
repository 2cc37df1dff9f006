"""peg5: a search that knows something of the end before it begins.

Each of the four functions is asked by itself.
"""

# BEGIN SOLUTION
import numpy as np

# END SOLUTION
from client import board_key, col_end, col_start, row_end, row_start
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

# BEGIN SOLUTION
from peg4 import Numbers, cell_at, distances, ranked_jumps

# END SOLUTION
from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, pop, push, stack_empty, stack_new

# BEGIN SOLUTION
BACK = 5  # jumps taken back; on the course's boards this gives at most 30,000 boards


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
    """Put the board and all that lead to it in at most `jumps` jumps into `winning`."""
    key = board_key(board)
    if ht_lookup(winning, key):
        return  # a board already in it has the same pegs, so as many jumps were left the first time
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
def add_ends(board: Board, winning: HashTable, jumps: int, of_class: bool) -> None:
    """Put all boards that can win in at most `jumps` jumps into `winning`.

    With `of_class`, only those whose last peg is on a hole that the colours of `board` allow.
    """
    ending = np.minimum(board, EMPTY).astype(np.int8)
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != BLOCKED and (not of_class or can_end_at(board, row, col)):
                ending[row, col] = PEG
                add_winning(ending, winning, jumps)
                ending[row, col] = EMPTY


@compiled
def search(
    board: Board,
    stack: Stack,
    winning: HashTable,
    known: int,
    unsolvable: HashTable,
    pegs: int,
    distance: Numbers,
) -> bool:
    """Search as in peg4, but end on a board of `known` pegs: it wins if it is in `winning`."""
    key = board_key(board)
    if pegs == known:
        return ht_lookup(winning, key)
    if ht_lookup(unsolvable, key):
        return False
    for jump in ranked_jumps(board, distance):
        row, col, direction = jump // 32, jump // 4 % 8, jump % 4
        play(board, row, col, direction)
        met = search(board, stack, winning, known, unsolvable, pegs - 1, distance)
        take_back(board, row, col, direction)
        if met:
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
    # BEGIN SOLUTION write it as the handout asks, and so the three below
    add_ends(board, winning, jumps, of_class=False)
    # END SOLUTION


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda board, pegs: 1 <= pegs <= count_pegs(board))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda stack, result: result or stack_empty(stack))
def meet(board: Board, stack: Stack, winning: HashTable, pegs: int, unsolvable: HashTable) -> bool:
    """Return whether jumps lead from `board` to a board in `winning` that has `pegs` pegs.

    If so, the moves that lead there are on the stack, the first one on top. The board is as it was before,
    and every board given up on is left in `unsolvable`.
    """
    # BEGIN SOLUTION write it
    return search(board, stack, winning, pegs, unsolvable, count_pegs(board), distances(board))
    # END SOLUTION


@requires(lambda board: is_board(board))
@compiled
def can_end_at(board: Board, row: int, col: int) -> bool:
    """Return whether the colours of the board allow a single peg on the hole row, col at the end.

    The colours of the cells are (row + col) % 3, and then (row - col) % 3. (N. G. de Bruijn, 1972.)
    """
    # BEGIN SOLUTION write it
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
    # BEGIN SOLUTION join the three functions
    pegs = count_pegs(board)
    known = min(pegs, BACK + 1)
    winning, front, moves = ht_new(1 << 12), stack_new(), []
    add_ends(board, winning, known - 1, of_class=True)
    if ht_size(winning) == 0 or not meet(board, front, winning, known, unsolvable):
        return pegs
    met = board.copy()
    while not stack_empty(front):
        move = pop(front)
        row, col, last_row, last_col = row_start(move), col_start(move), row_end(move), col_end(move)
        met[row, col] = met[(row + last_row) // 2, (col + last_col) // 2] = EMPTY
        met[last_row, last_col] = PEG
        moves.append(move)
    won = ht_new(1)
    fill_winning(met, won, 0)
    meet(met, stack, won, 1, ht_new(1))
    for move in reversed(moves):
        push(stack, move)
    return 1
    # END SOLUTION
