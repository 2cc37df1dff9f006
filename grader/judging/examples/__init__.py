"""Judge a student's own boards: are the claims about them true, and which bugs do they catch?

The bugs are those of simulated programs. `rules.py` says which jumps such a program believes in, `program.py`
how it searches, and `bugs.py` lists what is wrong with each. `catching.py` judges what the student's file
claims, and counts the bugs.
"""
