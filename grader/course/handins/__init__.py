"""Takes in what a class handed in: a folder or a download; whose each submission is, and its files."""
