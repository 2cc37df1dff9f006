"""The grader: one command, one result record, the same verdict at home, in a class run and in CI."""
