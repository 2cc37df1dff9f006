"""What each command does; `grader.cli` says how it is typed and imports only the one that is needed."""
