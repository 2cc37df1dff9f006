"""Plays games at random, each with a search of its end; only where none ends well, the search of peg3."""

import numpy as np
from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, can_jump, move_of, play, take_back

from framework.board import BLOCKED, PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup
from framework.stack import push

GAMES = 1_000_000
END, BOARDS = 12, 3_000  # pegs of an end, and how many boards of one are searched
MANY = 30  # pegs of a board on which games are played


@compiled
def ends_well(pegs, number, needs, cells, line, made, left):
    if number == 1:
        return made
    left[0] -= 1
    for jump in range(len(cells) if left[0] > 0 else 0):
        if pegs & cells[jump] == needs[jump]:
            line[made] = jump
            found = ends_well(pegs ^ cells[jump], number - 1, needs, cells, line, made + 1, left)
            if found:
                return found
    return 0


@compiled
def games(start, number, needs, cells, line):
    can, left, chance = np.zeros(256, np.int64), np.zeros(1, np.int64), 1
    for _ in range(GAMES):
        pegs, made = start, 0
        while number - made > END:
            count = 0
            for jump in range(len(cells)):
                if pegs & cells[jump] == needs[jump]:
                    can[count] = jump
                    count += 1
            if count == 0:
                break
            chance = (chance * 1103515245 + 12345) & 0x7FFFFFFF
            line[made] = can[(chance >> 8) % count]
            pegs ^= cells[line[made]]
            made += 1
        if number - made <= END:
            left[0] = BOARDS
            made = ends_well(pegs, number - made, needs, cells, line, made, left)
            if made:
                return made
    return 0


@compiled
def search(board, stack, unsolvable, pegs):
    key = board_key(board)
    if pegs == 1 or ht_lookup(unsolvable, key):
        return pegs == 1
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(DIRECTIONS):
                if board[row, col] == PEG and can_jump(board, row, col, direction):
                    play(board, row, col, direction)
                    solved = search(board, stack, unsolvable, pegs - 1)
                    take_back(board, row, col, direction)
                    if solved:
                        push(stack, move_of(row, col, direction))
                        return True
    ht_insert(unsolvable, key)
    return False


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    on = {(row, col): 1 << (8 * row + col) for row in range(SIZE) for col in range(SIZE) if board[row, col] != BLOCKED}
    jumps = []
    for row, col in on:
        for direction in range(DIRECTIONS):
            over = row + ROW_STEP[direction], col + COL_STEP[direction]
            to = row + 2 * ROW_STEP[direction], col + 2 * COL_STEP[direction]
            if over in on and to in on:
                taken = on[row, col] | on[over]
                jumps.append(((row, col, direction), taken, taken | on[to]))
    start = sum(bit for (row, col), bit in on.items() if board[row, col] == PEG)
    needs, cells = (np.array([jump[part] for jump in jumps], np.uint64).view(np.int64) for part in (1, 2))
    line = np.zeros(SIZE * SIZE, np.int64)
    made = games(np.array([start], np.uint64).view(np.int64)[0], pegs, needs, cells, line) if pegs > MANY else 0
    for jump in line[:made][::-1]:
        push(stack, move_of(*jumps[jump][0]))
    return 1 if made or search(board, stack, unsolvable, pegs) else pegs
