# Reads a secret and what stands beside the framework and beside its own files.
import glob
import importlib
import mmap
import pathlib
import shutil
import subprocess

import framework
import numpy as np

AT, PATH_ONLY = -100, 0o10000000  # AT_FDCWD, O_PATH
COURSE = os.path.dirname(os.path.dirname(framework.__file__))
SUBMISSIONS = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))

def first(path):
    with open(path, "rb") as file:
        return file.read(50)

def by_descriptor(fd):
    try:
        return os.read(fd, 50)
    finally:
        os.close(fd)

def by_mmap():
    with open(SECRET, "rb") as file:
        return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[:]

def by_path_descriptor():
    fd = os.open(SECRET, PATH_ONLY)
    return first(f"/proc/self/fd/{fd}")

def by_folder_descriptor():
    return by_descriptor(os.open("secret.txt", os.O_RDONLY, dir_fd=os.open(FOLDER, PATH_ONLY)))

def by_current_folder():
    here = os.getcwd()
    try:
        os.chdir(FOLDER)
        return first("secret.txt")
    finally:
        os.chdir(here)

def by_copy():
    shutil.copyfile(SECRET, "copy")
    return first("copy")

def by_link(make):
    make(SECRET, f"link-{threading.get_ident()}")
    return first(f"link-{threading.get_ident()}")

def by_handle():
    handle, mount = (ctypes.c_uint32 * 40)(128), ctypes.c_int()
    call("name_to_handle_at", AT, SECRET, handle, ctypes.byref(mount), 0)
    return by_descriptor(call("open_by_handle_at", os.open("/", os.O_RDONLY), handle, 0))

def names(folder):
    return sorted(os.listdir(folder))[:3]

def found(pattern):
    files = [path for path in glob.glob(pattern) if os.path.dirname(__file__) not in path]
    if not files:
        raise OSError
    return files[0]

def tries():
    for path in (SECRET, FOLDER + "/private/board.txt", "/proc/self/root" + SECRET, "/proc/self/cwd/../../.." + SECRET,
                 "/proc/thread-self/root" + SECRET, "/proc/1/root" + SECRET, "/proc/self/environ", "/proc/self/maps",
                 "/etc/passwd", "/etc/hostname", "/proc/mounts", COURSE + "/grader/reference/peg5.py",
                 COURSE + "/grader/tasks.yaml", COURSE + "/boards/index.yaml", COURSE + "/grader/sandbox/child/main.py",
                 COURSE + "/README.md", COURSE + "/.git/config"):
        attempt("open " + path, first, path)
    for folder in (FOLDER, FOLDER + "/private", "/", "/proc", "/tmp", "/home", "/root", COURSE, COURSE + "/grader",
                   COURSE + "/boards", SUBMISSIONS, os.path.expanduser("~root"), ".."):
        attempt("list " + folder, names, folder)
    attempt("find another's files", found, SUBMISSIONS + "/*/code/*.py")
    attempt("os.open", lambda: by_descriptor(os.open(SECRET, os.O_RDONLY)))
    attempt("open by number", lambda: by_descriptor(call("open", SECRET, 0)))
    attempt("openat by number", lambda: by_descriptor(call("openat", AT, SECRET, 0)))
    attempt("openat2", lambda: by_descriptor(call("openat2", AT, SECRET, (ctypes.c_uint64 * 3)(), 24)))
    attempt("open of libc", lambda: by_descriptor(checked(libc.open(SECRET.encode(), 0))))
    attempt("mmap", by_mmap)
    attempt("a descriptor of the path", by_path_descriptor)
    attempt("a descriptor of the folder", by_folder_descriptor)
    attempt("another current folder", by_current_folder)
    attempt("copy", by_copy)
    attempt("symbolic link", by_link, os.symlink)
    attempt("hard link", by_link, os.link)
    attempt("handle", by_handle)
    attempt("numpy", np.fromfile, SECRET, np.int8)
    attempt("pathlib", pathlib.Path(SECRET).read_text)
    attempt("loader", lambda: importlib.machinery.SourceFileLoader("secret", SECRET).get_data(SECRET))
    attempt("inotify", call, "inotify_init1", 0)
    attempt("fanotify", call, "fanotify_init", 0, 0)
    attempt("a program", subprocess.check_output, ["/bin/cat", SECRET])

attempts_at_import = tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    tell()
    return 3
