"""The framework that students build on, like C0's `lib/`: read it, but never edit it.

board      the 8 x 8 board: read, write, draw, compare
jumps      one jump: whether it is legal, and how it is written
rules      which holes win, and what integer a move is
verify     play a list of jumps on a fresh board, and say which one is illegal and why
stack      C0's stack of integers
hash_table C0's hash table, for keys that are integers
contracts  @requires, @ensures and @compiled

The same functions run as plain Python (`grade -d`) or compiled by numba (`grade`), so code here uses
only features that both support.
"""
