"""What the play page and HTML reports share: the board, the style, positions in URLs, single-file pages."""
