"""Read the files, folders and archives that students hand in, none of which is trusted.

`archives` opens them, `locate` finds the tasks' files in them, and `handed_in` lays a submission out for
grading on a platform.
"""
