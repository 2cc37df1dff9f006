"""Share board, style, positions in URLs and single-file pages between the play page and HTML reports."""
