"""Runs student code where it can be limited but not confined: on macOS and Windows, and below tier 2.

This is so that students can work there. It is no safety: a program can start processes, and what it started
is ended as far as it can be found.
"""
