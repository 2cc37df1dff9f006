# Whatever shows this must show it as text.
import os

LINES = [
    "::error::full marks", "::add-mask::peg", "##[group]peg", "::set-output name=score::100",
    "\x1b[2J\x1b[31mred\x1b]0;title\x07", "\rPASS  one-jump", "back\b\b\b\bfront", "\x9b31m", "\u202eright to left\u202c",
    "<script>alert(1)</script><img src=x onerror=alert(1)>", "]]> <!-- & &lt; {{ 7 * 7 }} {% raw %}",
    "| a | table | ![x](http://localhost/x) [link](javascript:alert(1)) ```", "=cmd|' /C calc'!A0", "@SUM(1)", "\0zero", "\ud800",
]

def peg_solve(board, stack):
    for line in LINES:
        os.write(1, line.encode("utf-8", "surrogatepass") + b"\n")
    os.write(1, b"\xff\xfe not text\n")
    os._exit(5)
