"""What students get: stubs cut from the reference, the release folder, and checks for leaks and gaps."""
