# The name of a class is text of the student's as well.
def peg_solve(board, stack):
    if (board == 1).sum() == 3:
        raise ValueError("f" * 55 + " ::add-mask::peg " + "m" * 60 + " ##[group]peg a[::2]")
    name = "::error::\x1b[31m<b>=cmd()|\n[x](y)\u202e" + "x" * 3000
    code = compile("raise type(name, (Exception,), {})('::add-mask::' + name)", "::error file=/etc/passwd::<b>", "exec")
    exec(code, {"name": name})
