from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import SIZE, count_pegs, format_board
from framework.stack import push


def solve(board, stack, pegs):
    best = pegs
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    left = solve(board, stack, pegs - 1)
                    take_back(board, r, c, d)
                    if left == 1:
                        push(stack, move_of(r, c, d))
                        return 1
                    best = min(best, left)
    return best


def peg_solve(board, stack):
    print("start!!")
    print(format_board(board))
    answer = solve(board, stack, count_pegs(board))
    print("\x1b[31manswer\x1b[0m", answer)
    return answer
