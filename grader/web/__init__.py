"""What the play page and the HTML reports share: the board, positions and the page frame."""
