from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, play, take_back

from framework.board import BLOCKED, EMPTY, PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_new


@compiled
def could_have_jumped(board, row, col, direction):
    row_end, col_end = row + 2 * ROW_STEP[direction], col + 2 * COL_STEP[direction]
    if not (0 <= row_end < SIZE and 0 <= col_end < SIZE):
        return False
    between = board[row + ROW_STEP[direction], col + COL_STEP[direction]]
    return board[row, col] == EMPTY and between == EMPTY and board[row_end, col_end] == PEG


@compiled
def go_back(board, winning):
    ht_insert(winning, board_key(board))
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(DIRECTIONS):
                if could_have_jumped(board, row, col, direction):
                    take_back(board, row, col, direction)
                    go_back(board, winning)
                    play(board, row, col, direction)


def empty_of(board):
    ending = board.copy()
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != BLOCKED:
                ending[row, col] = EMPTY
    return ending


def fill_winning(board, winning, jumps):
    ending = empty_of(board)
    ending[3, 3] = PEG
    go_back(ending, winning)


def peg_solve(board, stack, unsolvable):
    winning = ht_new(16)
    fill_winning(board, winning, 60)
    return count_pegs(board)
