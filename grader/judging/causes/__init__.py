"""Ask a program more questions, after all visible checks, to find a cause: they change messages only."""
