"""Make what students get: stubs cut from the reference, the release folder, checks for leaks and gaps."""
