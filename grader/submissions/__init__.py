"""Reads what students hand in: files, folders and archives, none of which is trusted.

`archives` opens them, `locate` finds the tasks' files in them, `handed_in` lays them out on a platform.
"""
