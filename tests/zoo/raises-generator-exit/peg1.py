# Raises what is no Exception.
def peg_solve(board, stack):
    raise GeneratorExit
