# Connects to this very machine: by TCP, UDP and sockets of files, with Python and by system calls.
import http.client
import socket
import struct
import urllib.request

INTERNET, UNIX, NETLINK, RAW_PACKETS = 2, 1, 16, 17
HERE = "127.0.0.1"

def tcp():
    socket.create_connection((HERE, PORT), timeout=1).close()

def udp():
    socket.socket(type=socket.SOCK_DGRAM).sendto(b"board", (HERE, UDP_PORT))

def fast_open():
    socket.socket().sendto(b"board", 0x20000000, (HERE, PORT))

def in_file():
    socket.socket(socket.AF_UNIX).connect(FOLDER + "/socket")

def abstract():
    socket.socket(socket.AF_UNIX).connect("\0" + SOCKET)

def listen():
    server = socket.socket()
    server.bind((HERE, 0))
    server.listen()

def by_numbers():
    fd = call("socket", INTERNET, 1, 0)
    try:
        checked(libc.connect(fd, struct.pack("=H", INTERNET) + struct.pack("!HI", PORT, 0x7F000001) + bytes(8), 16))
    finally:
        os.close(fd)

def by_open_sockets():
    """Connect what is a socket already."""
    address = struct.pack("=H", UNIX) + os.fsencode(FOLDER + "/socket") + bytes(1)
    if all(libc.connect(fd, address, len(address)) == -1 for fd in range(64)):
        raise OSError(ctypes.get_errno(), "")

def tries():
    for name, act in (("TCP", tcp), ("UDP", udp), ("fast open", fast_open), ("a socket in a file", in_file),
                      ("an abstract socket", abstract), ("listen", listen), ("by numbers", by_numbers), ("a pair", socket.socketpair), ("by what is open", by_open_sockets)):
        attempt(name, act)
    attempt("http", http.client.HTTPConnection(HERE, PORT, timeout=0.2).request, "GET", "/")
    attempt("urllib", urllib.request.urlopen, f"http://{HERE}:{PORT}/", None, 0.2)
    attempt("file URL", urllib.request.urlopen, "file://" + SECRET)
    for family in (INTERNET, UNIX, NETLINK, RAW_PACKETS, 10, 38, 40):
        attempt(f"socket {family}", lambda: os.close(call("socket", family, 1, 0)))
    attempt("raw", lambda: os.close(call("socket", INTERNET, 3, 1)))
    attempt("io_uring", call, "io_uring_setup", 8, ctypes.create_string_buffer(120))
    attempt("bpf", call, "bpf", 0, ctypes.create_string_buffer(128), 128)

tries()

def peg_solve(board, stack):
    tries()
    in_thread(tries)
    tell()
    return 3
