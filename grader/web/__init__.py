"""What the play page and the HTML reports share: board, style, positions in URLs and the one-file page."""
