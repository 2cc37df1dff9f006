class Boom(Exception):
    def __str__(self):
        return "\x1b[31mred\x1b[0m\n::error::pwned\r\u202eback \ud800"

def peg_solve(board, stack):
    raise Boom
