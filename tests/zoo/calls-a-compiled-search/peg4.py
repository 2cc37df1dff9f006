from framework.contracts import compiled


@compiled
def go(pegs):
    while pegs > 14:
        pegs += 0
    return pegs
