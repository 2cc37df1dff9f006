"""The framework students build on, C0's `lib/`: read it, never edit it.

board      the 8 x 8 board: read, write, draw, compare
jumps      one jump: is it legal, how is it written
verify     play a list of jumps on a fresh board and say what is wrong with it
stack      C0's stack of integers
hash_table C0's hash table, for keys that are integers
contracts  @requires, @ensures and @compiled

The same functions run as plain Python (`grade -d`) and compiled by numba (`grade`), so code here uses
only what both support.
"""
