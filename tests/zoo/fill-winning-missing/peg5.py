from peg4 import peg_solve  # noqa: F401
