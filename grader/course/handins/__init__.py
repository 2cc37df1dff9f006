"""Read a class's submissions from a folder or a download: the owner and the files of each."""
