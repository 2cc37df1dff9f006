"""Read the files, folders and archives that students hand in, none of which is trusted.

`archives` opens them, and `locate` finds the tasks' files in them.
"""
