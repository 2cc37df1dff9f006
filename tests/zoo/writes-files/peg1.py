# Writes in the canaries' folder, its own, temporary ones and the home; changes and removes what is there.
import framework
import shutil
import tempfile

REPORT = FOLDER + "/report.json"
AT = -100  # AT_FDCWD
MINE = [EMPTY, FOLDER, ".", os.path.dirname(__file__), os.environ["HOME"], os.environ["TMPDIR"]]
PLACES = [*MINE, os.path.dirname(framework.__file__), "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~root"),
          "/run", "/etc", "/"]

def write(place):
    path = f"{place}/peg-{os.getpid()}-{threading.get_ident()}"
    try:
        with open(path, "wb") as file:
            file.write(bytes(1 << 20))
    finally:
        os.unlink(path)

def write_without_name(place):
    fd = os.open(place, os.O_TMPFILE | os.O_RDWR)
    os.write(fd, bytes(1 << 20))
    os.close(fd)

def replace():
    os.rename(REPORT, REPORT + "-old")
    os.rename(REPORT + "-old", REPORT)

def tries():
    for place in MINE:
        attempt("write in " + place, write, place)
    for place in PLACES:
        attempt("write without a name in " + place, write_without_name, place)
    attempt("temporary file", lambda: tempfile.TemporaryFile().write(b"x"))
    attempt("append", lambda: open(REPORT, "a").write("x"))
    attempt("empty", lambda: open(REPORT, "w"))
    attempt("empty by a flag", lambda: os.close(os.open(REPORT, os.O_RDONLY | os.O_TRUNC)))
    attempt("truncate", os.truncate, REPORT, 5)
    attempt("truncate by number", call, "truncate", REPORT, 5)
    attempt("creat", lambda: os.close(call("creat", REPORT, 0o666)))
    attempt("open for writing", lambda: os.close(call("openat", AT, REPORT, os.O_RDWR)))
    attempt("rename", replace)
    attempt("exchange", call, "renameat2", AT, REPORT, AT, SECRET, 2)
    attempt("exchange back", call, "renameat2", AT, REPORT, AT, SECRET, 2)
    attempt("move", shutil.move, FOLDER + "/private/board.txt", "board.txt")
    attempt("remove", os.unlink, FOLDER + "/private/index.yaml")
    attempt("remove by number", call, "unlinkat", AT, FOLDER + "/private/index.yaml", 0)
    attempt("make a folder", os.mkdir, EMPTY + "/made")
    attempt("make a folder by number", call, "mkdirat", AT, EMPTY + "/made", 0o777)
    attempt("remove a folder", os.rmdir, EMPTY)
    attempt("make a pipe", os.mkfifo, EMPTY + "/pipe")
    attempt("make a device", os.mknod, EMPTY + "/null", 0o020666, os.makedev(1, 3))
    attempt("link", os.link, REPORT, EMPTY + "/link")
    attempt("link by number", call, "linkat", AT, REPORT, AT, EMPTY + "/link", 0)
    attempt("link it here", os.link, REPORT, "link")
    attempt("symbolic link", os.symlink, REPORT, EMPTY + "/symbolic")
    attempt("symbolic link here", os.symlink, REPORT, "symbolic")
    attempt("mode", os.chmod, REPORT, 0o600)
    attempt("mode by number", call, "fchmodat2", AT, REPORT, 0o600, 0)
    attempt("owner", os.chown, REPORT, os.getuid(), os.getgid())
    attempt("times", os.utime, REPORT, (1, 1))
    attempt("times by number", call, "utimensat", AT, REPORT, 0, 0)
    attempt("attribute", os.setxattr, REPORT, "user.peg", b"x")

tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    tell()
    return 3
