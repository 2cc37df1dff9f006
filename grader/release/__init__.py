"""Make the files for students: cut stubs from the reference, collect the release, find leaks and gaps."""
