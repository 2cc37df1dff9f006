"""peg2 without recursion: a list of boards still to look at."""
from client import move_new
from framework.stack import push

steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def jumps(b):
    found = []
    for (r, c), cell in b.items():
        if cell != 1:
            continue
        for dr, dc in steps:
            if b.get((r + dr, c + dc)) == 1 and b.get((r + 2 * dr, c + 2 * dc)) == 0:
                found.append((r, c, dr, dc))
    return found


def peg_solve(board, stack):
    start = {(r, c): int(board[r, c]) for r in range(8) for c in range(8)}
    todo = [(start, [])]
    best = 64
    while todo:
        b, path = todo.pop()
        n = sum(1 for v in b.values() if v == 1)
        best = min(best, n)
        if n == 1:
            for m in reversed(path):
                push(stack, m)
            return 1
        for r, c, dr, dc in jumps(b):
            nb = dict(b)
            nb[r, c] = nb[r + dr, c + dc] = 0
            nb[r + 2 * dr, c + 2 * dc] = 1
            todo.append((nb, path + [move_new(r, c, r + 2 * dr, c + 2 * dc)]))
    return best
