"""The grader: one command, one result record, the same verdict at home, for a class and in CI."""
